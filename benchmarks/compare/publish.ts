/** The output of a comparison: the tables as text, `compare.svg` and `compare.json`. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chart } from "./chart.ts"
import type { Compared } from "./compare.ts"
import { type Comparison, machine } from "./Comparison.ts"
import { report } from "./tables.ts"

/** Under which conditions something was measured, in words. */
const conditionsOf = ({ rounds, seconds, isPeerTokenCacheOn, wireDelay }: Comparison, { database }: Compared) => {
  const far = wireDelay > 0 ? `, ${wireDelay} ms away each way` : ""
  const tokens = `the peers ${isPeerTokenCacheOn ? "remember" : "do not remember"} tokens they have verified`
  return `${machine()}; ${database}${far}; ${rounds} rounds of ${seconds} s; EdDSA tokens, ${tokens}`
}

/** Writes the chart and the figures to a directory, which it makes, and gives everything that was measured as text. */
export const publish = (comparison: Comparison, compared: Compared, directory: string): string => {
  const [svg, json] = ["compare.svg", "compare.json"].map((name) => join(directory, name))
  const conditions = conditionsOf(comparison, compared)
  mkdirSync(directory, { recursive: true })
  writeFileSync(svg!, chart(compared))
  writeFileSync(json!, `${JSON.stringify({ conditions, ...compared }, null, 2)}\n`)
  return [report(compared), conditions, `${svg}\n${json}`].join("\n\n")
}
