/** Ways to use the processors of one machine that has the server and PostgreSQL, simulated. Clients are elsewhere. */
import { markdown } from "../shared/statistics.ts"
import { COSTS, BUSY_MOVEMENT } from "./costs.ts"
import { type Scenario, simulate, type Simulated } from "./simulate.ts"

/** How many processors the machines have. */
export const PROCESSORS = [8, 16, 32]

/** How many connections there are for each processor. */
const CONNECTIONS = 128

type Layout = Pick<Scenario, "lanes" | "workers" | "largestBatch">

/** The layouts by name, for a number of processors. */
const LAYOUTS: ReadonlyArray<readonly [name: string, layout: (processors: number) => Layout]> = [
  ["one process", () => ({ lanes: 1, workers: 0 })],
  ["a process with its own lane for each processor", (count) => ({ lanes: count, workers: 0 })],
  ["4 workers that share one lane", () => ({ lanes: 1, workers: 4 })],
  ["the same, batches of up to 1,024", () => ({ lanes: 1, workers: 4, largestBatch: 1_024 })],
  ["cells of a lane and 2 workers, one for 4 processors", (count) => ({ lanes: count / 4, workers: 2 })]
]

const run = (processors: number, layout: Layout, costs: Partial<typeof COSTS> = {}): Simulated =>
  simulate({
    processors,
    connections: CONNECTIONS * processors,
    clients: "elsewhere",
    seconds: 0.2,
    costs: { ...COSTS, postgresMovement: BUSY_MOVEMENT, ...costs },
    ...layout
  })

/** The most movements a second that one lane takes. */
export const laneCeiling = (): Simulated => run(16, { lanes: 1, workers: 4 })

const thousands = (rate: number) => `${Math.round(rate / 1_000)},000`

/** Movements a second by layout and machine, and what they cost with 16 processors. */
export const tableOfMachines = (): string =>
  markdown([
    [
      "layout",
      ...PROCESSORS.map((count) => `${count} processors`),
      "us of server, PostgreSQL",
      "in a batch",
      "latency, ms"
    ],
    ...LAYOUTS.map(([name, layoutOf]) => {
      const all = PROCESSORS.map((count) => run(count, layoutOf(count)))
      const { server, postgres, batch, latency } = all[PROCESSORS.indexOf(16)]!
      return [
        name,
        ...all.map(({ rate }) => thousands(rate)),
        `${server.toFixed(0)}, ${postgres.toFixed(0)}`,
        Math.round(batch).toLocaleString("en"),
        latency.toFixed(0)
      ]
    })
  ])

/** One lane with 4 workers on 16 processors: what the hand-over and the cost of a movement in PostgreSQL change. */
export const tableOfHandOver = (): string => {
  const costs = [7.3, BUSY_MOVEMENT]
  return markdown([
    ["hand-over, us", ...costs.map((postgresMovement) => `${postgresMovement} us`)],
    ...[5, 10, 15, 30].map((handOver) => [
      String(handOver),
      ...costs.map((postgresMovement) => {
        const { rate, lane } = run(16, { lanes: 1, workers: 4 }, { handOver, postgresMovement })
        return `${thousands(rate)} (${lane.toFixed(2)})`
      })
    ])
  ])
}
