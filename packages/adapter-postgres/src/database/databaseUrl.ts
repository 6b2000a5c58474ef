/** Lists of hosts in the URL of a database, as libpq reads them. */
import { Option, Redacted } from "effect"

/** One host of a URL. */
export interface UrlOfHost {
  /** The URL with this host alone. */
  readonly url: Redacted.Redacted<string>
  readonly host: string | undefined
  readonly port: number | undefined
}

/** What the URL of a database says. */
export interface DatabaseUrl {
  /** One for each host, in their order. */
  readonly hosts: ReadonlyArray<UrlOfHost>
  /** Whether sessions of a standby are used as well: `target_session_attrs=any`. */
  readonly allowsStandby: boolean
}

/** Scheme, user, hosts with their ports, and the rest from the path on. */
const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)([^]*)$/

/** An address in brackets, or a name; and a port. */
const HOST = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/

/** `any` reaches standbys as well. Values that prefer a standby have no use: the stores write. */
const ATTRIBUTES: ReadonlyMap<string, boolean> = new Map([
  ["any", true],
  ["read-write", false],
  ["primary", false]
])

const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, "$1")

/** The hosts of the parameters `host` and `port`, which stand in the place of those before the path. */
const ofParameters = (parameters: URLSearchParams): ReadonlyArray<string> | undefined => {
  const hosts = parameters.get("host")?.split(",")
  const ports = parameters.get("port")?.split(",")
  if (hosts === undefined || hosts.length === 1) return undefined
  if (ports !== undefined && ports.length !== 1 && ports.length !== hosts.length) return []
  return hosts.map((host, i) => {
    const port = ports === undefined ? "" : `:${ports[ports.length === 1 ? 0 : i]}`
    return `${host.includes(":") ? `[${host}]` : host}${port}`
  })
}

/**
 * Reads the URL of a database: `postgresql://user:password@host:port/name`, with several hosts as libpq reads them
 * (`a:5432,b:5432`, or `?host=a,b&port=5432`) and its `target_session_attrs`: `read-write` and `primary` use the host that is the
 * primary, `any` uses standbys too. Left out it is `read-write`, unlike libpq's, as the stores write. None for another text.
 */
export const readDatabaseUrl = (text: string): Option.Option<DatabaseUrl> => {
  const [, scheme, user, authority, rest] = PARTS.exec(text) ?? []
  if (authority === undefined || !URL.canParse(`${scheme}${user}host${rest}`)) return Option.none()
  const url = new URL(`${scheme}${user}host${rest}`)
  const allowsStandby = ATTRIBUTES.get(url.searchParams.get("target_session_attrs") ?? "read-write")
  const listed = ofParameters(url.searchParams)
  if (listed !== undefined) {
    url.searchParams.delete("host")
    url.searchParams.delete("port")
  }
  const tail = `${url.pathname}${url.search}`
  const hosts = (listed ?? authority.split(",")).map((name): UrlOfHost | undefined => {
    const [, host = "", port = ""] = HOST.exec(name) ?? []
    const own = `${scheme}${user}${name}${tail}`
    if (!HOST.test(name) || Number(port) > 65_535 || !URL.canParse(own)) return undefined
    return {
      url: Redacted.make(own),
      host: host === "" ? undefined : unbracketed(host),
      port: port === "" ? undefined : Number(port)
    }
  })
  const known = hosts.flatMap((host) => host ?? [])
  return allowsStandby === undefined || known.length === 0 || known.length < hosts.length
    ? Option.none()
    : Option.some({ hosts: known, allowsStandby })
}
