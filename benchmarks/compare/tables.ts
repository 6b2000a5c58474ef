/** The tables of a comparison in Markdown. */
import { markdown } from "../shared/markdown.ts"
import { median } from "../shared/median.ts"
import type { Compared } from "./compare.ts"
import { referenceOf, standings } from "./ratios.ts"
import type { Heat } from "./rounds.ts"
import { SCENARIOS } from "./scenarios.ts"

const whole = (value: number | undefined) => (value === undefined ? "-" : value.toFixed(0))
const exact = (value: number | undefined) => (value === undefined ? "-" : value.toFixed(value < 10 ? 2 : 1))
const megabytes = (bytes: number | undefined) => whole(bytes === undefined ? undefined : bytes / 1e6)

/** What a heat is about, in words. */
export const titleOf = ({ scenario, connections }: Heat): string =>
  `${SCENARIOS[scenario]}; ${connections} ${connections === 1 ? "connection" : "connections"}`

/** The result of each candidate in a heat. */
const heatTable = (heat: Heat): string =>
  markdown([
    [
      "candidate",
      `times ${referenceOf(heat).candidate}`,
      "least",
      "most",
      "by processor",
      heat.scenario === "pairs" ? "pairs/s" : "requests/s",
      "server us",
      "PostgreSQL us",
      "p50 ms",
      "p99 ms",
      "WAL bytes"
    ],
    ...standings(heat).map(({ candidate, ratio, work, rate, server, database, p50, p99, wal }) => [
      candidate,
      ratio.median.toFixed(2),
      ratio.least.toFixed(2),
      ratio.most.toFixed(2),
      exact(work),
      whole(rate),
      exact(server),
      exact(database),
      p50.toFixed(2),
      p99.toFixed(2),
      whole(wal)
    ])
  ])

/** The memory of each candidate. */
const memoryTable = ({ memories }: Compared): string =>
  markdown([
    ["candidate", "idle MB", "after the load MB"],
    ...memories.map(({ candidate, idle, loaded }) => [candidate, megabytes(idle), megabytes(loaded)])
  ])

/** How Sojourn starts. */
const startTable = ({ starts }: Compared): string =>
  markdown([
    ["sojourn with storage", "first answer after ms", "least", "most", "idle MB"],
    ...starts.map(({ storage, times, idleMemory }) => [
      storage,
      whole(median(times)),
      whole(Math.min(...times)),
      whole(Math.max(...times)),
      megabytes(idleMemory)
    ])
  ])

/** Everything that was measured, as text. */
export const report = (compared: Compared): string =>
  [
    ...compared.heats.map((heat) => `${titleOf(heat)}\n\n${heatTable(heat)}`),
    memoryTable(compared),
    ...(compared.starts.length === 0 ? [] : [startTable(compared)])
  ].join("\n\n")
