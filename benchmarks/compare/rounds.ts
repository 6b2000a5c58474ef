/** The measurement itself: warm-up, and rounds in which every candidate has a turn. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Load } from "../load/Load.ts"
import type { ServerProcessorTime } from "../shared/ServerProcesses.ts"
import type { Comparison } from "./Comparison.ts"
import type { Contestant } from "./Contestant.ts"
import type { Issuer } from "./Issuer.ts"
import { type ScenarioName, workOf } from "./scenarios.ts"

/** One turn of a candidate. Processor times are microseconds for one request, latencies milliseconds. */
export interface Turn {
  readonly requests: number
  /** Pairs, or requests where the scenario is none of pairs, in a second. */
  readonly rate: number
  readonly p50: number
  readonly p99: number
  /** None where they are not known. */
  readonly server: number | undefined
  readonly database: number | undefined
  readonly load: number
  /** Bytes of write-ahead log for one request. */
  readonly wal: number
}

/** The turns of all candidates at one scenario with so many connections. */
export interface Heat {
  readonly scenario: ScenarioName
  readonly connections: number
  readonly turns: ReadonlyArray<{ readonly candidate: string; readonly turns: ReadonlyArray<Turn> }>
}

/** What turns are measured with. */
export interface Instruments {
  readonly load: Load
  readonly sql: SqlClient.SqlClient
  readonly databaseProcessor: ServerProcessorTime | undefined
  readonly issuer: Issuer
}

const per = (before: number | undefined, after: number | undefined, count: number) =>
  before === undefined || after === undefined ? undefined : (after - before) / count

/** Measures a turn, and looks whether everything acknowledged was written. */
const turn = Effect.fnUntraced(function* (
  { load, sql, databaseProcessor, issuer }: Instruments,
  { server, ground, processor, acknowledge }: Contestant,
  scenario: ScenarioName,
  connections: number,
  seconds: number
) {
  const written = Effect.map(
    sql<{ readonly wal: number }>`select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal`,
    ([row]) => row!.wal
  )
  const work = workOf(scenario, ground, issuer)
  const wal = yield* written
  const before = [processor(), databaseProcessor?.()] as const
  const outcome = yield* load.run({ host: server.host, port: server.port, connections, seconds, work })
  const after = [processor(), databaseProcessor?.()] as const
  const { requests, pairs, duration, p50, p99 } = outcome
  const bytes = ((yield* written) - wal) / requests
  yield* acknowledge(pairs)
  return {
    requests,
    rate: ((scenario === "pairs" ? pairs : requests) / duration) * 1000,
    p50,
    p99,
    server: per(before[0], after[0], requests),
    database: per(before[1], after[1], requests),
    load: (outcome.processor * 1000) / requests,
    wal: bytes
  } satisfies Turn
})

/** The least number of connections at the start of a warm-up: with fewer, a server compiles too little of its code. */
const LEAST_WARMING = 64

/**
 * Turns that are not counted: what a server compiles while it runs is compiled then. Some of it runs only when a request is alone, so the
 * last of them have as many connections as are measured.
 */
const warmUp = Effect.fnUntraced(function* (
  instruments: Instruments,
  contestant: Contestant,
  scenario: ScenarioName,
  connections: number,
  { warmUpSeconds, warmUpRequests }: Comparison
) {
  if (connections < LEAST_WARMING) yield* turn(instruments, contestant, scenario, LEAST_WARMING, warmUpSeconds)
  for (let answered = 0; answered < warmUpRequests;) {
    answered += (yield* turn(instruments, contestant, scenario, connections, warmUpSeconds)).requests
  }
})

/**
 * Measures all candidates that know the scenario: rounds in which each has a turn, every round begun by another, so that whatever
 * else the machine does falls on all alike. Each is warmed up before.
 */
export const heat = Effect.fnUntraced(function* (
  instruments: Instruments,
  contestants: ReadonlyArray<Contestant>,
  scenario: ScenarioName,
  connections: number,
  comparison: Comparison
) {
  const { rounds, seconds } = comparison
  const all = contestants
    .filter(({ candidate }) => candidate.scenarios.includes(scenario))
    .map((contestant) => ({ contestant, turns: [] as Array<Turn> }))
  for (const { contestant } of all) yield* contestant.tidy
  for (const { contestant } of all) yield* warmUp(instruments, contestant, scenario, connections, comparison)
  for (let round = 0; round < rounds; round++) {
    for (let nth = 0; nth < all.length; nth++) {
      const { contestant, turns } = all[(round + nth) % all.length]!
      turns.push(yield* turn(instruments, contestant, scenario, connections, seconds))
    }
  }
  return {
    scenario,
    connections,
    turns: all.map(({ contestant, turns }) => ({ candidate: contestant.candidate.name, turns }))
  } satisfies Heat
})
