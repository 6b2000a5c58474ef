/** Judges the growth: movements and counters must cost the same whatever the history. */
import type { Measured } from "./grow.ts"

/** How much more than with the smallest history an operation may cost with the largest, where that is promised. */
export const BOUNDS: Bounds = { flat: 1.2, drawn: 1.5 }

type Bounds = { readonly [promise in Measured["costs"][number]["promise"]]?: number }

/** How the cost of an operation changed from the smallest history to the largest. */
export interface Change {
  readonly operation: string
  readonly promise: Measured["costs"][number]["promise"]
  /** Processor time of PostgreSQL, the largest history's to the smallest's; none where it is not known. */
  readonly server: number | undefined
  readonly wal: number
  readonly latency: number
}

const ratio = (of: number, to: number) => (to === 0 ? (of === 0 ? 1 : Infinity) : of / to)

/** How everything changed from the first size to the last. */
export const changes = (measured: ReadonlyArray<Pick<Measured, "costs">>): ReadonlyArray<Change> => {
  const [smallest, largest] = [measured[0], measured.at(-1)]
  if (smallest === undefined || largest === undefined) return []
  return largest.costs.map((cost, index) => {
    const before = smallest.costs[index]!
    return {
      operation: cost.operation,
      promise: cost.promise,
      server: cost.server === undefined || before.server === undefined ? undefined : ratio(cost.server, before.server),
      wal: ratio(cost.wal, before.wal),
      latency: ratio(cost.latency, before.latency)
    }
  })
}

/**
 * What is wrong: each operation whose cost for PostgreSQL grew beyond its bound. Where the yardstick grew as well the
 * machine was slower, and the bound moves with it.
 */
export const faults = (all: ReadonlyArray<Change>): ReadonlyArray<string> => {
  const drift = Math.max(1, ...all.filter(({ promise }) => promise === "yardstick").map(({ server }) => server ?? 1))
  return all.flatMap(({ operation, promise, server }) => {
    const allowed = (BOUNDS[promise] ?? Infinity) * drift
    return server !== undefined && server > allowed
      ? [
          `${operation}: PostgreSQL needs ${server.toFixed(2)} times the processor time, and ${allowed.toFixed(2)} is allowed`
        ]
      : []
  })
}

/** Whether anything can be wrong at all: there are sizes to compare, and what PostgreSQL needed is known. */
export const isJudged = (all: ReadonlyArray<Change>, sizes: number): boolean =>
  sizes > 1 && all.some(({ promise, server }) => BOUNDS[promise] !== undefined && server !== undefined)
