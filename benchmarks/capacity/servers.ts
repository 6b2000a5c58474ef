/** The measured table of several servers on one PostgreSQL, and what the simulation makes of it. */
import { markdown } from "../shared/statistics.ts"
import { COSTS, type Costs } from "./costs.ts"
import { simulate } from "./simulate.ts"

/** A cell: servers, connections, and what was measured with them. */
export interface Cell {
  readonly servers: number
  readonly connections: number
  /** Whether constants were fitted on it. The others check the simulation. */
  readonly isFitted: boolean
  /** Pairs a second, us of the servers and of PostgreSQL for a movement, movements in a batch. */
  readonly figures: readonly [pairs: number, server: number, postgres: number, batch: number]
}

/** Measured on 2026-11-24 with PostgreSQL 15.18, the servers and their load on two shared processors (commit 667839ce). */
export const MEASURED: ReadonlyArray<Cell> = [
  { servers: 1, connections: 64, isFitted: true, figures: [5_171, 68, 22.5, 22.5] },
  { servers: 2, connections: 64, isFitted: false, figures: [4_536, 96, 36.7, 9.2] },
  { servers: 3, connections: 64, isFitted: true, figures: [3_702, 116, 55.3, 6.2] },
  { servers: 1, connections: 256, isFitted: true, figures: [7_715, 52, 12.3, 76] },
  { servers: 2, connections: 256, isFitted: false, figures: [6_556, 69, 19.2, 31] },
  { servers: 3, connections: 256, isFitted: true, figures: [5_133, 92, 29.5, 18] }
]

/** The figures of a cell as simulated. */
export const simulated = ({ servers, connections }: Pick<Cell, "servers" | "connections">, costs: Costs = COSTS) => {
  const { rate, server, postgres, batch } = simulate({
    processors: 2,
    lanes: servers,
    workers: 0,
    connections,
    clients: "beside",
    costs,
    seconds: 10
  })
  return [rate / 2, server, postgres, batch] as const
}

/** How far the simulated figures of a cell are from the measured ones: 0.1 is ten percent above. */
export const errorsOf = (cell: Cell, costs?: Costs): ReadonlyArray<number> =>
  simulated(cell, costs).map((figure, nth) => figure / cell.figures[nth]! - 1)

const rounded = (figure: number) =>
  figure >= 100 ? Math.round(figure).toLocaleString("en") : figure.toFixed(figure < 60 ? 1 : 0)

/** The table as Markdown: each figure as measured, and as simulated. */
export const tableOfServers = (): string =>
  markdown([
    ["servers, connections", "used to fit", "pairs/s", "server us", "PostgreSQL us", "movements in a batch"],
    ...MEASURED.map((cell) => {
      const figures = simulated(cell).map((figure, nth) => `${rounded(cell.figures[nth]!)}, ${rounded(figure)}`)
      return [`${cell.servers}, ${cell.connections}`, cell.isFitted ? "yes" : "no", ...figures]
    })
  ])
