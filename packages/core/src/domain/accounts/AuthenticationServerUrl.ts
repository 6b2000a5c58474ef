import * as Result from "effect/Result"
import { holdsSecrets } from "./SecretAttribute.ts"
import { parseServerAddress, requireReachableServer, type ServerAddress, type ServerPolicy } from "./ServerAddress.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** Where an organization's authentication server is, and how people are found there (spec: accounts#ldap-url). */
export interface AuthenticationServerUrl extends ServerAddress<"ldaps" | "ldap"> {
  /** The URL exactly as it was given. */
  readonly text: string
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

/** Which authentication servers the service may reach (spec: accounts#allowed-server). */
export type AuthenticationServerPolicy = ServerPolicy<"ldaps" | "ldap">

/** `ldaps` on port 636, and never loopback, link-local, unspecified or metadata addresses. */
export const defaultAuthenticationServerPolicy: AuthenticationServerPolicy = { allow: [] }

const DEFAULT_PORT = { ldaps: 636, ldap: 389 } as const
const URL_FORM = /^(ldaps?):\/\/([^/?#@]+)(?:\/([^?#]*)(?:\?([^?#]*)(?:\?([^?#]*)((?:\?[^#]*)?))?)?)?$/i
const ATTRIBUTE = /^([a-z][a-z0-9-]*|\d+(\.\d+)*)$/i
const VISIBLE = /^[\x21-\x7e]*$/

const refused = (reason: string) => new AuthenticationServerRefused({ reason })
const refuse = (reason: string) => Result.fail(refused(reason))

const parseAuthority = (text: string, scheme: "ldaps" | "ldap") =>
  Result.mapError(parseServerAddress(text, scheme, DEFAULT_PORT[scheme]), refused)

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
  const allowed = requireReachableServer(url, policy, () =>
    url.scheme !== "ldaps" || url.port !== DEFAULT_PORT.ldaps
      ? Result.fail("only ldaps on port 636 is allowed")
      : Result.void
  )
  return Result.mapBoth(allowed, { onSuccess: () => url, onFailure: refused })
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
