/** Names whose owner runs the name server: what they stand for changes between two answers, and mixes addresses of all kinds. */
import { assert, describe, it } from "@effect/vitest"
import { connect } from "@sojourn/outbound"
import { Effect } from "effect"
import { createServer, type Server } from "node:net"
import { LdapDirectory, type Options } from "../src/index.ts"
import { allowing, asking, credentials, url } from "./directory.ts"
import { startListener, until } from "./Listener.ts"
import { type DnsRecord, standFor } from "../../outbound/test/Names.ts"
import { answering, obliging } from "./script.ts"

const HOST = "ldap.rebind.test"
const a = (data: string, name = HOST): DnsRecord => ({ name, type: "A", data })
const aaaa = (data: string, name = HOST): DnsRecord => ({ name, type: "AAAA", data })
const alias = (name: string, data: string): DnsRecord => ({ name, type: "CNAME", data })

/** Answers with these records, to questions for addresses of their kind; an alias comes with both. */
const saying =
  (...records: ReadonlyArray<DnsRecord>) =>
  (_name: string, kind: "A" | "AAAA") =>
    records.filter(({ type }) => type === kind || type === "CNAME")

/** An address of documentation (RFC 5737): the policy allows it, and no server uses it. */
const PUBLIC = "192.0.2.10"

const reasonOf = (question: Effect.Effect<unknown, { readonly _tag: string; readonly reason?: string }>) =>
  Effect.match(question, { onSuccess: () => "answered", onFailure: ({ _tag, reason }) => reason ?? _tag })

/** Listens beside another server, at the same port of another address. */
const startAt = (address: string, port: number) =>
  Effect.acquireRelease(
    Effect.callback<Server & { seen: number }>((resume) => {
      const server = Object.assign(
        createServer((socket) => {
          server.seen += 1
          socket.destroy()
        }),
        { seen: 0 }
      )
      server.listen(port, address, () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
  )

describe("a name server of an attacker", () => {
  const FORBIDDEN: Readonly<Record<string, ReadonlyArray<DnsRecord>>> = {
    "an allowed address and the machine itself": [a(PUBLIC), a("127.0.0.1")],
    "an allowed IPv4 address and the machine's own IPv6 address": [a(PUBLIC), aaaa("::1")],
    "the machine itself as a mapped address": [a(PUBLIC), aaaa("::ffff:127.0.0.1")],
    "a chain of aliases that ends at the machine": [
      alias(HOST, "a.rebind.test"),
      alias("a.rebind.test", "b.rebind.test"),
      alias("b.rebind.test", "c.rebind.test"),
      a(PUBLIC, "c.rebind.test"),
      a("127.0.0.1", "c.rebind.test")
    ]
  }

  for (const [what, records] of Object.entries(FORBIDDEN)) {
    it.live(`never causes a connection to ${what}`, () =>
      Effect.gen(function* () {
        yield* standFor({ inDns: saying(...records), inSystem: () => "none" })
        const { authenticate } = yield* asking({}, url(`ldaps://${HOST}`))
        assert.match(yield* reasonOf(authenticate("alice", "secret")), /^the server's name stands for a loopback/)
      })
    )
  }

  it.live("hides no address behind a record type without an answer", () =>
    Effect.gen(function* () {
      yield* standFor({
        inDns: (_name, kind) => (kind === "A" ? [a(PUBLIC)] : "nothing"),
        // Whatever has both kinds first is taken, and all of it is looked at.
        inSystem: () => "127.0.0.1"
      })
      const { authenticate } = yield* asking({}, url(`ldaps://${HOST}`))
      assert.match(yield* reasonOf(authenticate("alice", "secret")), /^the server's name stands for a loopback/)
    })
  )

  it.live("is queried once per request, and the checked address is the one of the connection", () =>
    Effect.gen(function* () {
      const allowed = yield* startListener(answering(obliging()))
      const forbidden = yield* startAt("127.0.0.2", allowed.port)
      let queries = 0
      // The first answer of each question is the server, and every later one is another machine.
      const names = yield* standFor({
        inDns: (_name, kind) => (kind === "A" ? [a(queries++ === 0 ? "127.0.0.1" : "127.0.0.2")] : []),
        inSystem: () => "127.0.0.2"
      })
      const server = `ldap://${HOST}:${allowed.port}`
      const options: Options = { policy: allowing(server), startTls: "never" }
      const directory = yield* LdapDirectory.make(options)
      const questions = 20
      for (let i = 0; i < questions; i++) {
        queries = 0
        const question = directory.authenticate(url(`${server}/dc=x`), credentials("alice", "secret"))
        assert.strictEqual(yield* reasonOf(question), "answered")
      }
      assert.strictEqual(forbidden.seen, 0)
      assert.strictEqual(allowed.connections(), questions)
      assert.strictEqual(names.queried.filter((name) => name === HOST).length, 2 * questions)
      assert.deepStrictEqual(names.lookedUp, [])
      yield* until("the connections are closed", () => allowed.open() === 0)
    })
  )

  it.live("cannot change an address between its check and the connection", () =>
    Effect.gen(function* () {
      const checked = yield* startListener(() => {})
      const forbidden = yield* startAt("127.0.0.2", checked.port)
      const names = yield* standFor({ inDns: () => "127.0.0.2", inSystem: () => "127.0.0.2" })
      const socket = yield* connect({ host: HOST, port: checked.port }, ["127.0.0.1"])
      assert.strictEqual(socket.remoteAddress, "127.0.0.1")
      assert.deepStrictEqual([names.queried, names.lookedUp, forbidden.seen], [[], [], 0])
    })
  )
})
