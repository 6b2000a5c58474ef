/** What the names of tests stand for, to name servers and to the system. */
import * as Effect from "effect/Effect"
import { createSocket } from "node:dgram"
import dns, { type LookupAddress } from "node:dns"
import { syncBuiltinESMExports } from "node:module"
import type { AddressInfo } from "node:net"

/** What somebody says of a name: its IPv4 address, that there is none, or nothing, ever. */
export type Saying = string | "none" | "nothing"

export interface Names {
  /** What name servers say. */
  readonly inDns: (name: string) => Saying
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

const IPV4 = 1

/** The answer to a query, RFC 1035: a name without an address has none of either kind, and one with an IPv4 address no other. */
const answerTo = (query: Buffer, saying: Saying): Buffer => {
  const { end } = nameIn(query)
  const isFound = saying !== "none" && query.readUInt16BE(end) === IPV4
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180 + (saying === "none" ? 3 : 0), 2)
  header.writeUInt16BE(isFound ? 1 : 0, 6)
  header.fill(0, 8)
  const address = [0xc0, 12, 0, IPV4, 0, 1, 0, 0, 0, 0, 0, 4, ...saying.split(".").map(Number)]
  return Buffer.concat([header, query.subarray(12, end + 4), Buffer.from(isFound ? address : [])])
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
    const saying = inDns(name)
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
  // No system can be made to look up names slowly, or to have names of ours, without changing the machine for everybody.
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
