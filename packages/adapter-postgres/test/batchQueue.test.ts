/** When items become a batch, whose items come first, and what a failing or slow statement does to the others. */
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
  Schema,
  type Scope
} from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { WriteConflict } from "../src/database/Database.ts"
import type { BulkStatement, Outcomes } from "../src/database/BulkStatement.ts"
import { type BatchQueue, type BatchQueueOptions, makeBatchQueue } from "../src/batching/BatchQueue.ts"

const broken = new SqlError.SqlError({ reason: new SqlError.ConstraintError({ cause: { code: "23514" } }) })
const away = new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: undefined }) })

type Run = (items: ReadonlyArray<number>) => Effect.Effect<Outcomes<number, never>, SqlError.SqlError>

const doubled: Run = (items) => Effect.succeed(items.map((n) => Exit.succeed(n * 2)))

/** A statement on numbers that answers their doubles, unless `run` says otherwise. It records the items of its batches. */
const doubles = (run: Run = doubled) => {
  const batches: Array<ReadonlyArray<number>> = []
  const gates: Array<Deferred.Deferred<void>> = []
  const batched: BulkStatement<number, number, never> = {
    operation: "double",
    run: Effect.fnUntraced(function* (items) {
      batches.push(items)
      const gate = gates.shift()
      if (gate !== undefined) yield* Deferred.await(gate)
      return yield* run(items)
    })
  }
  /** Keeps the next batch in flight until the returned effect runs. */
  const hold = Effect.map(Deferred.make<void>(), (gate) => {
    gates.push(gate)
    return Deferred.succeed(gate, undefined)
  })
  return { batched, batches, hold }
}

const queueOf = (
  statement: BulkStatement<number, number, never>,
  options: Partial<BatchQueueOptions<number, number>> = {}
) =>
  makeBatchQueue(statement, {
    name: "test",
    ready: Effect.void,
    largestBatch: 256,
    concurrency: 1,
    mostPending: 1_000,
    ...options
  })

type Queue = BatchQueue<number, number, never>

/** Waits for the next turn of the event loop: batches are dispatched before. */
const nextTick = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Submits a number at once, in a fiber. */
const submit = (queue: Queue, n: number, fairnessKey: unknown = "mine", orderingKey?: string) =>
  Effect.forkChild(queue.submit(n, { fairnessKey, orderingKey }), { startImmediately: true })

/** The values of the gauges of the queue; empty where there are none. */
const gauges = () =>
  Object.fromEntries(
    Metric.snapshotUnsafe(Context.empty()).flatMap(({ id, attributes, state }) =>
      attributes?.["lane"] === "test" && "value" in state ? [[id.replace("sojourn_store_", ""), state.value]] : []
    )
  )

/** Runs as many batches as the latency window covers, one after the other, of a statement that takes 2 ms. */
const allTakeLong = Effect.fnUntraced(function* (queue: Queue) {
  for (let n = 0; n < 32; n++) {
    const submitted = yield* submit(queue, n)
    yield* nextTick
    yield* TestClock.adjust("2 millis")
    yield* Fiber.join(submitted)
  }
})

/** Registers a test with a test clock. */
const test = (name: string, body: () => Generator<Effect.Effect<any, any, Scope.Scope>, void>) =>
  it.effect(name, () => Effect.gen(body))

describe("a batch queue", () => {
  test("has gauges of the pending items and the batches in flight, until it closes", function* () {
    yield* Effect.gen(function* () {
      const { batched, hold } = doubles()
      const queue = yield* queueOf(batched)
      assert.deepStrictEqual(gauges(), { waiting: 0, batches_in_flight: 0 })
      const release = yield* hold
      const first = yield* submit(queue, 1)
      yield* nextTick
      const others = yield* Effect.forEach([2, 3, 4], (n) => submit(queue, n))
      assert.deepStrictEqual(gauges(), { waiting: 3, batches_in_flight: 1 })
      yield* release
      yield* Fiber.joinAll([first, ...others])
      assert.deepStrictEqual(gauges(), { waiting: 0, batches_in_flight: 0 })
    }).pipe(Effect.scoped)
    assert.deepStrictEqual(gauges(), {})
  })

  test("batches the items submitted while a batch is in flight, unless batches are slow", function* () {
    const { batched, batches, hold } = doubles()
    const queue = yield* queueOf(batched, { concurrencyWhenSlow: 3 })
    const release = yield* hold
    const first = yield* submit(queue, 1)
    yield* nextTick
    const others = yield* Effect.forEach([2, 3, 4], (n) => submit(queue, n))
    yield* nextTick
    assert.deepStrictEqual(batches, [[1]])
    yield* release
    assert.deepStrictEqual(yield* Fiber.joinAll([first, ...others]), [2, 4, 6, 8])
    assert.deepStrictEqual(batches, [[1], [2, 3, 4]])
  })

  test("dispatches a full batch beside others, since it would not become larger", function* () {
    const { batched, batches } = doubles((items) => Effect.delay(doubled(items), "2 millis"))
    const queue = yield* queueOf(batched, { largestBatch: 2, concurrencyWhenSlow: 3 })
    const fibers = yield* Effect.forEach([1, 2, 3, 4, 5], (n) => submit(queue, n))
    yield* nextTick
    assert.deepStrictEqual(batches, [
      [1, 2],
      [3, 4]
    ])
    const others = yield* Effect.forEach([6, 7, 8], (n) => submit(queue, n))
    yield* nextTick
    // A third one runs beside them, and no more.
    assert.deepStrictEqual(batches.slice(2), [[5, 6]])
    yield* TestClock.adjust("2 millis")
    assert.deepStrictEqual(batches.slice(3), [[7, 8]])
    yield* TestClock.adjust("2 millis")
    assert.deepStrictEqual(yield* Fiber.joinAll([...fibers, ...others]), [2, 4, 6, 8, 10, 12, 14, 16])
  })

  test("runs each item by itself when batches are of one", function* () {
    const { batched, batches, hold } = doubles()
    const queue = yield* queueOf(batched, { largestBatch: 1, concurrency: Number.POSITIVE_INFINITY })
    const release = yield* hold
    const fibers = yield* Effect.forEach([1, 2, 3], (n) => submit(queue, n))
    yield* nextTick
    assert.deepStrictEqual(batches, [[1], [2], [3]])
    yield* release
    assert.deepStrictEqual(yield* Fiber.joinAll(fibers), [2, 4, 6])
  })

  test("dispatches batches beside slow ones, each once as many items wait as those carry", function* () {
    const { batched, batches } = doubles((items) => Effect.delay(doubled(items), "2 millis"))
    const queue = yield* queueOf(batched, { concurrencyWhenSlow: 3 })
    yield* allTakeLong(queue)
    batches.length = 0
    const fibers: Array<Fiber.Fiber<number, StoreError>> = []
    const come = Effect.fnUntraced(function* (...numbers: ReadonlyArray<number>) {
      for (const n of numbers) fibers.push(yield* submit(queue, n))
      yield* nextTick
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
    assert.deepStrictEqual(yield* Fiber.joinAll(fibers), [2, 4, 6, 8, 10, 12, 14, 16])
  })

  test("dispatches no batch beside those that take long because of their work", function* () {
    const { batched, batches } = doubles((items) => Effect.delay(doubled(items), "2 millis"))
    const work = (n: number, double: number) => (double === n * 2 ? 1.5 : 0)
    const queue = yield* queueOf(batched, { concurrencyWhenSlow: 3, work })
    yield* allTakeLong(queue)
    batches.length = 0
    const fibers: Array<Fiber.Fiber<number, StoreError>> = []
    for (const n of [1, 2, 3]) {
      fibers.push(yield* submit(queue, n))
      yield* nextTick
    }
    assert.deepStrictEqual(batches, [[1]])
    yield* TestClock.adjust("2 millis")
    assert.deepStrictEqual(batches, [[1], [2, 3]])
    yield* TestClock.adjust("2 millis")
    assert.deepStrictEqual(yield* Fiber.joinAll(fibers), [2, 4, 6])
  })

  it.effect.prop(
    "fails the items that break the statement, and no others",
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
        const queue = yield* queueOf(batched)
        const exits = yield* Effect.forEach(items, (n) => Effect.exit(queue.submit(n, { fairnessKey: "mine" })), {
          concurrency: "unbounded"
        })
        for (const [i, n] of items.entries()) {
          assert.strictEqual(Exit.isSuccess(exits[i]!), !isBad(n))
          if (Exit.isSuccess(exits[i]!)) assert.strictEqual(exits[i].value, n * 2)
        }
      }),
    { arbitrary: { runs: 100 } }
  )

  test("answers the parts of a split batch that were done before a part that fails", function* () {
    const ran: Array<ReadonlyArray<number>> = []
    /** 4 breaks its statement. A statement with 5, and the recovery of 4, meet a lost connection. */
    const run: Run = (items) => {
      ran.push(items)
      if (items.includes(4)) return Effect.fail(broken)
      return items.includes(5) ? Effect.fail(away) : doubled(items)
    }
    for (const recover of [undefined, () => Effect.fail(away)]) {
      ran.length = 0
      const { batched, hold } = doubles(run)
      const queue = yield* queueOf(recover === undefined ? batched : { ...batched, recover })
      const release = yield* hold
      yield* submit(queue, 0)
      yield* nextTick
      const fibers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (n) => submit(queue, n))
      yield* release
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(exits.slice(0, 3), [Exit.succeed(2), Exit.succeed(4), Exit.succeed(6)])
      assert.isTrue(exits.slice(3).every((exit) => Exit.isFailure(exit)))
      // The outcome of 5 is unknown, and 6 is after it.
      assert.deepStrictEqual(ran, [
        [0],
        [1, 2, 3, 4, 5, 6],
        [1, 2, 3],
        [4, 5, 6],
        [4],
        ...(recover === undefined ? [[5, 6]] : [])
      ])
    }
  })

  test("never runs a batch again whose outcome is unknown", function* () {
    const { batched, batches } = doubles(() => Effect.fail(away))
    const queue = yield* queueOf(batched)
    const fibers = yield* Effect.forEach([1, 2, 3], (n) => submit(queue, n))
    for (const submitted of fibers) {
      const exit = yield* Effect.flip(Fiber.join(submitted))
      assert.deepInclude({ ...exit }, { operation: "double" })
    }
    assert.deepStrictEqual(batches, [[1, 2, 3]])
  })

  test("runs an item with a write conflict again with the next batch, before all others", function* () {
    let isFirst = true
    const { batched, batches, hold } = doubles((items) => {
      const outcomes = items.map((n) => (isFirst && n === 2 ? Exit.fail(new WriteConflict()) : Exit.succeed(n * 2)))
      isFirst = false
      return Effect.succeed(outcomes)
    })
    const queue = yield* queueOf(batched)
    const release = yield* hold
    const fibers = yield* Effect.forEach([1, 2], (n) => submit(queue, n))
    yield* nextTick
    const later = yield* submit(queue, 3)
    yield* release
    assert.deepStrictEqual(yield* Fiber.joinAll([...fibers, later]), [2, 4, 6])
    assert.deepStrictEqual(batches, [
      [1, 2],
      [2, 3]
    ])
  })

  test("gives up an item after 20 write conflicts", function* () {
    const { batched, batches } = doubles((items) => Effect.succeed(items.map(() => Exit.fail(new WriteConflict()))))
    const queue = yield* queueOf(batched)
    const error = yield* Effect.flip(queue.submit(1, { fairnessKey: "mine" }))
    assert.strictEqual(error._tag, "StoreError")
    assert.lengthOf(batches, 20)
  })

  test("keeps the order of items with one ordering key, one to a batch", function* () {
    const { batched, batches } = doubles()
    const queue = yield* queueOf(batched)
    const fibers = yield* Effect.forEach([1, 2, 3], (n) => submit(queue, n, "mine", "Ada"))
    const others = yield* Effect.forEach([4, 5], (n) => submit(queue, n))
    assert.deepStrictEqual(yield* Fiber.joinAll([...fibers, ...others]), [2, 4, 6, 8, 10])
    assert.deepStrictEqual(batches, [[1, 4, 5], [2], [3]])
  })

  test("gives every fairness key its share when more items wait than fit into a batch", function* () {
    const { batched, batches, hold } = doubles()
    const queue = yield* queueOf(batched, { largestBatch: 4 })
    const release = yield* hold
    const first = yield* submit(queue, 0)
    yield* nextTick
    const crowd = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (n) => submit(queue, n, "crowded"))
    const few = yield* Effect.forEach([7, 8], (n) => submit(queue, n, "quiet"))
    yield* release
    yield* Fiber.joinAll([first, ...crowd, ...few])
    assert.deepStrictEqual(batches, [[0], [1, 7, 2, 8], [3, 4, 5, 6]])
  })

  test("rejects items when it is full, and leaves half of its capacity to other fairness keys", function* () {
    const { batched, hold } = doubles()
    const queue = yield* queueOf(batched, { mostPending: 6 })
    const release = yield* hold
    const first = yield* submit(queue, 0)
    yield* nextTick
    const crowd = yield* Effect.forEach([1, 2, 3], (n) => submit(queue, n, "crowded"))
    assert.strictEqual((yield* Effect.flip(queue.submit(4, { fairnessKey: "crowded" })))._tag, "StoreError")
    const others = yield* Effect.forEach([5, 6, 7], (n) => submit(queue, n, `key ${n}`))
    assert.strictEqual((yield* Effect.flip(queue.submit(8, { fairnessKey: "late" })))._tag, "StoreError")
    yield* release
    assert.deepStrictEqual(yield* Fiber.joinAll([first, ...crowd, ...others]), [0, 2, 4, 6, 10, 12, 14])
  })

  test("drops pending items of interrupted callers, and completes those in flight", function* () {
    const { batched, batches, hold } = doubles()
    const queue = yield* queueOf(batched)
    const release = yield* hold
    const gone = yield* submit(queue, 1)
    const stays = yield* submit(queue, 2)
    yield* nextTick
    const waiting = yield* submit(queue, 3)
    const last = yield* submit(queue, 4)
    yield* Fiber.interruptAll([gone, waiting])
    yield* release
    assert.deepStrictEqual(yield* Fiber.joinAll([stays, last]), [4, 8])
    assert.deepStrictEqual(batches, [[1, 2], [4]])
  })

  test("dispatches batches beside a late one, and gives that up in the end", function* () {
    const { batched, batches, hold } = doubles()
    const queue = yield* queueOf(batched)
    yield* hold
    const stuck = yield* submit(queue, 1)
    yield* nextTick
    const next = yield* submit(queue, 2)
    yield* nextTick
    assert.deepStrictEqual(batches, [[1]])
    yield* TestClock.adjust("500 millis")
    assert.strictEqual(yield* Fiber.join(next), 4)
    yield* TestClock.adjust("14 seconds")
    assert.isUndefined(stuck.pollUnsafe())
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Effect.flip(Fiber.join(stuck)))._tag, "StoreError")
  })

  test("gives up late batches by the clock, however seldom it checks", function* () {
    // As on an overloaded machine: sleepers wake much later.
    let now = 0n
    const clock: Clock.Clock = {
      ...(yield* Clock.Clock),
      monotonicTimeNanosUnsafe: () => now,
      sleep: (duration) =>
        Effect.andThen(
          nextTick,
          Effect.sync(() => void (now += Duration.toNanosUnsafe(duration) * 20n))
        )
    }
    const { batched, hold } = doubles()
    const queue = yield* Effect.provideService(queueOf(batched), Clock.Clock, clock)
    yield* hold
    const stuck = yield* submit(queue, 1, "mine", "Ada")
    const behind = yield* submit(queue, 2, "mine", "Ada")
    // It has the ordering key of the stuck item, and runs when that is abandoned.
    assert.strictEqual(yield* Fiber.join(behind), 4)
    assert.isAtMost(Number(now / 1_000_000n), 20_000)
    assert.strictEqual((yield* Effect.flip(Fiber.join(stuck)))._tag, "StoreError")
  })

  test("answers all of a batch though a caller throws on its answer, and logs that", function* () {
    const said: Array<string> = []
    const logger = Logger.make(({ cause, message }) => said.push(`${String(message)} ${Cause.pretty(cause)}`))
    const { batched } = doubles()
    const queue = yield* Effect.provide(queueOf(batched), Logger.layer([logger]))
    const throwing = yield* submit(queue, 1)
    throwing.addObserver(() => {
      throw new Error("it fell")
    })
    const others = yield* Effect.forEach([2, 3], (n) => submit(queue, n))
    assert.deepStrictEqual(yield* Fiber.joinAll(others), [4, 6])
    assert.lengthOf(said, 1)
    assert.match(said[0]!, /^double: the answer was not taken .*it fell/)
  })

  test("keeps the order of an ordering key also behind a late batch", function* () {
    const { batched, batches, hold } = doubles()
    const queue = yield* queueOf(batched)
    const release = yield* hold
    const early = yield* submit(queue, 1, "mine", "Ada")
    yield* nextTick
    const late = yield* submit(queue, 2, "mine", "Ada")
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(batches, [[1]])
    yield* release
    assert.deepStrictEqual(yield* Fiber.joinAll([early, late]), [2, 4])
    assert.deepStrictEqual(batches, [[1], [2]])
  })

  test("fails any number of items at once while the stores are not ready", function* () {
    const away = new StoreError({ operation: "use the database", cause: "it was not there yet" })
    const { batched, batches } = doubles()
    const queue = yield* queueOf(batched, { ready: Effect.fail(away), largestBatch: 1, mostPending: 10_000 })
    const exits = yield* Effect.forEach(
      Array.from({ length: 2_500 }, (_, n) => n),
      (n) => Effect.exit(queue.submit(n, { fairnessKey: n })),
      { concurrency: "unbounded" }
    )
    assert.isTrue(exits.every((exit) => Exit.isFailure(exit)))
    assert.lengthOf(batches, 0)
  })

  test("fails all items when it closes", function* () {
    const { batched, hold } = doubles()
    yield* hold
    const fibers = yield* Effect.scoped(
      Effect.gen(function* () {
        const queue = yield* queueOf(batched)
        const inFlight = yield* submit(queue, 1)
        yield* nextTick
        return [inFlight, yield* submit(queue, 2)]
      })
    )
    for (const submitted of fibers) assert.strictEqual((yield* Effect.flip(Fiber.join(submitted)))._tag, "StoreError")
  })
})
