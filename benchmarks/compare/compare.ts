/** The comparison: all candidates on one PostgreSQL, measured in rounds in which each has a turn. */
import { availableParallelism } from "node:os"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Outcome, Work } from "../load/Job.ts"
import { requireRight, startLoad } from "../load/Load.ts"
import { serverProcessorTime } from "../shared/Processes.ts"
import { accessesPath, counterPath } from "./api.ts"
import { CANDIDATES, type Candidate } from "./candidates.ts"
import { type Contestant, LISTED, prepare, type Preparation } from "./contestant.ts"
import { clientOf, delayCommits, startPostgres } from "./databases.ts"
import { type Issuer, makeIssuer } from "./issuer.ts"

/** The scenarios in words. */
export const SCENARIOS = {
  pairs: "an entrance and its exit, each answered after its commit",
  counter: "a counter read by an administrator",
  accesses: `a list of ${LISTED} accesses by their exit tokens`
}

export type Scenario = keyof typeof SCENARIOS

/** The parameters of a comparison. */
export interface Comparison extends Preparation {
  readonly candidates: ReadonlyArray<Candidate>
  readonly scenarios: ReadonlyArray<Scenario>
  readonly connections: ReadonlyArray<number>
  /** How many rounds are counted; each candidate has its turn in each. */
  readonly rounds: number
  /** How long a turn takes, and one before the first round, which is not counted; in seconds. */
  readonly seconds: number
  readonly warmUpSeconds: number
  /** How many requests each candidate answers before the first round at least, with as many connections as are measured. */
  readonly warmUpRequests: number
  readonly users: number
  /** Whether PostgreSQL waits for the disk, and how much longer, in milliseconds. */
  readonly durability: "durable" | "fast"
  readonly commitDelay: number
}

/** What is measured unless the command line says otherwise. */
export const USUAL: Comparison = {
  candidates: CANDIDATES.filter(({ isExtra }) => isExtra !== true),
  scenarios: ["pairs", "counter", "accesses"],
  connections: [1, 64, 256],
  rounds: 5,
  seconds: 3,
  warmUpSeconds: 2,
  warmUpRequests: 20_000,
  users: 1000,
  crowd: 200,
  lists: 10,
  durability: "durable",
  commitDelay: 0,
  wireDelay: 0
}

/** Everything once, in seconds: whether it works, and nothing about how fast it is. */
export const SHORT: Comparison = {
  ...USUAL,
  connections: [1, 8],
  rounds: 2,
  seconds: 0.2,
  warmUpSeconds: 0.1,
  warmUpRequests: 1,
  users: 20,
  crowd: 5,
  lists: 1
}

/** One turn of a candidate. Processor times are microseconds for one request, latencies milliseconds. */
export interface Turn extends Pick<Outcome, "requests" | "p50" | "p99"> {
  /** Pairs, or requests where the scenario is none of pairs, in a second. */
  readonly rate: number
  /** NaN where they are not known. */
  readonly server: number
  readonly database: number
  /** Bytes of write-ahead log for one request. */
  readonly wal: number
  /** How many movements a batch had. */
  readonly batch: number
}

/** The turns of all candidates at one scenario with so many connections. */
export interface Heat {
  readonly scenario: Scenario
  readonly connections: number
  readonly turns: ReadonlyArray<{ readonly candidate: string; readonly turns: ReadonlyArray<Turn> }>
}

const workOf = (scenario: Scenario, { organizationId, lists }: Contestant, issuer: Issuer): Work => {
  if (scenario === "pairs") return { _tag: "Pairs", organizationId, tokens: issuer.users }
  if (scenario === "counter") {
    return { _tag: "Reads", reads: [{ path: counterPath(organizationId), token: issuer.administrator }] }
  }
  const reads = issuer.users.map((token, nth) => ({
    path: accessesPath(organizationId, lists[nth % lists.length]!),
    token
  }))
  return { _tag: "Reads", reads }
}

/** The least number of connections at the start of a warm-up: with fewer, a server compiles too little of its code. */
const MIN_WARM_UP_CONNECTIONS = 64

/** What turns are measured with. */
const makeMeter = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, issuer: Issuer) {
  const generate = yield* startLoad
  const databaseProcessor = yield* Effect.provideService(serverProcessorTime, SqlClient.SqlClient, sql)
  const wal = Effect.map(
    sql<{ readonly wal: number }>`select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal`,
    ([row]) => row!.wal
  )

  /** Measures a turn. Fails unless everything acknowledged was written. */
  const turn = Effect.fnUntraced(function* (
    contestant: Contestant,
    scenario: Scenario,
    connections: number,
    seconds: number
  ) {
    const { host, port } = contestant.server
    const work = workOf(scenario, contestant, issuer)
    const written = yield* wal
    const batched = yield* contestant.batches
    const before = { server: contestant.processor(), database: databaseProcessor() }
    const outcome = yield* Effect.flatMap(generate({ host, port, connections, seconds, work }), requireRight)
    const after = { server: contestant.processor(), database: databaseProcessor() }
    const { requests, exits, duration, p50, p99 } = outcome
    const bytes = (yield* wal) - written
    yield* contestant.acknowledge(exits)
    const batches = yield* contestant.batches
    return {
      requests,
      rate: ((scenario === "pairs" ? exits : requests) / duration) * 1000,
      p50,
      p99,
      server: (after.server - before.server) / requests,
      database: (after.database - before.database) / requests,
      wal: bytes / requests,
      batch: (batches.movements - batched.movements) / (batches.batches - batched.batches)
    } satisfies Turn
  })

  /**
   * Turns that are not counted: what a server compiles while it runs is compiled then. Some of it runs only when a request is alone, so
   * the last of them have as many connections as are measured.
   */
  const warmUp = Effect.fnUntraced(function* (
    contestant: Contestant,
    scenario: Scenario,
    connections: number,
    { warmUpSeconds, warmUpRequests }: Comparison
  ) {
    if (connections < MIN_WARM_UP_CONNECTIONS) {
      yield* turn(contestant, scenario, MIN_WARM_UP_CONNECTIONS, warmUpSeconds)
    }
    for (let answered = 0; answered < warmUpRequests;) {
      answered += (yield* turn(contestant, scenario, connections, warmUpSeconds)).requests
    }
  })

  /** Measures all candidates in rounds, each begun by another, so that noise affects all alike. */
  return Effect.fnUntraced(function* (
    contestants: ReadonlyArray<Contestant>,
    scenario: Scenario,
    connections: number,
    comparison: Comparison
  ) {
    const all = contestants.map((contestant) => ({ contestant, turns: [] as Array<Turn> }))
    for (const { contestant } of all) yield* contestant.vacuum
    for (const { contestant } of all) yield* warmUp(contestant, scenario, connections, comparison)
    for (let round = 0; round < comparison.rounds; round++) {
      for (let nth = 0; nth < all.length; nth++) {
        const { contestant, turns } = all[(round + nth) % all.length]!
        turns.push(yield* turn(contestant, scenario, connections, comparison.seconds))
      }
    }
    const turns = all.map(({ contestant, turns }) => ({ candidate: contestant.name, turns }))
    return { scenario, connections, turns } satisfies Heat
  })
})

const describe = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { rounds, seconds, commitDelay, wireDelay }: Comparison
) {
  const [row] = yield* sql<Readonly<Record<"version" | "fsync" | "commit", string>>>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit`
  const { version, fsync, commit } = row!
  return [
    `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors`,
    `PostgreSQL ${version}, fsync ${fsync}, synchronous_commit ${commit}`,
    ...(commitDelay > 0 ? [`each commit ${commitDelay} ms longer`] : []),
    ...(wireDelay > 0 ? [`${wireDelay} ms away each way`] : []),
    `${rounds} rounds of ${seconds} s`
  ].join("; ")
})

/** Measures the candidates beside each other. `say` receives what is under way. */
export const compare = Effect.fnUntraced(function* (comparison: Comparison, say: (line: string) => void) {
  const url = yield* startPostgres(comparison.durability)
  const sql = yield* clientOf(url)
  if (comparison.commitDelay > 0) yield* delayCommits(sql, comparison.commitDelay)
  const issuer = yield* makeIssuer(comparison.users)
  const heat = yield* makeMeter(sql, issuer)
  const contestants: Array<Contestant> = []
  for (const candidate of comparison.candidates) {
    say(`${candidate.name}: starting and checking`)
    contestants.push(yield* prepare(candidate, issuer, { url, sql }, comparison))
  }
  const heats: Array<Heat> = []
  for (const scenario of comparison.scenarios) {
    for (const connections of comparison.connections) {
      say(`${SCENARIOS[scenario]}: ${connections} at once`)
      heats.push(yield* heat(contestants, scenario, connections, comparison))
    }
  }
  const memories = contestants.map(({ name, idleMemory, memory }) => ({ name, idle: idleMemory, loaded: memory() }))
  return { conditions: yield* describe(sql, comparison), heats, memories }
}, Effect.scoped)

/** Everything that was measured. */
export type Compared = Effect.Success<ReturnType<typeof compare>>
