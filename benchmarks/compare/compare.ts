/** The course of a comparison: start and check every candidate, measure the heats, then the starts. */
import { Effect } from "effect"
import { makeLoad } from "../load/Load.ts"
import { serverProcessorTime } from "../shared/ServerProcesses.ts"
import { SqlClient } from "effect/sql"
import type { Comparison } from "./Comparison.ts"
import { type Contestant, enlist } from "./Contestant.ts"
import { clientOf, delayCommits, startPostgres } from "./Databases.ts"
import { makeIssuer } from "./Issuer.ts"
import { type Heat, heat } from "./rounds.ts"
import { SCENARIOS } from "./scenarios.ts"
import { measureStarts, type Start } from "./starts.ts"

/** How much memory a candidate's process has, in bytes; none where it is not known. */
export interface Memory {
  readonly candidate: string
  readonly idle: number | undefined
  /** After everything was measured. */
  readonly loaded: number | undefined
}

/** Everything that was measured. */
export interface Compared {
  /** PostgreSQL's version, whether it waits for the disk, and how much longer, in words. */
  readonly database: string
  readonly heats: ReadonlyArray<Heat>
  readonly memories: ReadonlyArray<Memory>
  readonly starts: ReadonlyArray<Start>
}

const describe = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    readonly version: string
    readonly fsync: string
    readonly commit: string
    readonly delay: number
  }>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('commit_delay')::int as delay`
  const { version, fsync, commit, delay } = row!
  const delayed = delay > 0 ? `, each commit ${delay / 1000} ms longer` : ""
  return `PostgreSQL ${version}, fsync ${fsync}, synchronous_commit ${commit}${delayed}`
})

const measureHeats = Effect.fnUntraced(function* (comparison: Comparison, say: (line: string) => void) {
  const postgres = yield* startPostgres(comparison.durability)
  if (comparison.commitDelay > 0) yield* delayCommits(postgres, comparison.commitDelay)
  const sql = yield* clientOf(postgres)
  const database = yield* Effect.provideService(describe, SqlClient.SqlClient, sql)
  const databaseProcessor = yield* Effect.provideService(serverProcessorTime, SqlClient.SqlClient, sql)
  say(database)
  const issuer = yield* makeIssuer(comparison.users)
  const load = yield* makeLoad
  const contestants: Array<Contestant> = []
  for (const candidate of comparison.candidates) {
    say(`${candidate.name}: starting and checking`)
    contestants.push(yield* enlist(candidate, issuer, postgres, comparison))
  }
  const instruments = { load, sql, databaseProcessor, issuer }
  const heats: Array<Heat> = []
  const known = new Set(comparison.candidates.flatMap(({ scenarios }) => scenarios))
  for (const scenario of comparison.scenarios.filter((one) => known.has(one))) {
    for (const connections of comparison.connections) {
      say(`${SCENARIOS[scenario]}: ${connections} at once`)
      heats.push(yield* heat(instruments, contestants, scenario, connections, comparison))
    }
  }
  const memories = contestants.map(({ candidate, idleMemory, memory }): Memory => ({
    candidate: candidate.name,
    idle: idleMemory,
    loaded: memory()
  }))
  return { database, heats, memories }
}, Effect.scoped)

/** Measures the candidates beside each other, and how Sojourn starts. `say` is told what is under way. */
export const compare = Effect.fnUntraced(function* (comparison: Comparison, say: (line: string) => void) {
  const measured = yield* measureHeats(comparison, say)
  const starts: Array<Start> = []
  if (comparison.starts > 0) {
    for (const storage of ["memory", "embedded"] as const) {
      say(`sojourn: starting with storage ${storage}`)
      starts.push(yield* measureStarts(storage, comparison.starts))
    }
  }
  return { ...measured, starts } satisfies Compared
})
