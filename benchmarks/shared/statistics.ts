/** Medians, quantiles and tables. */

/** The median of some numbers; NaN where there are none. */
export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = numbers.toSorted((one, other) => one - other)
  const at = (index: number) => sorted[Math.floor(index)] ?? Number.NaN
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2
}

/** The quantile `share` of numbers in ascending order, such as the 99th percentile of latencies with 0.99; 0 where there are none. */
export const quantile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** A number with so many digits after the point; `-` for NaN, where it is not known. */
export const digits = (value: number, count = 0): string => (Number.isNaN(value) ? "-" : value.toFixed(count))

/** Bytes in megabytes. */
export const megabytes = (bytes: number): string => digits(bytes / 1e6)

/** A table in Markdown with aligned columns, all but the first to the right. */
export const markdown = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: ReadonlyArray<string>) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(" | ")} |`
  const rule = widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`))
  return [line(rows[0]!), `| ${rule.join(" | ")} |`, ...rows.slice(1).map(line)].join("\n")
}
