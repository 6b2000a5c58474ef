import { markdown } from "../shared/markdown.ts"
import type { Cost } from "./measure.ts"
import { IN_ALL } from "./movement.ts"

/** Three digits that count. */
const digits = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(value < 1 ? 2 : 3)

/** What each rule costs. */
export const costTable = (costs: ReadonlyArray<Cost>): string =>
  markdown([
    ["rule", "ns", "least", "most", "bytes"],
    ...costs.map(({ name, nanoseconds, least, most, bytes }) => [
      name,
      digits(nanoseconds),
      digits(least),
      digits(most),
      bytes === undefined ? "-" : Math.round(bytes).toLocaleString("en")
    ])
  ])

/** What a pair of movements costs in the core, where both were measured. */
export const pairCost = (costs: ReadonlyArray<Cost>): string | undefined => {
  const [entrance, exit] = [IN_ALL.entrance, IN_ALL.exit].map((wanted) => costs.find(({ name }) => name === wanted))
  if (entrance === undefined || exit === undefined) return undefined
  const both = [entrance, exit]
  const sum = (of: (cost: Cost) => number) =>
    `${(both.reduce((total, cost) => total + of(cost), 0) / 1000).toFixed(1)} us`
  return `a pair, an entrance and its exit, costs the core ${sum(({ nanoseconds }) => nanoseconds)}, in the quickest rounds ${sum(({ least }) => least)}`
}
