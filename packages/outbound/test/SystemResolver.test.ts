/** Name resolution while some names never resolve: timeouts, concurrent lookups by the system, and the hosts file. */
import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Fiber } from "effect"
import { addressesIn, makeSystemLookup, makeSystemResolver, reachableAddresses } from "../src/index.ts"
import { type Names, type Saying, standFor } from "./Names.ts"

/** The timeout of names that hang: long enough for others to be resolved on a busy machine. */
const HANG_TIMEOUT = "10 seconds"

const HUNG = Array.from({ length: 12 }, (_, i) => `ldap${i}.hung.test`)
const isHung = (name: string) => name.endsWith(".hung.test")
const unlessHung = (saying: Saying) => (name: string) => (isHung(name) ? "nothing" : saying)

/** Any address is allowed of this name. */
const allowing = (host: string) => ({ allow: [{ scheme: "ldap", host, port: 389 }] })

/** Resolves the names of a test to their addresses, or to the reason why they have none. */
const startResolver = Effect.fnUntraced(function* (names: Names, timeout: Duration.Input = HANG_TIMEOUT) {
  const asked = yield* standFor(names)
  const resolve = makeSystemResolver()
  const ask = (host: string) =>
    reachableAddresses({ host }, allowing(host), resolve).pipe(
      Effect.match({ onSuccess: (addresses) => addresses.join(), onFailure: ({ reason }) => reason }),
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed("not in time") })
    )
  return { ...asked, ask }
})

/** Waits for what other parts do. */
const until = Effect.fnUntraced(function* (condition: () => boolean) {
  while (!condition()) yield* Effect.sleep("5 millis")
})

/** Asks for all the names that hang, until the system is busy with them. */
const hang = Effect.fnUntraced(function* ({ ask, lookedUp }: Effect.Success<ReturnType<typeof startResolver>>) {
  const hanging = yield* Effect.forEach(HUNG, (host) => Effect.forkScoped(ask(host)))
  yield* until(() => lookedUp.some(isHung))
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
      { inDns: unlessHung("192.0.2.1"), inSystem: unlessHung("192.0.2.1") }
    ]
  ] satisfies ReadonlyArray<readonly [string, string, Names]>) {
    it.live(`do not delay the resolution of a name ${which}`, () =>
      Effect.gen(function* () {
        const resolver = yield* startResolver(names)
        const hanging = yield* hang(resolver)
        for (let i = 0; i < 5; i++) assert.include(yield* resolver.ask(host), "127.0.0.1")
        yield* Fiber.interruptAll(hanging)
        // What the system looks up cannot be stopped: it still hangs.
        assert.include(yield* resolver.ask(host), "127.0.0.1")
      })
    )
  }

  it.live("fail only for their own callers", () =>
    Effect.gen(function* () {
      const none = unlessHung("none")
      const resolver = yield* startResolver({ inDns: none, inSystem: none }, "5 seconds")
      const hanging = yield* hang(resolver)
      assert.strictEqual(yield* resolver.ask("ldap.unknown.test"), "the server's name has no address")
      for (const fiber of hanging) assert.strictEqual(yield* Fiber.join(fiber), "not in time")
    })
  )
})

describe("the system's lookups", () => {
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
      const lookUp = makeSystemLookup()
      const ask = (...hosts: ReadonlyArray<string>) =>
        Effect.forEach(hosts, (host) => Effect.forkChild(lookUp(host), { startImmediately: true }))
      const first = yield* ask("slow", "slow", "slower")
      const left = yield* ask("a", "slow", "b", "b", "c")
      const last = yield* ask("c", "d")
      yield* Fiber.interruptAll(left)
      const again = yield* ask("slow", "b")
      release()
      const found = yield* Fiber.joinAll([...first, ...last, ...again])
      assert.deepStrictEqual(new Set(found.flat()), new Set(["127.0.0.1"]))
      assert.deepStrictEqual(lookedUp, ["slow", "slower", "c", "d", "b"])
    })
  )

  it.live("are made when the name servers do not answer", () =>
    Effect.gen(function* () {
      const { ask } = yield* startResolver({ inDns: () => "nothing", inSystem: () => "127.0.0.1" })
      assert.strictEqual(yield* ask("ldap.example.test"), "127.0.0.1")
    })
  )

  it.live("lead to addresses that are checked, as name servers' answers are", () =>
    Effect.gen(function* () {
      for (const names of [
        { inDns: () => "127.0.0.1", inSystem: () => "none" },
        { inDns: () => "none", inSystem: () => "127.0.0.1" },
        { inDns: () => "nothing", inSystem: () => "127.0.0.1" }
      ] satisfies ReadonlyArray<Names>) {
        yield* standFor(names)
        const question = reachableAddresses({ host: "ldap.example.test" }, { allow: [] }, makeSystemResolver())
        assert.match((yield* Effect.flip(question)).reason, /loopback/)
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
