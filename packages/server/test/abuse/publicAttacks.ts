/** Attacks of `npm run abuse` without credentials: what everyone may read is read as often as possible. */

/** Sends requests of many callers until the time is over, and returns the number of answers per status. */
type Flood = (
  callers: number,
  next: (nth: number) => { readonly method: string; readonly path: string }
) => Promise<ReadonlyMap<number, number>>

const reading = (flood: Flood, paths: ReadonlyArray<string>) => async () => () =>
  flood(32, (nth) => ({ method: "GET", path: paths[nth % paths.length]! }))

export const publicAttacks = (flood: Flood) => ({
  "32 callers read /metrics": reading(flood, ["/metrics"]),
  "32 callers read /docs and /openapi.json uncompressed": reading(flood, ["/docs", "/openapi.json"])
})
