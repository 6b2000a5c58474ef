/** What the names of tests stand for, to name servers and to the system. */
import { Effect, Result } from "effect"
import * as NetAddress from "effect/net/NetAddress"
import { createSocket } from "node:dgram"
import dns, { type LookupAddress } from "node:dns"
import { syncBuiltinESMExports } from "node:module"
import type { AddressInfo } from "node:net"

/** A resolver's answer for a name: its IPv4 address, that it has none, or no answer at all. */
export type Saying = string | "none" | "nothing"

/** A record of an answer: an address, or that a name is an alias of another. */
export interface DnsRecord {
  readonly name: string
  readonly type: "A" | "AAAA" | "CNAME"
  readonly data: string
}

export interface Names {
  /** What name servers say of a name, asked for addresses of one kind: in short, or record by record. */
  readonly inDns: (name: string, type: "A" | "AAAA") => Saying | ReadonlyArray<DnsRecord>
  /** What the system's look-up says. */
  readonly inSystem: (name: string) => Saying | Promise<Saying>
}

const nameIn = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 }
}

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const

const typeIn = (query: Buffer): "A" | "AAAA" => (query.readUInt16BE(nameIn(query).end) === TYPES.AAAA ? "AAAA" : "A")

const nameBytes = (name: string): Buffer =>
  Buffer.from([...name.split(".").flatMap((label) => [label.length, ...Buffer.from(label)]), 0])

const dataBytes = ({ type, data }: DnsRecord): Buffer => {
  switch (type) {
    case "A":
      return Buffer.from(data.split(".").map(Number))
    case "AAAA":
      return Buffer.from(NetAddress.ipv6ToOctets(Result.getOrThrow(NetAddress.ipv6FromString(data))))
    case "CNAME":
      return nameBytes(data)
  }
}

/** A record that no resolver may keep: it lives for 0 seconds. */
const recordBytes = (record: DnsRecord): Buffer => {
  const data = dataBytes(record)
  const fixed = Buffer.from([0, TYPES[record.type], 0, 1, 0, 0, 0, 0, 0, data.length])
  return Buffer.concat([nameBytes(record.name), fixed, data])
}

/** The answer to a query, RFC 1035: a name without an address has none of either kind, and one with an IPv4 address no other. */
const answerTo = (query: Buffer, said: Saying | ReadonlyArray<DnsRecord>): Buffer => {
  const { name, end } = nameIn(query)
  const isAddress = typeof said === "string" && said !== "none" && typeIn(query) === "A"
  const short: ReadonlyArray<DnsRecord> = isAddress ? [{ name, type: "A", data: said }] : []
  const records = typeof said === "string" ? short : said
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180 + (said === "none" ? 3 : 0), 2)
  header.writeUInt16BE(records.length, 6)
  header.fill(0, 8)
  return Buffer.concat([header, query.subarray(12, end + 4), ...records.map(recordBytes)])
}

/**
 * Until the scope ends, this process asks a name server of the test's own, and its system knows names as the test says. Says
 * for which names either was asked, in order; name servers are asked twice, for both kinds of addresses.
 */
export const standFor = Effect.fnUntraced(function* ({ inDns, inSystem }: Names) {
  const queried: Array<string> = []
  const lookedUp: Array<string> = []
  const server = createSocket("udp4", (query, { port, address }) => {
    const { name } = nameIn(query)
    queried.push(name)
    const saying = inDns(name, typeIn(query))
    if (saying !== "nothing") server.send(answerTo(query, saying), port, address)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve))),
    () => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
  )
  const { port } = server.address() as AddressInfo

  const { Resolver, lookup } = dns.promises
  class ResolverOfTests extends Resolver {
    constructor() {
      super()
      this.setServers([`127.0.0.1:${port}`])
    }
  }
  const lookupOfTests = async (name: string): Promise<ReadonlyArray<LookupAddress>> => {
    lookedUp.push(name)
    const saying = await inSystem(name)
    if (saying === "nothing") return new Promise(() => {})
    if (saying === "none") throw new Error("ENOTFOUND")
    return [{ address: saying, family: 4 }]
  }
  // No system can be made to look up names slowly, or to have names of ours, without changing the machine for all its programs.
  const use = (ways: object) => {
    Object.assign(dns.promises, ways)
    syncBuiltinESMExports()
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => use({ Resolver: ResolverOfTests, lookup: lookupOfTests })),
    () => Effect.sync(() => use({ Resolver, lookup }))
  )
  return { queried, lookedUp }
})
