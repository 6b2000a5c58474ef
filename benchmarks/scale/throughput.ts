import { Effect } from "effect"
import type { Load } from "../load/Load.ts"
import { median } from "../shared/median.ts"
import { usedByAll } from "../shared/Processes.ts"
import type { ServerProcessorTime } from "../shared/ServerProcesses.ts"
import type { Balancer } from "./Balancer.ts"
import type { Member } from "./Fleet.ts"

/** How long to measure. */
export interface Patience {
  readonly rounds: number
  /** How long a round loads each number of servers. */
  readonly seconds: number
  readonly connections: number
}

/** What so many servers do. Processor times are microseconds for each request. */
export interface Throughput {
  readonly servers: number
  /** Pairs of an entrance and its exit. */
  readonly pairsPerSecond: number
  /** Against one server in the same round, the median. */
  readonly ratio: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly balancer: number
  /** All of them together; none where it is not known. */
  readonly fleet: number | undefined
  readonly database: number | undefined
}

/** Users who come and go in one organization. */
export interface Comers {
  readonly organizationId: number
  readonly tokens: ReadonlyArray<string>
}

interface Round extends Omit<Throughput, "servers" | "ratio"> {
  readonly pairs: number
}

const medianOf = (numbers: ReadonlyArray<number | undefined>) => {
  const known = numbers.filter((one) => one !== undefined)
  return known.length < numbers.length ? undefined : median(known)
}

/**
 * Loads one server, two, and so on to all of them, in rounds in which each number has its turn. Answers also how many
 * pairs were acknowledged: each of them is in the database.
 */
export const measureThroughput = Effect.fnUntraced(function* (
  load: Load,
  balancer: Balancer,
  members: ReadonlyArray<Member>,
  database: ServerProcessorTime | undefined,
  { organizationId, tokens }: Comers,
  { connections, rounds, seconds }: Patience
) {
  const used = () => {
    const { system, user } = process.cpuUsage()
    const fleet = members.map(({ processId }) => usedByAll(processId))
    return {
      balancer: user + system,
      fleet: fleet.reduce(
        (sum: number | undefined, one) => (sum === undefined || one === undefined ? undefined : sum + one),
        0
      ),
      database: database?.()
    }
  }
  const since = (before: number | undefined, after: number | undefined, requests: number) =>
    before === undefined || after === undefined ? undefined : (after - before) / requests

  const round = Effect.fnUntraced(function* (servers: number, duration: number) {
    balancer.leadTo(members.slice(0, servers).map(({ port }) => port))
    const before = used()
    const done = yield* load.run({
      host: "127.0.0.1",
      port: balancer.port,
      connections,
      seconds: duration,
      work: { _tag: "Pairs", path: "/movement/track/organization", organizationId, tokens }
    })
    const after = used()
    return {
      pairs: done.pairs,
      pairsPerSecond: (1000 * done.pairs) / done.duration,
      p50: done.p50,
      p99: done.p99,
      balancer: (after.balancer - before.balancer) / done.requests,
      fleet: since(before.fleet, after.fleet, done.requests),
      database: since(before.database, after.database, done.requests)
    } satisfies Round
  })

  const numbers = members.map((_, nth) => nth + 1)
  const all = numbers.map((): Array<Round> => [])
  let acknowledged = 0
  // A round that nobody counts warms everybody up.
  for (let nth = -1; nth < rounds; nth++) {
    for (const servers of numbers) {
      const one = yield* round(servers, nth < 0 ? seconds / 2 : seconds)
      acknowledged += one.pairs
      if (nth >= 0) all[servers - 1]!.push(one)
    }
  }
  const throughputs = numbers.map((servers): Throughput => {
    const some = all[servers - 1]!
    return {
      servers,
      pairsPerSecond: median(some.map((one) => one.pairsPerSecond)),
      ratio: median(some.map((one, nth) => one.pairsPerSecond / all[0]![nth]!.pairsPerSecond)),
      p50: median(some.map(({ p50 }) => p50)),
      p99: median(some.map(({ p99 }) => p99)),
      balancer: median(some.map((one) => one.balancer)),
      fleet: medianOf(some.map((one) => one.fleet)),
      database: medianOf(some.map((one) => one.database))
    }
  })
  return { acknowledged, throughputs }
})
