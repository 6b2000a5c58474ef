/** The gauges of several clients and queues in one process. */
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Metric, Redacted, Scope } from "effect"
import { layerClient } from "../src/index.ts"
import { makeBatchQueue } from "../src/batching/BatchQueue.ts"

const read = (name: string) =>
  Metric.snapshotUnsafe(Context.empty()).flatMap(({ id, attributes, state }) =>
    id === name && "value" in state ? [[attributes?.["cell"], state.value]] : []
  )

const client = (maxConnections: number) =>
  Layer.build(
    Layer.fresh(layerClient({ url: Redacted.make("postgresql://someone@192.0.2.1/nowhere") }, { maxConnections }))
  )

const queue = makeBatchQueue(
  { operation: "wait", run: () => Effect.never },
  { name: "summed", ready: Effect.void, largestBatch: 1, concurrency: 1, mostPending: 9 }
)

const ofCell = (cell: string) => Effect.provideService(Metric.CurrentMetricAttributes, { cell })

it.effect("each cell has connections of its own, and those without one are added", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Effect.all([client(3).pipe(ofCell("0")), client(5).pipe(ofCell("1")), client(4), client(7)]).pipe(
      Scope.provide(scope)
    )
    assert.sameDeepMembers(read("sojourn_database_connections_max"), [
      ["0", 3],
      ["1", 5],
      [undefined, 11]
    ])
    assert.strictEqual(read("sojourn_database_connections_wanted").length, 3)
    yield* Scope.close(scope, yield* Effect.exit(Effect.void))
    assert.deepStrictEqual(read("sojourn_database_connections_max"), [])
  })
)

it.effect("queues of one name are added, and one that closes leaves the others", () =>
  Effect.gen(function* () {
    const [first, second] = [yield* Scope.make(), yield* Scope.make()]
    for (const scope of [first, second]) {
      const { submit } = yield* Scope.provide(queue, scope)
      for (let n = 0; n < 3; n++) {
        yield* Effect.forkChild(submit(n, { fairnessKey: n }), { startImmediately: true })
      }
    }
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    const waiting = () => read("sojourn_store_waiting").at(-1)
    assert.deepStrictEqual(waiting(), [undefined, 4])
    yield* Scope.close(first, yield* Effect.exit(Effect.void))
    assert.deepStrictEqual(waiting(), [undefined, 2])
    yield* Scope.close(second, yield* Effect.exit(Effect.void))
  })
)
