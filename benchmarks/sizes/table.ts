import { changes } from "../growth/Verdict.ts"
import { markdown } from "../shared/markdown.ts"
import type { Weighed } from "./weigh.ts"

const whole = (value: number | undefined) => (value === undefined ? "-" : Math.round(value).toLocaleString("en"))
const times = (value: number | undefined) => (value === undefined || !Number.isFinite(value) ? "-" : value.toFixed(2))

/** What each operation cost at each size, and its change from the first size to the last. */
export const sizeTable = (unit: string, weighed: ReadonlyArray<Weighed>): string => {
  const change = new Map(changes(weighed).map((one) => [one.operation, one]))
  const rows = (weighed[0]?.costs ?? []).flatMap(({ operation }, index) =>
    weighed.map(({ size, costs }, nth) => {
      const { server, client, wal, latency } = costs[index]!
      const isLast = nth === weighed.length - 1
      return [
        operation,
        size.toLocaleString("en"),
        whole(server),
        isLast ? times(change.get(operation)?.server) : "",
        whole(client),
        isLast ? times(client / weighed[0]!.costs[index]!.client) : "",
        whole(wal),
        latency.toFixed(2)
      ]
    })
  )
  return markdown([
    ["operation", unit, "PostgreSQL us", "times", "Node us", "times", "WAL bytes", "latency ms"],
    ...rows
  ])
}
