/** The common part of URLs that callers give for servers: where authentication servers are, and where webhooks are delivered. */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { isSpecialAddress, parseAddress } from "../shared/InternetAddress.ts"

/** A server that the service connects to because a caller named it. */
export interface ServerAddress<Scheme extends string> {
  readonly scheme: Scheme
  /** A host name in lower case, or an address without brackets. */
  readonly host: string
  readonly port: number
}

/** Which of these servers the service may reach: the operator's choice. */
export interface ServerPolicy<Scheme extends string> {
  /** Servers as `scheme://host[:port]`. Empty: every server that the default allows, at no special address. */
  readonly allow: ReadonlyArray<ServerAddress<Scheme>>
  /** Whether no server is allowed but the listed ones, also when none is listed. */
  readonly listedOnly?: boolean
}

/** Names that hosts files and clouds give to the machine itself and to metadata servers. */
const SPECIAL_NAMES =
  /(^|\.)localhost[46]?$|^localhost[46]?\.localdomain[46]?$|^ip6-(localhost|loopback)$|^metadata(\.goog(le\.internal)?)?$|^instance-data(\.ec2\.internal)?$/
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::(\d{1,5}))?$/i

/** Reads `host[:port]`. Fails with a description. */
export const parseServerAddress = <Scheme extends string>(
  text: string,
  scheme: Scheme,
  defaultPort: number
): Result.Result<ServerAddress<Scheme>, string> => {
  const match = AUTHORITY.exec(text)
  if (match === null) return Result.fail("the host is neither a name nor an address")
  const host = (match[1] ?? "")
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[|\]$/g, "")
  const port = match[2] === undefined ? defaultPort : Number(match[2])
  if (port < 1 || port > 65535) return Result.fail("the port is not between 1 and 65535")
  // A last label of digits makes an address to many a resolver, in forms that hide what it is: 127.1, 0x7f000001.
  const looksLikeAddress = host.includes(":") || match[1]?.startsWith("[") || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host)
  return looksLikeAddress && Option.isNone(parseAddress(host))
    ? Result.fail("the host is no address in its standard form")
    : Result.succeed({ scheme, host, port })
}

/**
 * May the service reach this server? With a list, the listed servers alone; without one, those that `requireDefault` admits, at no
 * special name or address. Fails with a description.
 */
export const requireReachableServer = <Scheme extends string>(
  server: ServerAddress<Scheme>,
  policy: ServerPolicy<Scheme>,
  requireDefault: () => Result.Result<void, string>
): Result.Result<void, string> => {
  if (policy.listedOnly === true || policy.allow.length > 0) {
    const isListed = policy.allow.some(
      (entry) => entry.scheme === server.scheme && entry.host === server.host && entry.port === server.port
    )
    return isListed ? Result.void : Result.fail("the operator does not allow this server")
  }
  return Result.flatMap(requireDefault(), () => {
    const isSpecial = Option.match(parseAddress(server.host), {
      onNone: () => SPECIAL_NAMES.test(server.host),
      onSome: isSpecialAddress
    })
    return isSpecial
      ? Result.fail("loopback, link-local, multicast, unspecified and metadata addresses are not allowed")
      : Result.void
  })
}
