/** The hashing of administrators' passwords, which strangers may ask for. */
import { assert, describe, it } from "@effect/vitest"
import { type PasswordHash, PasswordsBusy } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { createHook } from "node:async_hooks"
import { makePasswordHashing } from "../src/Passwords.ts"

const PASSWORD = Redacted.make("correct horse battery staple")

const from = (fairnessKey: string, isTrusted = false) => ({ fairnessKey, isTrusted })
const REQUESTER = from("a network")

/** Costs next to nothing to compare with. */
const CHEAP = `scrypt$2$8$1$${"A".repeat(22)}$${"A".repeat(43)}` as PasswordHash

/** How many times scrypt was asked for, and how many of them were under way at most, while an effect ran and until all were done. */
const watched = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const seen = { asked: 0, underWay: new Set<number>(), most: 0 }
    const hook = createHook({
      init: (id, type) => {
        if (type !== "SCRYPTREQUEST") return
        seen.asked++
        seen.underWay.add(id)
        seen.most = Math.max(seen.most, seen.underWay.size)
      },
      before: (id) => void seen.underWay.delete(id)
    })
    hook.enable()
    yield* effect
    yield* Effect.sleep("10 millis").pipe(Effect.repeat({ while: () => seen.underWay.size > 0 }))
    hook.disable()
    return { asked: seen.asked, most: seen.most }
  })

describe("the hashing of passwords", () => {
  it.live("recognizes what was hashed, in any spelling, and nothing else", () =>
    Effect.gen(function* () {
      const hashing = yield* makePasswordHashing
      const hash = yield* hashing.hash(Redacted.make("cafe\u0301 au lait"), REQUESTER)
      assert.isTrue(yield* hashing.verify(Redacted.make("caf\u00e9 au lait"), hash, REQUESTER))
      assert.isFalse(yield* hashing.verify(Redacted.make("cafe au lait"), hash, REQUESTER))
      assert.isFalse(yield* hashing.verify(PASSWORD, hashing.dummy, REQUESTER))
      assert.strictEqual(hashing.dummy.length, hash.length)
      assert.notStrictEqual(yield* hashing.hash(PASSWORD, REQUESTER), yield* hashing.hash(PASSWORD, REQUESTER))
    })
  )

  it.live("does two at once, also when whoever asked goes away", () =>
    Effect.gen(function* () {
      const hashing = yield* makePasswordHashing
      const { asked, most } = yield* watched(
        Effect.gen(function* () {
          for (let n = 0; n < 12; n++) {
            const asking = yield* Effect.forkChild(hashing.verify(PASSWORD, hashing.dummy, REQUESTER))
            yield* Effect.sleep("1 millis")
            yield* Effect.forkChild(Fiber.interrupt(asking))
          }
        })
      )
      assert.isAtLeast(asked, 1)
      assert.isAtMost(most, 2)
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(hashing.verify(PASSWORD, CHEAP, REQUESTER))))
    })
  )

  it.live("lets 32 wait for these, and refuses who comes then, until there is room again", () =>
    Effect.gen(function* () {
      const hashing = yield* makePasswordHashing
      for (let round = 0; round < 2; round++) {
        const answers = yield* Effect.all(
          Array.from({ length: 50 }, () => Effect.result(hashing.verify(PASSWORD, CHEAP, REQUESTER))),
          { concurrency: "unbounded" }
        )
        const refused = answers.filter(Result.isFailure)
        assert.strictEqual(refused.length, 50 - 34)
        assert.isTrue(refused.every(({ failure }) => failure instanceof PasswordsBusy))
      }
    })
  )

  it.live("refuses the last one of whose most are waiting, where there is no room for another", () =>
    Effect.gen(function* () {
      const hashing = yield* makePasswordHashing
      const verify = (key: string, hash = hashing.dummy) => Effect.result(hashing.verify(PASSWORD, hash, from(key)))
      const crowd = yield* Effect.forEach(Array.from({ length: 34 }), () =>
        Effect.forkChild(verify("crowd"), { startImmediately: true })
      )
      const others = yield* Effect.forEach(Array.from({ length: 20 }), (_, n) =>
        Effect.forkChild(verify(`other ${n}`, CHEAP), { startImmediately: true })
      )
      // The crowd has two at work and 12 waiting: of these two go as well.
      const late = yield* Effect.forEach(["late", "late"], (key) =>
        Effect.forkChild(verify(key, CHEAP), { startImmediately: true })
      )
      assert.isTrue((yield* Effect.forEach([...others, ...late], Fiber.join)).every(Result.isSuccess))
      const refused = yield* Effect.forEach(crowd, (fiber) =>
        Effect.sync(() => {
          const exit = fiber.pollUnsafe()
          return exit !== undefined && Exit.isSuccess(exit) && Result.isFailure(exit.value)
        })
      )
      assert.deepStrictEqual(
        refused,
        crowd.map((_, n) => n >= 12)
      )
      yield* Fiber.interruptAll(crowd)
      assert.isTrue(Result.isSuccess(yield* verify("crowd", CHEAP)))
    })
  )

  it.live("where all have one waiting, refuses one that is not trusted for one that is, and else who comes last", () =>
    Effect.gen(function* () {
      const hashing = yield* makePasswordHashing
      const verify = (key: string, isTrusted: boolean, hash = CHEAP) =>
        Effect.forkChild(Effect.result(hashing.verify(PASSWORD, hash, from(key, isTrusted))), {
          startImmediately: true
        })
      const served = (fibers: ReadonlyArray<Fiber.Fiber<Result.Result<boolean, PasswordsBusy>>>) =>
        Effect.map(Effect.forEach(fibers, Fiber.join), (results) => results.filter(Result.isSuccess).length)
      const strangers = yield* Effect.forEach(Array.from({ length: 34 }), (_, n) =>
        verify(`stranger ${n}`, false, n < 2 ? hashing.dummy : CHEAP)
      )
      const late = yield* Effect.forEach(["late 1", "late 2"], (key) => verify(key, false))
      const trusted = yield* Effect.forEach(Array.from({ length: 40 }), (_, n) => verify(`trusted ${n}`, true))
      assert.strictEqual(yield* served(late), 0)
      assert.strictEqual(yield* served(trusted), 32)
      assert.strictEqual(yield* served(strangers), 2)
    })
  )

  it.live("gives each key its turn", () =>
    Effect.gen(function* () {
      const hashing = yield* makePasswordHashing
      const turns: Array<string> = []
      const asking = yield* Effect.forEach(["a", "a", "a", "a", "a", "a", "b", "b", "c"], (key) =>
        Effect.forkChild(
          Effect.tap(hashing.verify(PASSWORD, CHEAP, from(key)), () => Effect.sync(() => turns.push(key))),
          { startImmediately: true }
        )
      )
      yield* Effect.forEach(asking, Fiber.join)
      assert.deepStrictEqual(
        [turns.indexOf("b") < 6, turns.indexOf("c") < 6, turns.lastIndexOf("b") < 8],
        [true, true, true]
      )
    })
  )

  it.live("keeps no room for who went away while waiting", () =>
    Effect.gen(function* () {
      const hashing = yield* makePasswordHashing
      for (let n = 0; n < 40; n++) {
        const waiting = yield* Effect.forEach(Array.from({ length: 34 }), () =>
          Effect.forkChild(hashing.verify(PASSWORD, CHEAP, REQUESTER), { startImmediately: true })
        )
        yield* Fiber.interruptAll(waiting)
      }
      assert.isFalse(yield* hashing.verify(PASSWORD, CHEAP, REQUESTER))
    })
  )
})
