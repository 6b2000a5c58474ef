/** Name resolution while some names never resolve: timeouts, concurrent look-ups by the system, and the hosts file. */
import { assert, describe, it } from "@effect/vitest"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { LdapDirectory } from "../src/index.ts"
import { addressesIn } from "../src/SystemResolver.ts"
import { makeLookupQueue } from "../src/LookupQueue.ts"
import { allowing, asking, credentials, url } from "./directory.ts"
import { startListener, until } from "./Listener.ts"
import { type Names, type Saying, standFor } from "./Names.ts"
import { answering, obliging } from "./script.ts"

/** The timeout of names that hang: long enough for others to be resolved on a busy machine. */
const HANG_TIMEOUT = "10 seconds"

const HUNG = Array.from({ length: 12 }, (_, i) => `ldap${i}.hung.test`)
const isHung = (name: string) => name.endsWith(".hung.test")
const unlessHung = (saying: Saying) => (name: string) => (isHung(name) ? "nothing" : saying)

/** A directory at every name of a test, and how alice is asked for there: the answer, or why there is none. */
const startDirectory = Effect.fnUntraced(function* (
  names: Names,
  hosts: ReadonlyArray<string>,
  connect: Duration.Input = HANG_TIMEOUT
) {
  const asked = yield* standFor(names)
  const listener = yield* startListener(answering(obliging()))
  const serverAt = (host: string) => `ldap://${host}:${listener.port}`
  const directory = yield* LdapDirectory.make({
    policy: allowing(...hosts.map(serverAt)),
    startTls: "never",
    limits: { connect, total: "1 minute" }
  })
  const ask = (host: string) =>
    Effect.match(directory.authenticate(url(`${serverAt(host)}/dc=x`), credentials("alice", "secret")), {
      onSuccess: (answer): string => answer,
      onFailure: (error) => (error._tag === "DirectoryUnreachable" ? error.reason : error._tag)
    })
  return { ...asked, ask }
})

/** Asks for all the names that hang, until the system is busy with them. */
const hang = Effect.fnUntraced(function* ({ ask, lookedUp }: Effect.Success<ReturnType<typeof startDirectory>>) {
  const hanging = yield* Effect.forEach(HUNG, (host) => Effect.forkScoped(ask(host)))
  yield* until("the system looks a name up that hangs", () => lookedUp.some(isHung))
  return hanging
})

describe("names that never resolve", () => {
  for (const [which, host, names] of [
    [
      "that name servers have",
      "ldap.example.test",
      { inDns: unlessHung("127.0.0.1"), inSystem: unlessHung("127.0.0.1") }
    ],
    ["that the system alone has", "ldap.local", { inDns: unlessHung("none"), inSystem: unlessHung("127.0.0.1") }],
    [
      "of the hosts file, which counts before name servers",
      "localhost",
      { inDns: unlessHung("192.0.2.1"), inSystem: unlessHung("127.0.0.1") }
    ]
  ] satisfies ReadonlyArray<readonly [string, string, Names]>) {
    it.live(`do not delay the resolution of a name ${which}`, () =>
      Effect.gen(function* () {
        const directory = yield* startDirectory(names, [...HUNG, host])
        const hanging = yield* hang(directory)
        for (let i = 0; i < 5; i++) assert.strictEqual(yield* directory.ask(host), "alice")
        yield* Fiber.interruptAll(hanging)
        // What the system looks up cannot be stopped: it still hangs.
        assert.strictEqual(yield* directory.ask(host), "alice")
      })
    )
  }

  it.live("fail only for their own callers", () =>
    Effect.gen(function* () {
      const none = unlessHung("none")
      const unknown = "ldap.unknown.test"
      const directory = yield* startDirectory({ inDns: none, inSystem: none }, [...HUNG, unknown], "5 seconds")
      const hanging = yield* hang(directory)
      assert.strictEqual(yield* directory.ask(unknown), "the server's name has no address")
      for (const fiber of hanging) assert.strictEqual(yield* Fiber.join(fiber), "its name was not resolved in time")
    })
  )
})

describe("the system's look-ups", () => {
  it.live("run once for each name, and only while a caller waits", () =>
    Effect.gen(function* () {
      let release = () => {}
      const slow = new Promise<"127.0.0.1">((resolve) => {
        release = () => resolve("127.0.0.1")
      })
      const { lookedUp } = yield* standFor({
        inDns: () => "none",
        inSystem: (name) => (name.startsWith("slow") ? slow : "127.0.0.1")
      })
      const lookUp = makeLookupQueue()
      const { signal } = new AbortController()
      const leaving = new AbortController()
      const first = ["slow", "slow", "slower"].map((host) => lookUp(host, signal))
      const left = ["a", "slow", "b", "b"].map((host) => lookUp(host, leaving.signal))
      const shared = lookUp("c", leaving.signal)
      const last = ["c", "d"].map((host) => lookUp(host, signal))
      leaving.abort(new Error("left"))
      const again = ["slow", "b"].map((host) => lookUp(host, signal))
      const gone = yield* Effect.promise(() => Promise.allSettled([...left, shared]))
      assert.isTrue(gone.every(({ status }) => status === "rejected"))
      release()
      const found = yield* Effect.promise(() => Promise.all([...first, ...last, ...again]))
      assert.deepStrictEqual(new Set(found.flat()), new Set(["127.0.0.1"]))
      assert.deepStrictEqual(lookedUp, ["slow", "slower", "c", "d", "b"])
    })
  )

  it.live("are made when the name servers do not answer", () =>
    Effect.gen(function* () {
      const names: Names = { inDns: () => "nothing", inSystem: () => "127.0.0.1" }
      const { ask } = yield* startDirectory(names, ["ldap.example.test"])
      assert.strictEqual(yield* ask("ldap.example.test"), "alice")
    })
  )

  it.live("lead to addresses that are checked, as name servers' answers are", () =>
    Effect.gen(function* () {
      for (const names of [
        { inDns: () => "127.0.0.1", inSystem: () => "none" },
        { inDns: () => "none", inSystem: () => "127.0.0.1" },
        { inDns: () => "nothing", inSystem: () => "127.0.0.1" }
      ] satisfies ReadonlyArray<Names>) {
        const { authenticate } = yield* Effect.andThen(
          standFor(names),
          asking({ limits: { connect: HANG_TIMEOUT } }, url("ldaps://ldap.example.test"))
        )
        const error = yield* Effect.flip(authenticate("alice", "secret"))
        assert.match(error._tag === "DirectoryUnreachable" ? error.reason : "", /loopback/)
      }
    }).pipe(Effect.scoped)
  )
})

describe("a hosts file", () => {
  it("has addresses for whole names, in any case, and nothing in its comments", () => {
    const text = [
      "# 10.0.0.1 ldap.example.test",
      "10.0.0.2\tldap.example.test ldap # 10.0.0.3 ldap.example.test",
      "  fd00::2   LDAP.example.test\r",
      "10.0.0.4 old.ldap.example.test ldap.example.test.old # ldap.example.test",
      "ldap.example.test 10.0.0.5",
      "10.0.0.256 ldap.example.test",
      "",
      "10.0.0.6"
    ].join("\n")
    assert.deepStrictEqual(addressesIn(text, "ldap.example.test"), ["10.0.0.2", "fd00::2"])
    assert.deepStrictEqual(addressesIn(text, "ldap"), ["10.0.0.2"])
    assert.deepStrictEqual(addressesIn(text, "10.0.0.6"), [])
    assert.deepStrictEqual(addressesIn("", "ldap"), [])
  })
})
