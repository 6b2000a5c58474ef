import type { Measured } from "./grow.ts"
import { changes } from "./Verdict.ts"

const whole = (value: number | undefined) => (value === undefined ? "-" : value.toFixed(0))
const times = (value: number | undefined) => (value === undefined || !Number.isFinite(value) ? "-" : value.toFixed(2))

/** A table in Markdown, its columns as wide as what they hold, all but the first to the right. */
const markdown = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: ReadonlyArray<string>) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(" | ")} |`
  const rule = widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`))
  return [line(rows[0]!), `| ${rule.join(" | ")} |`, ...rows.slice(1).map(line)].join("\n")
}

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
