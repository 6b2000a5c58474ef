/** Costs of operations as the history of closed stays grows: a PostgreSQL for each size, all measured in turns. */
import { join } from "node:path"
import { layerClient, layerStores, migrate, PartitionRows } from "@sojourn/adapter-postgres"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDirectory } from "../shared/Place.ts"
import { serverProcessorTime } from "../shared/Processes.ts"
import { digits, markdown, median, megabytes } from "../shared/statistics.ts"
import { makeCrowd } from "./Crowd.ts"
import { fill, forgetOld, type HistoryShape, retain, tableSizes } from "./History.ts"
import { type Operation, operationsOn } from "./operations.ts"
import { type PopulationSize, settle, settleOrganization } from "./Population.ts"

/** The parameters of a run. */
export interface Growth extends PopulationSize, HistoryShape {
  /** How many closed stays there are. */
  readonly sizes: ReadonlyArray<number>
  /** How many people are inside, all organizations together: half of them anonymous. */
  readonly inside: number
  /** How many are inside one further organization. */
  readonly crowded: number
  /** How many rounds are counted. */
  readonly rounds: number
  /** How often a round does each movement. */
  readonly times: number
  /** Settings of PostgreSQL other than those of the embedded one. */
  readonly settings: Readonly<Record<string, string>>
  /** Whether PostgreSQL waits for the disk. */
  readonly durability: "durable" | "fast"
}

/** The run that the project measures itself by. */
export const USUAL: Growth = {
  sizes: [100_000, 1_000_000, 5_000_000],
  organizations: 50,
  placesEach: 5,
  peopleEach: 1000,
  inside: 2000,
  crowded: 5000,
  rounds: 12,
  times: 1000,
  years: 3,
  partitionRows: 10_000_000,
  ownStays: Infinity,
  settings: {},
  durability: "durable"
}

/** The cost of one operation. */
export interface Cost {
  readonly operation: string
  readonly promise: Operation["promise"]
  /** Processor time of PostgreSQL, in microseconds; NaN where it is not known. */
  readonly postgres: number
  /** Processor time of this process, in microseconds. */
  readonly client: number
  /** Bytes of write-ahead log. */
  readonly wal: number
  /** The median in milliseconds. */
  readonly latency: number
  /** The rows of an answer, on average. */
  readonly rows: number
}

/** Stores as a server has them, in a PostgreSQL for the time of the scope, and a client whose statements may take long. */
export const layerOwn = ({
  durability,
  partitionRows = USUAL.partitionRows,
  settings = {}
}: Pick<Growth, "durability"> & Partial<Growth>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "postgres")
      const stores = Layer.unwrap(
        Effect.map(EmbeddedPostgres, ({ connection }) =>
          Layer.provide(layerStores, layerClient(connection)).pipe(
            Layer.provideMerge(Layer.effectDiscard(migrate)),
            Layer.provideMerge(layerClient(connection, { maxConnections: 1, statementTimeout: "1 hour" })),
            Layer.provide(Layer.succeed(PartitionRows, partitionRows))
          )
        )
      )
      return Layer.provide(stores, EmbeddedPostgres.layer({ directory, durability, settings }))
    })
  )

/** Creates organizations with a crowd inside and a history of closed stays, and the operations on them. */
const prepare = Effect.fnUntraced(function* (growth: Growth, size: number) {
  const population = yield* settle(growth)
  const [crowded] = yield* settleOrganization("crowded", "anonymous", { placesEach: 0, peopleEach: 0 })
  const crowd = yield* makeCrowd(population)
  const many = { concurrency: 64, discard: true } as const
  yield* Effect.replicateEffect(crowd.enter("anonymous"), growth.inside / 2, many)
  yield* Effect.replicateEffect(crowd.enter("authenticated"), growth.inside / 2, many)
  yield* Effect.replicateEffect(crowd.enter("anonymous", crowded), growth.crowded, many)
  // Nothing is forgotten before all is measured.
  for (const { organizationId } of [...population.anonymous, ...population.authenticated]) {
    yield* retain(organizationId, 36_525 * 86_400)
  }
  yield* fill(population, size, growth)
  const sql = yield* SqlClient.SqlClient
  const processor = yield* serverProcessorTime
  const usage = Effect.map(
    sql<{ readonly wal: number }>`select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal`,
    ([row]) => {
      const { user, system } = process.cpuUsage()
      return { postgres: processor(), client: user + system, wal: row!.wal }
    }
  )
  const operations = yield* operationsOn(population, crowded!, crowd, growth.times)
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof forgetOld>>>()
  const forget = Effect.provideContext(forgetOld(population), context)
  return { size, tables: yield* tableSizes, operations, usage, forget, costs: operations.map((): Array<Cost> => []) }
})

type Subject = Effect.Success<ReturnType<typeof prepare>>

/** How many operations are in flight at once. */
const CONCURRENCY = 16

/** Does an operation many times. */
const round = Effect.fnUntraced(function* ({ usage }: Subject, { name, once, promise, times }: Operation) {
  const latencies: Array<number> = []
  let rows = 0
  const timed = Effect.suspend(() => {
    const began = performance.now()
    return Effect.map(once, (answered) => {
      latencies.push(performance.now() - began)
      rows += answered
    })
  })
  const before = yield* usage
  yield* Effect.replicateEffect(timed, times, { concurrency: CONCURRENCY, discard: true })
  const after = yield* usage
  return {
    operation: name,
    promise,
    postgres: (after.postgres - before.postgres) / times,
    client: (after.client - before.client) / times,
    wal: (after.wal - before.wal) / times,
    latency: median(latencies),
    rows: rows / times
  } satisfies Cost
})

const medians = (rounds: ReadonlyArray<Cost>): Cost => {
  const of = (what: "postgres" | "client" | "wal" | "latency" | "rows") => median(rounds.map((one) => one[what]))
  const [first] = rounds
  return {
    operation: first!.operation,
    promise: first!.promise,
    postgres: of("postgres"),
    client: of("client"),
    wal: of("wal"),
    latency: of("latency"),
    rows: of("rows")
  }
}

/** Measures all sizes in rounds. A round that is not counted fills caches and prepares statements. `say` receives what is under way. */
export const grow = Effect.fnUntraced(function* (growth: Growth, say: (line: string) => void) {
  const subjects: Array<Subject> = []
  for (const size of growth.sizes) {
    say(`${size} closed stays: filling`)
    const context = yield* Layer.build(Layer.fresh(layerOwn(growth)))
    subjects.push(yield* Effect.provideContext(prepare(growth, size), context))
  }
  say("measuring")
  for (let nth = -1; nth < growth.rounds; nth++) {
    for (const at of subjects[0]!.operations.keys()) {
      for (const subject of subjects) {
        const cost = yield* round(subject, subject.operations[at]!)
        if (nth >= 0) subject.costs[at]!.push(cost)
      }
    }
  }
  say("forgetting")
  return yield* Effect.forEach(subjects, ({ size, tables, costs, forget }) =>
    Effect.map(forget, (forgotten) => ({ size, tables, costs: costs.map(medians), forgotten }))
  )
}, Effect.scoped)

/** The costs and tables at one size. */
export type Measured = Effect.Success<ReturnType<typeof grow>>[number]

/** How many times as much an operation may take PostgreSQL with the largest history as with the smallest. */
const BOUNDS = { flat: 1.2, drawn: 1.5, yardstick: Infinity, answer: Infinity }

const ratioOf = (before: Cost, after: Cost): number => after.postgres / before.postgres

/**
 * The operations whose cost for PostgreSQL grew beyond their bound from the first size to the last. Where the yardstick grew, the
 * machine was slower, and the bounds move with it.
 */
export const faultsOf = (measured: ReadonlyArray<Pick<Measured, "costs">>): ReadonlyArray<string> => {
  const [smallest, largest] = [measured[0]!.costs, measured.at(-1)!.costs]
  const ratios = largest.map((cost, at) => ({ ...cost, ratio: ratioOf(smallest[at]!, cost) || 1 }))
  const drift = Math.max(1, ...ratios.flatMap(({ promise, ratio }) => (promise === "yardstick" ? [ratio] : [])))
  return ratios.flatMap(({ operation, promise, ratio }) => {
    const allowed = BOUNDS[promise] * drift
    return ratio > allowed
      ? [`${operation}: PostgreSQL takes ${ratio.toFixed(2)} times as long, and ${allowed.toFixed(2)} is allowed`]
      : []
  })
}

/** The costs at each size, and the sizes of the tables, as Markdown. */
export const report = (measured: ReadonlyArray<Measured>): string => {
  const head = ["operation", "closed stays", "PostgreSQL us", "times", "Node us", "WAL bytes", "latency ms", "rows"]
  const costs = measured[0]!.costs.flatMap(({ operation }, at) =>
    measured.map(({ size, costs }) => {
      const cost = costs[at]!
      const times = ratioOf(measured[0]!.costs[at]!, cost)
      return [
        operation,
        size.toLocaleString("en"),
        digits(cost.postgres),
        digits(times, 2),
        digits(cost.client),
        digits(cost.wal),
        digits(cost.latency, 2),
        digits(cost.rows, 1)
      ]
    })
  )
  const tables = measured.flatMap(({ tables }) =>
    tables.map(({ name, rows, bytes, indexes, partitions }) => [
      name,
      String(partitions),
      rows.toLocaleString("en"),
      megabytes(bytes),
      megabytes(indexes),
      digits(bytes / rows)
    ])
  )
  const forgotten = measured.flatMap(({ size, forgotten: found }) =>
    found.accesses === 0
      ? []
      : [
          [size, found.accesses]
            .map((n) => n.toLocaleString("en"))
            .concat(digits(found.milliseconds), megabytes(found.bytes))
        ]
  )
  return [
    markdown([head, ...costs]),
    markdown([["closed stays", "forgotten at once", "ms", "MB given back"], ...forgotten]),
    markdown([["table", "partitions", "rows", "MB", "of it indexes", "bytes a row"], ...tables])
  ].join("\n\n")
}
