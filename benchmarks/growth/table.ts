/** The tables of a growth run in Markdown. */
import { markdown } from "../shared/markdown.ts"
import type { Measured } from "./grow.ts"
import { changes } from "./Verdict.ts"

const whole = (value: number | undefined) => (value === undefined ? "-" : value.toFixed(0))
const times = (value: number | undefined) => (value === undefined || !Number.isFinite(value) ? "-" : value.toFixed(2))

/** What an operation cost at each size, and the change from the first to the last. */
export const costTable = (measured: ReadonlyArray<Measured>): string => {
  const change = new Map(changes(measured).map((one) => [one.operation, one]))
  const head = ["operation", "closed stays", "PostgreSQL us", "times", "Node us", "WAL bytes", "latency ms", "rows"]
  const rows = (measured[0]?.costs ?? []).flatMap(({ operation }, index) =>
    measured.map(({ closed, costs }, nth) => {
      const cost = costs[index]!
      return [
        operation,
        closed.toLocaleString("en"),
        whole(cost.server),
        nth === measured.length - 1 ? times(change.get(operation)?.server) : "",
        whole(cost.client),
        whole(cost.wal),
        cost.latency.toFixed(2),
        cost.rows.toFixed(1)
      ]
    })
  )
  return markdown([head, ...rows])
}

/** How much of the disk the tables take. */
export const sizeTable = (measured: ReadonlyArray<Measured>): string =>
  markdown([
    ["table", "rows", "MB", "of it indexes", "bytes a row"],
    ...measured.flatMap(({ tables }) =>
      tables.map(({ name, rows, bytes, indexes }) => [
        name,
        rows.toLocaleString("en"),
        (bytes / 1e6).toFixed(1),
        (indexes / 1e6).toFixed(1),
        whole(rows > 0 ? bytes / rows : undefined)
      ])
    )
  ])
