import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { isSpecialAddress, parseAddress } from "./InternetAddress.ts"
import { holdsSecrets } from "./SecretAttribute.ts"
import { TaggedError } from "./TaggedError.ts"

/** Where an organization's authentication server is, and how people are found there (contract, section 8). */
export interface AuthenticationServerUrl {
  /** The URL exactly as it was given. */
  readonly text: string
  readonly scheme: "ldaps" | "ldap"
  /** A host name in lower case, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** The entry below which people are looked for. */
  readonly base: string
  /** The attribute that holds a person's id. */
  readonly idAttribute: string
  readonly scope: "base" | "one" | "sub"
}

/** The URL is not one of an authentication server, or of none that the operator allows the service to reach. */
export class AuthenticationServerRefused extends TaggedError(
  "AuthenticationServerRefused",
  "the URL of the authentication server is not allowed"
)<{
  readonly reason: string
}> {}

/** Which authentication servers the service may reach: the operator's choice (contract, section 8). */
export interface AuthenticationServerPolicy {
  /** Servers as `scheme://host[:port]`. Empty: `ldaps` on port 636, at no special address. */
  readonly allow: ReadonlyArray<Pick<AuthenticationServerUrl, "scheme" | "host" | "port">>
  /** Whether no server is allowed but the listed ones, also when none is listed. */
  readonly listedOnly?: boolean
}

/** `ldaps` on port 636, and never loopback, link-local, unspecified or metadata addresses. */
export const defaultAuthenticationServerPolicy: AuthenticationServerPolicy = { allow: [] }

const DEFAULT_PORT = { ldaps: 636, ldap: 389 } as const
/** Names that hosts files and clouds give to the machine itself and to metadata servers. */
const SPECIAL_NAMES =
  /(^|\.)localhost[46]?$|^localhost[46]?\.localdomain[46]?$|^ip6-(localhost|loopback)$|^metadata(\.goog(le\.internal)?)?$|^instance-data(\.ec2\.internal)?$/
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::(\d{1,5}))?$/i
const URL_FORM = /^(ldaps?):\/\/([^/?#@]+)(?:\/([^?#]*)(?:\?([^?#]*)(?:\?([^?#]*)((?:\?[^#]*)?))?)?)?$/i
const ATTRIBUTE = /^([a-z][a-z0-9-]*|\d+(\.\d+)*)$/i
const VISIBLE = /^[\x21-\x7e]*$/

const refuse = (reason: string) => Result.fail(new AuthenticationServerRefused({ reason }))

const parseAuthority = (text: string, scheme: "ldaps" | "ldap") => {
  const match = AUTHORITY.exec(text)
  if (match === null) return refuse("the host is neither a name nor an address")
  const host = (match[1] ?? "")
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[|\]$/g, "")
  const port = match[2] === undefined ? DEFAULT_PORT[scheme] : Number(match[2])
  if (port < 1 || port > 65535) return refuse("the port is not between 1 and 65535")
  // A last label of digits makes an address to many a resolver, in forms that hide what it is: 127.1, 0x7f000001.
  const looksLikeAddress = host.includes(":") || match[1]?.startsWith("[") || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host)
  return looksLikeAddress && Option.isNone(parseAddress(host))
    ? refuse("the host is no address in its standard form")
    : Result.succeed({ scheme, host, port })
}

const decodePercent = (text: string) =>
  Result.flatMap(
    Result.try({
      try: () => decodeURIComponent(text),
      catch: () => new AuthenticationServerRefused({ reason: "a percent escape is malformed" })
    }),
    (decoded) => (decoded.includes("\u0000") ? refuse("a percent escape stands for NUL") : Result.succeed(decoded))
  )

/**
 * Reads the LDAP URL of an authentication server (RFC 4516): host, port, base, id attribute (`uid` when left out) and
 * scope (`sub` when left out). A bare `host[:port]` of older clients means `ldaps://host[:port]`. Filters and extensions
 * are refused: the service looks people up by their id alone.
 */
export const parseAuthenticationServerUrl = (
  text: string
): Result.Result<AuthenticationServerUrl, AuthenticationServerRefused> =>
  Result.gen(function* () {
    if (!VISIBLE.test(text)) return yield* refuse("a URL holds visible ASCII characters alone")
    const match = URL_FORM.exec(text)
    if (match === null) {
      if (text.includes("/")) return yield* refuse("not an LDAP URL")
      return { text, ...(yield* parseAuthority(text, "ldaps")), base: "", idAttribute: "uid", scope: "sub" as const }
    }
    const scheme = (match[1] ?? "").toLowerCase() === "ldap" ? "ldap" : "ldaps"
    const server = yield* parseAuthority(match[2] ?? "", scheme)
    const base = yield* decodePercent(match[3] ?? "")
    const idAttribute = (yield* decodePercent(match[4] ?? "")) || "uid"
    const scope = (match[5] ?? "").toLowerCase() || "sub"
    if (!ATTRIBUTE.test(idAttribute)) return yield* refuse("the URL names one attribute, which holds people's ids")
    if (scope !== "base" && scope !== "one" && scope !== "sub") return yield* refuse("the scope is base, one or sub")
    if ((match[6] ?? "").replaceAll("?", "") !== "") return yield* refuse("filters and extensions are not supported")
    return { text, ...server, base, idAttribute, scope }
  })

/** May the service ask this server for this attribute? It is decided when the URL is set, and again when it is used. */
export const requireAllowed = (
  url: AuthenticationServerUrl,
  policy: AuthenticationServerPolicy
): Result.Result<AuthenticationServerUrl, AuthenticationServerRefused> => {
  if (holdsSecrets(url.idAttribute)) return refuse("the attribute holds secrets, and is no id of people")
  if (policy.listedOnly === true || policy.allow.length > 0) {
    const isListed = policy.allow.some(
      (entry) => entry.scheme === url.scheme && entry.host === url.host && entry.port === url.port
    )
    return isListed ? Result.succeed(url) : refuse("the operator does not allow this server")
  }
  if (url.scheme !== "ldaps" || url.port !== DEFAULT_PORT.ldaps) return refuse("only ldaps on port 636 is allowed")
  const isSpecial = Option.match(parseAddress(url.host), {
    onNone: () => SPECIAL_NAMES.test(url.host),
    onSome: isSpecialAddress
  })
  return isSpecial
    ? refuse("loopback, link-local, multicast, unspecified and metadata addresses are not allowed")
    : Result.succeed(url)
}

/** Reads one entry of the operator's list: `scheme://host[:port]`. */
export const parseAllowEntry = (
  entry: string
): Result.Result<AuthenticationServerPolicy["allow"][number], AuthenticationServerRefused> => {
  const match = /^(ldaps?):\/\/([^/?#@]+)\/?$/i.exec(entry)
  return match === null
    ? refuse(`an entry is scheme://host[:port], with ldaps or ldap as its scheme: ${entry}`)
    : parseAuthority(match[2] ?? "", (match[1] ?? "").toLowerCase() === "ldap" ? "ldap" : "ldaps")
}
