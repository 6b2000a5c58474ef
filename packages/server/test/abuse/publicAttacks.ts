/** Attacks of `npm run abuse` without credentials: what everyone may read is read as often as possible. */
import type { Flood } from "./attackTools.ts"

const reading = (flood: Flood, paths: ReadonlyArray<string>) => async () => () =>
  flood(32, (nth) => ({ method: "GET", path: paths[nth % paths.length]! }))

export const publicAttacks = (flood: Flood) => ({
  "32 callers read /metrics": reading(flood, ["/metrics"]),
  "32 callers read /docs and /openapi.json uncompressed": reading(flood, ["/docs", "/openapi.json"])
})
