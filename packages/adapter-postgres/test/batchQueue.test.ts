import { assert, describe, it } from "@effect/vitest"
import { StoreError } from "@sojourn/core"
import {
  Arbitrary,
  Cause,
  Clock,
  Context,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  Logger,
  Metric,
  Schema
} from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { Overtaken } from "../src/database/Database.ts"
import type { Batched, Outcomes } from "../src/batching/Batched.ts"
import { type Lane, makeLane } from "../src/batching/BatchQueue.ts"

const broken = new SqlError.SqlError({ reason: new SqlError.ConstraintError({ cause: { code: "23514" } }) })
const away = new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: undefined }) })

type Run = (items: ReadonlyArray<number>) => Effect.Effect<Outcomes<number, never>, SqlError.SqlError>

const doubled: Run = (items) => Effect.succeed(items.map((n) => Exit.succeed(n * 2)))

/** A statement on numbers that answers their doubles, unless `run` says otherwise. It keeps what its batches held. */
const doubles = (run: Run = doubled) => {
  const batches: Array<ReadonlyArray<number>> = []
  const gates: Array<Deferred.Deferred<void>> = []
  const batched: Batched<number, number, never> = {
    operation: "double",
    run: Effect.fnUntraced(function* (items) {
      batches.push(items)
      const gate = gates.shift()
      if (gate !== undefined) yield* Deferred.await(gate)
      return yield* run(items)
    })
  }
  /** Keeps the next batch on its way until what this answers is run. */
  const hold = Effect.map(Deferred.make<void>(), (gate) => {
    gates.push(gate)
    return Deferred.succeed(gate, undefined)
  })
  return { batched, batches, hold }
}

const laneOf = (
  options: { largestBatch?: number; abreast?: number; abreastWhenSlow?: number; mostWaiting?: number } = {}
) => makeLane({ name: "test", ready: Effect.void, largestBatch: 256, abreast: 1, mostWaiting: 1_000, ...options })

/** What lets the event loop turn: a batch leaves at the end of it. */
const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Rides from now on, in a fiber. */
const ride = (lane: Lane, batched: Batched<number, number, never>, n: number, line: unknown = "mine", own?: string) =>
  Effect.forkChild(lane.ride(batched, n, { line, turn: own }), { startImmediately: true })

/** How the lane stands, as its gauges say; nothing where there are none. */
const standing = () =>
  Object.fromEntries(
    Metric.snapshotUnsafe(Context.empty()).flatMap(({ id, attributes, state }) =>
      attributes?.["lane"] === "test" && "value" in state ? [[id.replace("sojourn_store_", ""), state.value]] : []
    )
  )

/** As many batches as a lane remembers, one after the other, of a statement that takes 2 ms. */
const allTakeLong = Effect.fnUntraced(function* (lane: Lane, batched: Batched<number, number, never>) {
  for (let n = 0; n < 32; n++) {
    const rider = yield* ride(lane, batched, n)
    yield* turn
    yield* TestClock.adjust("2 millis")
    yield* Fiber.join(rider)
  }
})

describe("a lane", () => {
  it.effect("is asked for its gauges: who waits and what is on its way, until it closes", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const lane = yield* laneOf()
        const { batched, hold } = doubles()
        assert.deepStrictEqual(standing(), { waiting: 0, batches_in_flight: 0 })
        const release = yield* hold
        const first = yield* ride(lane, batched, 1)
        yield* turn
        const others = yield* Effect.forEach([2, 3, 4], (n) => ride(lane, batched, n))
        assert.deepStrictEqual(standing(), { waiting: 3, batches_in_flight: 1 })
        yield* release
        yield* Fiber.joinAll([first, ...others])
        assert.deepStrictEqual(standing(), { waiting: 0, batches_in_flight: 0 })
      }).pipe(Effect.scoped)
      assert.deepStrictEqual(standing(), {})
    })
  )

  it.effect("takes along whoever waits while a batch is on its way, unless batches are slow, and answers each", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf({ abreastWhenSlow: 3 })
      const { batched, batches, hold } = doubles()
      const release = yield* hold
      const first = yield* ride(lane, batched, 1)
      yield* turn
      const others = yield* Effect.forEach([2, 3, 4], (n) => ride(lane, batched, n))
      yield* turn
      assert.deepStrictEqual(batches, [[1]])
      yield* release
      assert.deepStrictEqual(yield* Fiber.joinAll([first, ...others]), [2, 4, 6, 8])
      assert.deepStrictEqual(batches, [[1], [2, 3, 4]])
    })
  )

  it.effect("lets nobody share when batches are of one", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf({ largestBatch: 1, abreast: Number.POSITIVE_INFINITY })
      const { batched, batches, hold } = doubles()
      const release = yield* hold
      const riders = yield* Effect.forEach([1, 2, 3], (n) => ride(lane, batched, n))
      yield* turn
      assert.deepStrictEqual(batches, [[1], [2], [3]])
      yield* release
      assert.deepStrictEqual(yield* Fiber.joinAll(riders), [2, 4, 6])
    })
  )

  it.effect("lets others leave beside slow batches, each once as many wait as those carry", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf({ abreastWhenSlow: 3 })
      const { batched, batches } = doubles((items) => Effect.delay(doubled(items), "2 millis"))
      yield* allTakeLong(lane, batched)
      batches.length = 0
      const riders: Array<Fiber.Fiber<number, StoreError>> = []
      const come = Effect.fnUntraced(function* (...numbers: ReadonlyArray<number>) {
        for (const n of numbers) riders.push(yield* ride(lane, batched, n))
        yield* turn
      })
      yield* come(1, 2)
      yield* come(3)
      assert.deepStrictEqual(batches, [[1, 2]])
      yield* come(4)
      yield* come(5)
      assert.deepStrictEqual(batches.slice(1), [[3, 4]])
      yield* come(6)
      yield* come(7, 8)
      assert.deepStrictEqual(batches.slice(2), [[5, 6]])
      yield* TestClock.adjust("2 millis")
      assert.deepStrictEqual(batches.slice(3), [[7, 8]])
      yield* TestClock.adjust("2 millis")
      assert.deepStrictEqual(yield* Fiber.joinAll(riders), [2, 4, 6, 8, 10, 12, 14, 16])
    })
  )

  it.effect("lets nobody leave beside batches that take long because there is much to do", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf({ abreastWhenSlow: 3 })
      const { batched, batches } = doubles((items) => Effect.delay(doubled(items), "2 millis"))
      const hard = { ...batched, work: (n: number, double: number) => (double === n * 2 ? 1.5 : 0) }
      yield* allTakeLong(lane, hard)
      batches.length = 0
      const riders: Array<Fiber.Fiber<number, StoreError>> = []
      for (const n of [1, 2, 3]) {
        riders.push(yield* ride(lane, hard, n))
        yield* turn
      }
      assert.deepStrictEqual(batches, [[1]])
      yield* TestClock.adjust("2 millis")
      assert.deepStrictEqual(batches, [[1], [2, 3]])
      yield* TestClock.adjust("2 millis")
      assert.deepStrictEqual(yield* Fiber.joinAll(riders), [2, 4, 6])
    })
  )

  it.effect.prop(
    "fails who breaks the statement, and nobody else",
    {
      items: Arbitrary.array(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))), {
        minLength: 20,
        maxLength: 60
      })
    },
    ({ items }) =>
      Effect.gen(function* () {
        const isBad = (n: number) => n % 7 === 3
        const { batched } = doubles((batch) => (batch.some(isBad) ? Effect.fail(broken) : doubled(batch)))
        const lane = yield* laneOf()
        const exits = yield* Effect.forEach(items, (n) => Effect.exit(lane.ride(batched, n, { line: "mine" })), {
          concurrency: "unbounded"
        })
        for (const [i, n] of items.entries()) {
          assert.strictEqual(Exit.isSuccess(exits[i]!), !isBad(n))
          if (Exit.isSuccess(exits[i]!)) assert.strictEqual(exits[i].value, n * 2)
        }
      }),
    { arbitrary: { runs: 100 } }
  )

  it.effect("answers who is done of a batch that was split, though a part behind them fails", () =>
    Effect.gen(function* () {
      const ran: Array<ReadonlyArray<number>> = []
      /** 4 breaks whatever holds it, and what holds 5, or 4 alone where that can be mended, meets a lost connection. */
      const run: Run = (items) => {
        ran.push(items)
        if (items.includes(4)) return Effect.fail(broken)
        return items.includes(5) ? Effect.fail(away) : doubled(items)
      }
      for (const mend of [undefined, () => Effect.fail(away)]) {
        ran.length = 0
        const { batched, hold } = doubles(run)
        const mended = mend === undefined ? batched : { ...batched, mend }
        const lane = yield* laneOf()
        const release = yield* hold
        yield* ride(lane, mended, 0)
        yield* turn
        const riders = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (n) => ride(lane, mended, n))
        yield* release
        const exits = yield* Effect.forEach(riders, Fiber.await)
        assert.deepStrictEqual(exits.slice(0, 3), [Exit.succeed(2), Exit.succeed(4), Exit.succeed(6)])
        assert.isTrue(exits.slice(3).every((exit) => Exit.isFailure(exit)))
        // Nobody knows what came of 5, and 6 is behind it.
        assert.deepStrictEqual(ran, [
          [0],
          [1, 2, 3, 4, 5, 6],
          [1, 2, 3],
          [4, 5, 6],
          [4],
          ...(mend === undefined ? [[5, 6]] : [])
        ])
      }
    })
  )

  it.effect("never runs a batch again whose outcome nobody knows", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf()
      const { batched, batches } = doubles(() => Effect.fail(away))
      const riders = yield* Effect.forEach([1, 2, 3], (n) => ride(lane, batched, n))
      for (const rider of riders) {
        const exit = yield* Effect.flip(Fiber.join(rider))
        assert.deepInclude({ ...exit }, { operation: "double" })
      }
      assert.deepStrictEqual(batches, [[1, 2, 3]])
    })
  )

  it.effect("runs who was overtaken with the next batch, before all others", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf()
      let isFirst = true
      const { batched, batches, hold } = doubles((items) => {
        const outcomes = items.map((n) => (isFirst && n === 2 ? Exit.fail(new Overtaken()) : Exit.succeed(n * 2)))
        isFirst = false
        return Effect.succeed(outcomes)
      })
      const release = yield* hold
      const riders = yield* Effect.forEach([1, 2], (n) => ride(lane, batched, n))
      yield* turn
      const later = yield* ride(lane, batched, 3)
      yield* release
      assert.deepStrictEqual(yield* Fiber.joinAll([...riders, later]), [2, 4, 6])
      assert.deepStrictEqual(batches, [
        [1, 2],
        [2, 3]
      ])
    })
  )

  it.effect("gives up who is overtaken for ever", () =>
    Effect.gen(function* () {
      const { batched, batches } = doubles((items) => Effect.succeed(items.map(() => Exit.fail(new Overtaken()))))
      const lane = yield* laneOf()
      const error = yield* Effect.flip(lane.ride(batched, 1, { line: "mine" }))
      assert.strictEqual(error._tag, "StoreError")
      assert.lengthOf(batches, 20)
    })
  )

  it.effect("keeps the order of those with one turn, one to a batch", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf()
      const { batched, batches } = doubles()
      const riders = yield* Effect.forEach([1, 2, 3], (n) => ride(lane, batched, n, "mine", "Ada"))
      const others = yield* Effect.forEach([4, 5], (n) => ride(lane, batched, n))
      assert.deepStrictEqual(yield* Fiber.joinAll([...riders, ...others]), [2, 4, 6, 8, 10])
      assert.deepStrictEqual(batches, [[1, 4, 5], [2], [3]])
    })
  )

  it.effect("gives every line its share when more wait than fit in", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf({ largestBatch: 4 })
      const { batched, batches, hold } = doubles()
      const release = yield* hold
      const first = yield* ride(lane, batched, 0)
      yield* turn
      const crowd = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (n) => ride(lane, batched, n, "crowded"))
      const few = yield* Effect.forEach([7, 8], (n) => ride(lane, batched, n, "quiet"))
      yield* release
      yield* Fiber.joinAll([first, ...crowd, ...few])
      assert.deepStrictEqual(batches, [[0], [1, 7, 2, 8], [3, 4, 5, 6]])
    })
  )

  it.effect("refuses who finds no place, and leaves half of the places to other lines", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf({ mostWaiting: 6 })
      const { batched, hold } = doubles()
      const release = yield* hold
      const first = yield* ride(lane, batched, 0)
      yield* turn
      const crowd = yield* Effect.forEach([1, 2, 3], (n) => ride(lane, batched, n, "crowded"))
      assert.strictEqual((yield* Effect.flip(lane.ride(batched, 4, { line: "crowded" })))._tag, "StoreError")
      const others = yield* Effect.forEach([5, 6, 7], (n) => ride(lane, batched, n, `line ${n}`))
      assert.strictEqual((yield* Effect.flip(lane.ride(batched, 8, { line: "late" })))._tag, "StoreError")
      yield* release
      assert.deepStrictEqual(yield* Fiber.joinAll([first, ...crowd, ...others]), [0, 2, 4, 6, 10, 12, 14])
    })
  )

  it.effect("leaves out who went away while waiting, and does what is on its way all the same", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf()
      const { batched, batches, hold } = doubles()
      const release = yield* hold
      const gone = yield* ride(lane, batched, 1)
      const stays = yield* ride(lane, batched, 2)
      yield* turn
      const waiting = yield* ride(lane, batched, 3)
      const last = yield* ride(lane, batched, 4)
      yield* Fiber.interruptAll([gone, waiting])
      yield* release
      assert.deepStrictEqual(yield* Fiber.joinAll([stays, last]), [4, 8])
      assert.deepStrictEqual(batches, [[1, 2], [4]])
    })
  )

  it.effect("goes on beside a batch that takes long, and gives it up in the end", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf()
      const { batched, batches, hold } = doubles()
      yield* hold
      const stuck = yield* ride(lane, batched, 1)
      yield* turn
      const next = yield* ride(lane, batched, 2)
      yield* turn
      assert.deepStrictEqual(batches, [[1]])
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(yield* Fiber.join(next), 4)
      yield* TestClock.adjust("14 seconds")
      assert.isUndefined(stuck.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Effect.flip(Fiber.join(stuck)))._tag, "StoreError")
    })
  )

  it.effect("gives up what takes long by the clock, however seldom it comes to look", () =>
    Effect.gen(function* () {
      // As on a machine that has too much to do: whoever sleeps wakes long after.
      let now = 0n
      const clock: Clock.Clock = {
        ...(yield* Clock.Clock),
        monotonicTimeNanosUnsafe: () => now,
        sleep: (duration) =>
          Effect.andThen(
            turn,
            Effect.sync(() => void (now += Duration.toNanosUnsafe(duration) * 20n))
          )
      }
      const lane = yield* Effect.provideService(laneOf(), Clock.Clock, clock)
      const { batched, hold } = doubles()
      yield* hold
      const stuck = yield* ride(lane, batched, 1, "mine", "Ada")
      const behind = yield* ride(lane, batched, 2, "mine", "Ada")
      // Theirs is the next turn: it comes when the one before is given up.
      assert.strictEqual(yield* Fiber.join(behind), 4)
      assert.isAtMost(Number(now / 1_000_000n), 20_000)
      assert.strictEqual((yield* Effect.flip(Fiber.join(stuck)))._tag, "StoreError")
    })
  )

  it.effect("answers all of a batch, whatever somebody does with the answer, and tells of it", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const logger = Logger.make(({ cause, message }) => said.push(`${String(message)} ${Cause.pretty(cause)}`))
      const lane = yield* Effect.provide(laneOf(), Logger.layer([logger]))
      const { batched } = doubles()
      const rude = yield* ride(lane, batched, 1)
      rude.addObserver(() => {
        throw new Error("it fell")
      })
      const others = yield* Effect.forEach([2, 3], (n) => ride(lane, batched, n))
      assert.deepStrictEqual(yield* Fiber.joinAll(others), [4, 6])
      assert.lengthOf(said, 1)
      assert.match(said[0]!, /^double: the answer was not taken .*it fell/)
    })
  )

  it.effect("keeps to the order of a turn also behind a batch that takes long", () =>
    Effect.gen(function* () {
      const lane = yield* laneOf()
      const { batched, batches, hold } = doubles()
      const release = yield* hold
      const early = yield* ride(lane, batched, 1, "mine", "Ada")
      yield* turn
      const late = yield* ride(lane, batched, 2, "mine", "Ada")
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(batches, [[1]])
      yield* release
      assert.deepStrictEqual(yield* Fiber.joinAll([early, late]), [2, 4])
      assert.deepStrictEqual(batches, [[1], [2]])
    })
  )

  it.effect("refuses any number at once while the stores are not ready", () =>
    Effect.gen(function* () {
      const away = new StoreError({ operation: "use the database", cause: "it was not there yet" })
      const lane = yield* makeLane({
        name: "test",
        ready: Effect.fail(away),
        largestBatch: 1,
        abreast: 1,
        mostWaiting: 10_000
      })
      const { batched, batches } = doubles()
      const exits = yield* Effect.forEach(
        Array.from({ length: 5_000 }, (_, n) => n),
        (n) => Effect.exit(lane.ride(batched, n, { line: n })),
        { concurrency: "unbounded" }
      )
      assert.isTrue(exits.every((exit) => Exit.isFailure(exit)))
      assert.lengthOf(batches, 0)
    })
  )

  it.effect("refuses everybody when it closes", () =>
    Effect.gen(function* () {
      const { batched, hold } = doubles()
      yield* hold
      const riders = yield* Effect.scoped(
        Effect.gen(function* () {
          const lane = yield* laneOf()
          const flying = yield* ride(lane, batched, 1)
          yield* turn
          return [flying, yield* ride(lane, batched, 2)]
        })
      )
      for (const rider of riders) assert.strictEqual((yield* Effect.flip(Fiber.join(rider)))._tag, "StoreError")
    })
  )
})
