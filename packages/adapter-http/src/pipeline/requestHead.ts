/** The head of a request, and what is read of it: path, request id, lines that proxies may read differently, and the client's network. */
import { parseAddress } from "@sojourn/core"
import * as IpNetwork from "effect/net/IpNetwork"
import * as Option from "effect/Option"

/** A request without its body, as every driver gives it. */
export interface RequestHead {
  readonly method: string
  /** Path and query as they were sent: no escape is decoded. */
  readonly url: string
  /** By names in lower case; fields that were sent several times are joined as HTTP joins them. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** The platform's own request: Node's `IncomingMessage`, or the `Request` of the Fetch standard. */
  readonly source: object
}

/** The part of a URL before its query. */
export const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

/** Whether the body has a content coding, such as gzip. */
export const isEncoded = ({ "content-encoding": coding }: RequestHead["headers"]): boolean =>
  coding !== undefined && coding.toLowerCase() !== "identity"

const WELL_FORMED = /^[\x21-\x7e]{1,128}$/

/** The client's own request id, or a UUID of ours, which platforms make from random bytes that they keep in store. */
export const requestIdOf = (request: RequestHead): string => {
  const sent = request.headers["x-request-id"]
  if (sent !== undefined && WELL_FORMED.test(sent)) return sent
  const made = crypto.randomUUID()
  // V8 makes a UUID of 14 pieces, and joins them when one is read: else each collection of garbage while the request
  // waits would copy them all.
  made.charCodeAt(0)
  return made
}

/** What Node adds to a request beside its headers. Other platforms add none of it: they check field lines themselves, and give no address. */
interface NodeSource {
  readonly httpVersion?: string
  readonly rawHeaders?: ReadonlyArray<string>
  readonly socket?: { readonly remoteAddress?: string | undefined }
}

const HOSTS = "A request names one host (RFC 9112, section 3.2)."
const MEDIA_TYPES = "A request has one Content-Type header at most."
const CODINGS = "A request body has no other transfer coding than chunked."
const AUTHORIZATIONS = "A request has one Authorization header at most."

/**
 * Finds a header whose number of lines makes the request malformed: one `Host` (RFC 9112, section 3.2; HTTP/1.0 may name none),
 * and at most one `Authorization` and one `Content-Type`. Node keeps the first of several and drops the others, while a proxy in
 * front may have decided by another one. Nor does Node undo other transfer codings than `chunked` (RFC 9112, section 6.1).
 */
export const fieldLineFault = ({ headers, source }: RequestHead): string | undefined => {
  const { httpVersion, rawHeaders } = source as NodeSource
  if (rawHeaders === undefined) return undefined
  const coding = headers["transfer-encoding"]
  if (coding !== undefined && coding.toLowerCase() !== "chunked") return CODINGS
  let hosts = 0
  let authorizations = 0
  let mediaTypes = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4) {
      if (name.toLowerCase() === "host") hosts++
    } else if (name.length === 12) {
      if (name.toLowerCase() === "content-type") mediaTypes++
    } else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) return HOSTS
  if (mediaTypes > 1) return MEDIA_TYPES
  return authorizations > 1 ? AUTHORIZATIONS : undefined
}

const IPV4_MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i

/**
 * The network of an address: an IPv4 address itself, and the network of so many bits of an IPv6 address. A client
 * that has one address has all of its network of 64 bits. A text that is no address is returned as it is.
 */
export const networkOf = (address: string, bits = 64): string => {
  const text = address.replace(IPV4_MAPPED, "").replace(/%.*$/, "")
  if (!text.includes(":")) return text
  return Option.match(parseAddress(text), {
    onNone: () => text,
    onSome: (ip) => IpNetwork.format(IpNetwork.fromAddressUnsafe(ip, bits))
  })
}

const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/
const IPV6_IN_BRACKETS = /^\[([\da-f]*:[\da-f:.]+)\](?::\d{1,5})?$/i

/** Without the port and the brackets that some proxies write. Without brackets, what follows an IPv6 address is a part of it. */
const withoutPort = (entry: string): string => entry.replace(IPV4_WITH_PORT, "$1").replace(IPV6_IN_BRACKETS, "$1")

/**
 * The address that a request came from. Every proxy appends the address of its client to `X-Forwarded-For`. So the entry of the first of
 * `proxies` trusted proxies is so many entries from the end; entries before it may be forged by the client. A request that did not
 * come through all of them has the address of its connection.
 */
export const originOf = (remote: string, forwardedFor: string | undefined, proxies: number): string => {
  if (proxies === 0 || forwardedFor === undefined) return remote
  const entries = forwardedFor.split(",")
  const entry = entries[entries.length - proxies]
  if (entry === undefined) return remote
  const address = withoutPort(entry.trim())
  return Option.isNone(parseAddress(address)) ? remote : address
}

/** The network that a request came from, behind so many trusted proxies. */
export const clientNetwork = ({ headers, source }: RequestHead, proxies: number, bits?: number): string =>
  networkOf(
    originOf((source as NodeSource).socket?.remoteAddress ?? "nowhere", headers["x-forwarded-for"], proxies),
    bits
  )
