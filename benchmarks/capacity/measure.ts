/** Measures what the plan reads and no other benchmark prints: bytes of WAL and of rows, and what publishing costs. */
import { PresenceFeed, Timestamp, type TrackingMode } from "@sojourn/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeCrowd } from "../growth/Crowd.ts"
import { layerOwn } from "../growth/grow.ts"
import { fill } from "../growth/History.ts"
import { settle } from "../growth/Population.ts"
import { serverProcessorTime } from "../shared/Processes.ts"
import { digits, markdown, median } from "../shared/statistics.ts"

/** The parameters of a measurement. */
export interface Measuring {
  /** How many closed stays there are before. */
  readonly history: number
  readonly organizations: number
  /** How many people the authenticated organizations know, all together. */
  readonly people: number
  /** How many people are inside before each batch: half of them anonymous. */
  readonly inside: number
  /** How many movements each size of a batch is measured with, and how often events are published. */
  readonly movements: number
  readonly publications: number
  readonly durability: "durable" | "fast"
}

/** What is measured unless the command line says otherwise. */
export const USUAL: Measuring = {
  history: 100_000,
  organizations: 400,
  people: 8_000,
  inside: 10_000,
  movements: 10_240,
  publications: 8,
  durability: "durable"
}

const PLACES_EACH = 4

const SIZES = [1, 16, 64, 256]

/** Processor time of PostgreSQL and of this process, in microseconds, and bytes of WAL. */
interface Usage {
  readonly postgres: number
  readonly node: number
  readonly wal: number
}

/** What was used between two readings for each of `count`. */
const usedFor = (before: Usage, after: Usage, count: number): Usage => ({
  postgres: (after.postgres - before.postgres) / count,
  node: (after.node - before.node) / count,
  wal: (after.wal - before.wal) / count
})

/** Measures on a PostgreSQL of its own. `say` receives what is under way. */
export const measure = Effect.fnUntraced(function* (measuring: Measuring, say: (line: string) => void) {
  const { durability, history, inside, movements, organizations, people, publications } = measuring
  return yield* Effect.gen(function* () {
    say("filling")
    const population = yield* settle({
      organizations,
      placesEach: PLACES_EACH,
      peopleEach: Math.ceil((2 * people) / organizations)
    })
    const crowd = yield* makeCrowd(population)
    yield* fill(population, history, { years: 1, partitionRows: Infinity, ownStays: Infinity })
    const sql = yield* SqlClient.SqlClient
    const processor = yield* serverProcessorTime
    const usage = Effect.map(
      sql<{ readonly wal: number }>`select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal`,
      ([row]): Usage => {
        const { user, system } = process.cpuUsage()
        return { postgres: processor(), node: user + system, ...row! }
      }
    )
    const sizeOf = (table: string) =>
      Effect.map(
        sql.unsafe<{ readonly bytes: number; readonly rows: number }>(
          `select pg_total_relation_size('${table}')::float8 + coalesce((
              select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = '${table}'::regclass
            ), 0) as bytes, count(*)::float8 as rows
          from ${table}`
        ),
        ([row]) => row!
      )
    const rowBytes: Array<{ readonly table: string; readonly mode: TrackingMode | "both"; readonly bytes: number }> = []
    for (const mode of ["anonymous", "authenticated"] as const) {
      const before = yield* sizeOf("open_stay")
      yield* Effect.replicateEffect(crowd.enter(mode), inside / 2, { concurrency: 256, discard: true })
      const after = yield* sizeOf("open_stay")
      rowBytes.push({ table: "open_stay", mode, bytes: (after.bytes - before.bytes) / (after.rows - before.rows) })
    }
    const batches: Array<Usage & { readonly mode: TrackingMode; readonly size: number; readonly isFirst: boolean }> = []
    /** Movements in batches: as many exits as entrances. */
    const move = (mode: TrackingMode, size: number, count: number) => {
      const pair = [crowd.leave(mode), crowd.enter(mode)]
      const batch = Array.from({ length: size >> 1 }, () => pair).flat()
      return size === 1
        ? Effect.replicateEffect(Effect.all(pair), count / 2, { discard: true })
        : Effect.replicateEffect(Effect.all(batch, { concurrency: size }), Math.ceil(count / size), { discard: true })
    }
    for (const mode of ["anonymous", "authenticated"] as const) {
      for (const size of SIZES) {
        say(`${mode}, batches of ${size}`)
        const count = size === 1 ? movements / 8 : movements
        yield* move(mode, size, count / 4)
        for (const isFirst of [true, false]) {
          if (isFirst) yield* sql`checkpoint`
          const before = yield* usage
          yield* move(mode, size, count)
          batches.push({ ...usedFor(before, yield* usage, count), mode, size, isFirst })
        }
      }
    }
    say("publishing")
    const feed = yield* PresenceFeed
    const published: Array<Usage & { readonly organizations: number; readonly events: number }> = []
    for (let nth = -1; nth < publications; nth++) {
      // About two movements at each of the premises, in batches of their own, as among many organizations.
      yield* move("anonymous", 256, Math.max(256, organizations * (PLACES_EACH + 1)))
      yield* Effect.sleep("1100 millis")
      const { rows } = yield* sizeOf("presence_event")
      const before = yield* usage
      const { organizations: those } = yield* feed.publish(Timestamp(Date.now()))
      const after = yield* usage
      const events = (yield* sizeOf("presence_event")).rows - rows
      if (nth >= 0) published.push({ ...usedFor(before, after, events), organizations: those.length, events })
    }
    for (const table of ["stay", "presence_event"]) {
      // As if nothing had been deleted: insertions alone leave no free space.
      yield* sql.unsafe(`vacuum full ${table}`)
      const { bytes, rows } = yield* sizeOf(table)
      rowBytes.push({ table, mode: "both", bytes: bytes / rows })
    }
    return { batches, published, rowBytes }
  }).pipe(Effect.provide(layerOwn({ durability })))
}, Effect.scoped)

/** The measurements as Markdown. */
export const reportMeasured = ({ batches, published, rowBytes }: Effect.Success<ReturnType<typeof measure>>) => {
  const of = (what: "postgres" | "node" | "wal" | "events" | "organizations") =>
    median(published.map((one) => one[what]))
  return [
    markdown([
      ["movements", "in a batch", "since a checkpoint", "WAL bytes", "PostgreSQL us", "PostgreSQL us a batch"],
      ...batches.map(({ mode, size, isFirst, wal, postgres }) => [
        mode,
        String(size),
        isFirst ? "the first" : "later ones",
        digits(wal),
        digits(postgres, 1),
        digits(postgres * size)
      ])
    ]),
    markdown([
      ["published at once", "organizations", "PostgreSQL us an event", "Node us", "WAL bytes"],
      [digits(of("events")), digits(of("organizations")), digits(of("postgres")), digits(of("node")), digits(of("wal"))]
    ]),
    markdown([
      ["row", "of", "bytes with indexes"],
      ...rowBytes.map(({ table, mode, bytes }) => [table, mode, digits(bytes)])
    ])
  ].join("\n\n")
}
