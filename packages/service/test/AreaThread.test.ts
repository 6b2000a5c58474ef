/** The thread that checks areas: it leaves the event loop free, is bounded in time, and is started again when it ended. */
import { type AreaCheck, AreaComparer, type StoreError } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { once } from "node:events"
import type { Worker } from "node:worker_threads"
import { layerAreaThread } from "../src/areas/AreaThread.ts"
import { startThread } from "../src/areas/thread.ts"
import { saw } from "../../server/test/abuse/saws.ts"

const LIMIT = Duration.minutes(5)
const rectangle = (west: number, south: number, east: number, north: number) =>
  JSON.stringify({
    type: "Polygon",
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south]
      ]
    ]
  })
const SQUARE = rectangle(11, 45, 12, 46)

/** Whether areas are apart from a stored one. */
const apart = (area: string, others: ReadonlyArray<string>): AreaCheck => ({
  area: undefined,
  stored: [area, ...others],
  relations: others.map((_, index) => ({ relation: "apart", subject: 0, other: index + 1 }))
})

/** Every pair of edges of these areas has to be compared. */
const sawsOf = (count: number) =>
  apart(
    saw(0),
    Array.from({ length: count }, (_, index) => saw(index + 1))
  )

/** The checks of a thread, and the threads that were started. */
const withThread = <A, E>(use: (threads: Array<Worker>) => Effect.Effect<A, E>) => {
  const threads: Array<Worker> = []
  const start = () => {
    const thread = startThread()
    threads.push(thread)
    return thread
  }
  return Effect.provide(use(threads), Layer.fresh(layerAreaThread(start)))
}

const check = (areas: AreaCheck, limit = LIMIT) =>
  Effect.flatMap(AreaComparer, ({ firstFault }) => firstFault(areas, limit))
const validate = (area: string) => check({ area, stored: [], relations: [] })
const compare = (count: number, limit: Duration.Duration = LIMIT) => check(sawsOf(count), limit)

describe("the thread that checks areas", () => {
  it.live("answers as the checks on the calling thread do", () =>
    withThread(() =>
      Effect.gen(function* () {
        assert.strictEqual((yield* validate(SQUARE))[1], undefined)
        const fault = { _tag: "UnknownShape", path: [], expected: "area" } as const
        assert.deepStrictEqual((yield* validate("[1]"))[1], { _tag: "Malformed", fault })
        const [far, near] = [rectangle(20, 45, 21, 46), rectangle(11.5, 45, 13, 46)]
        const comparison = apart(SQUARE, [far, near])
        const [, conflict] = yield* check(comparison)
        assert.deepInclude(conflict, { _tag: "Conflict", index: 1 })
        const [, here] = yield* Effect.flatMap(AreaComparer, ({ firstFault }) => firstFault(comparison, LIMIT)).pipe(
          Effect.provideService(AreaComparer, AreaComparer.defaultValue())
        )
        assert.deepStrictEqual(conflict, here)
        assert.strictEqual((yield* check(apart(SQUARE, [far])))[1], undefined)
      })
    )
  )

  it.live("leaves the event loop free during one check", () =>
    withThread(() =>
      Effect.gen(function* () {
        yield* validate(SQUARE)
        const checking = yield* Effect.forkChild(compare(30))
        let turns = 0
        // A check on this thread would take one turn.
        while (checking.pollUnsafe() === undefined) {
          yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
          turns++
        }
        assert.strictEqual((yield* Fiber.join(checking))[1], undefined)
        assert.isAbove(turns, 20)
      })
    )
  )

  it.live("answers a short check while a long one runs", () =>
    withThread(() =>
      Effect.gen(function* () {
        const long = yield* Effect.forkChild(compare(60))
        yield* validate(SQUARE)
        assert.isUndefined(long.pollUnsafe())
        assert.strictEqual((yield* Fiber.join(long))[1], undefined)
      })
    )
  )

  it.live("ends a check that exceeds its limit of computing time, and accepts further checks", () =>
    withThread((threads) =>
      Effect.gen(function* () {
        const late = yield* Effect.flip(compare(150, Duration.millis(1)))
        assert.strictEqual(late._tag, "TimeoutError")
        assert.strictEqual((yield* validate(SQUARE))[1], undefined)
        assert.strictEqual(threads.length, 1)
      })
    )
  )

  it.live("fails a check whose thread terminates, and accepts further checks", () =>
    withThread((threads) =>
      Effect.gen(function* () {
        const failure = (yield* Effect.flip(check(apart("no area", [SQUARE])))) as StoreError
        assert.deepStrictEqual([failure._tag, failure.isOverload], ["StoreError", undefined])
        const checking = yield* Effect.forkChild(Effect.flip(compare(150)))
        yield* Effect.promise(async () => {
          while (threads.length < 2) await new Promise((resolve) => setImmediate(resolve))
          await threads[1]!.terminate()
        })
        assert.strictEqual((yield* Fiber.join(checking))._tag, "StoreError")
        assert.strictEqual((yield* validate(SQUARE))[1], undefined)
        assert.strictEqual(threads.length, 3)
      })
    )
  )

  it.live("completes a check whose caller was interrupted", () =>
    withThread((threads) =>
      Effect.gen(function* () {
        const isGone = yield* Deferred.make<void>()
        const checking = yield* Effect.forkChild(
          Effect.onInterrupt(compare(5), () => Deferred.succeed(isGone, undefined))
        )
        yield* Effect.promise(async () => {
          while (threads.length === 0) await new Promise((resolve) => setImmediate(resolve))
        })
        const interrupting = yield* Effect.forkChild(Fiber.interrupt(checking))
        assert.strictEqual((yield* validate(SQUARE))[1], undefined)
        yield* Deferred.await(isGone)
        yield* Fiber.join(interrupting)
        assert.strictEqual(threads.length, 1)
      })
    )
  )

  it.live("is started by the first check, and ends with the scope", () =>
    Effect.gen(function* () {
      const [unused, used] = [
        yield* withThread(Effect.succeed),
        yield* withThread((threads) => Effect.as(validate(SQUARE), threads))
      ]
      assert.deepStrictEqual([unused.length, used.length], [0, 1])
      // A thread that has ended has no id any more.
      if (used[0]!.threadId !== -1) yield* Effect.promise(() => once(used[0]!, "exit"))
    })
  )
})
