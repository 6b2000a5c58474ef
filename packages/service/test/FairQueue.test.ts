/** The queue before the hashes of passwords: which entries it runs next, and which it refuses. */
import { assert, describe, it } from "@effect/vitest"
import { PasswordsBusy } from "@sojourn/core"
import { Deferred, Effect, Fiber } from "effect"
import { FairQueue } from "../src/identity/FairQueue.ts"

const [AT_ONCE, CAPACITY] = [2, 4]

/** A queue whose entries run until the test ends them. `started` has their names in order. */
const makeQueue = () => {
  const queue = new FairQueue(AT_ONCE, CAPACITY)
  const started: Array<string> = []
  const running = new Map<string, Deferred.Deferred<void>>()
  const refused: Array<string> = []
  /** Enters with the name as key, unless it is `key/name`. */
  const enter = (name: string, isTrusted = false) =>
    Effect.forkChild(
      queue
        .run(
          { fairnessKey: name.split("/")[0]!, isTrusted },
          Effect.suspend(() => {
            const ending = Deferred.makeUnsafe<void>()
            started.push(name)
            running.set(name, ending)
            return Deferred.await(ending)
          })
        )
        .pipe(
          Effect.catch((error) => {
            assert.instanceOf(error, PasswordsBusy)
            return Effect.sync(() => void refused.push(name))
          })
        ),
      { startImmediately: true }
    )
  const end = (name: string) => Effect.andThen(Deferred.succeed(running.get(name)!, undefined), Effect.yieldNow)
  /** Ends what runs, in the order in which it was started, until nothing waits. */
  const drain = Effect.gen(function* () {
    for (let n = 0; n < started.length; n++) yield* end(started[n]!)
  })
  return { enter, end, drain, started, refused }
}

describe("the queue of password hashes", () => {
  it.effect("runs two entries at a time, refuses what exceeds its capacity, and accepts again once it is empty", () =>
    Effect.gen(function* () {
      const { enter, end, drain, started, refused } = makeQueue()
      for (let n = 0; n < 7; n++) yield* enter(`${n}`)
      assert.deepStrictEqual([started, refused], [["0", "1"], ["6"]])
      yield* end("1")
      assert.deepStrictEqual(started, ["0", "1", "2"])
      yield* drain
      assert.deepStrictEqual(started, ["0", "1", "2", "3", "4", "5"])
      yield* enter("late")
      assert.include(started, "late")
    })
  )

  it.effect("evicts the newest entry of the key with the most entries when it is full", () =>
    Effect.gen(function* () {
      const { enter, drain, started, refused } = makeQueue()
      for (let n = 0; n < 6; n++) yield* enter(`crowd/${n}`)
      yield* enter("other")
      yield* enter("late")
      assert.deepStrictEqual(refused, ["crowd/5", "crowd/4"])
      yield* drain
      assert.deepStrictEqual(started, ["crowd/0", "crowd/1", "crowd/2", "other", "late", "crowd/3"])
    })
  )

  it.effect("refuses the newest where each key has one entry, but evicts untrusted ones for trusted ones", () =>
    Effect.gen(function* () {
      const { enter, refused } = makeQueue()
      for (let n = 0; n < 6; n++) yield* enter(`stranger ${n}`)
      yield* enter("late")
      assert.deepStrictEqual(refused, ["late"])
      for (let n = 0; n < 5; n++) yield* enter(`trusted ${n}`, true)
      assert.deepStrictEqual(refused.slice(1), ["stranger 5", "stranger 4", "stranger 3", "stranger 2", "trusted 4"])
    })
  )

  it.effect("serves the keys in turns, every second time a trusted one", () =>
    Effect.gen(function* () {
      const plain = makeQueue()
      for (const name of ["x", "y", "a/1", "a/2", "b/1", "c/1"]) yield* plain.enter(name)
      yield* plain.drain
      assert.deepStrictEqual(plain.started.slice(2), ["a/1", "b/1", "c/1", "a/2"])
      const mixed = makeQueue()
      for (const name of ["x", "y", "a", "b"]) yield* mixed.enter(name)
      for (const name of ["t", "u"]) yield* mixed.enter(name, true)
      yield* mixed.drain
      assert.deepStrictEqual(mixed.started.slice(2), ["t", "a", "u", "b"])
    })
  )

  it.effect("forgets entries that are interrupted, whether they wait or run", () =>
    Effect.gen(function* () {
      const { enter, started, refused } = makeQueue()
      for (let n = 0; n < 10; n++) {
        const entries = yield* Effect.forEach(["a", "b", "c", "d", "e", "f"], (name) => enter(`${name}${n}`))
        yield* Fiber.interruptAll(entries)
      }
      yield* enter("late")
      assert.deepStrictEqual([started.at(-1), refused], ["late", []])
    })
  )
})
