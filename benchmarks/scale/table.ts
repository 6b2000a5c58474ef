import { availableParallelism } from "node:os"
import { markdown } from "../shared/markdown.ts"
import type { Scaled } from "./scale.ts"
import type { Throughput } from "./throughput.ts"

const whole = (value: number | undefined) => (value === undefined ? "-" : value.toFixed(0))

/** What so many servers do. */
export const throughputTable = (throughputs: ReadonlyArray<Throughput>): string =>
  markdown([
    ["servers", "pairs/s", "ratio", "p50 ms", "p99 ms", "servers us", "PostgreSQL us", "balancer us"],
    ...throughputs.map(({ servers, pairsPerSecond, ratio, p50, p99, fleet, database, balancer }) => [
      String(servers),
      Math.round(pairsPerSecond).toLocaleString("en"),
      ratio.toFixed(2),
      p50.toFixed(1),
      p99.toFixed(1),
      whole(fleet),
      whole(database),
      whole(balancer)
    ])
  ])

/** What was tried, and what came of it. */
export const report = ({ acknowledged, ambiguous, faults, found, throughputs, tried }: Scaled): string => {
  const cores = availableParallelism()
  return [
    markdown([["what was tried", "times"], ...tried.map(({ what, times }) => [what, String(times)])]),
    throughputTable(throughputs),
    `${cores} cores for the load, the balancer, the servers and PostgreSQL together: more servers than cores give no more here`,
    `${acknowledged} movements acknowledged, ${found} found in the database; ${ambiguous} were cut off by kills and asked again`,
    ...faults.map(({ kind, what }) => `${kind}: ${what}`)
  ].join("\n\n")
}
