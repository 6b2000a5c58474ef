/** `npm run tracks`: measures the geofence on generated tracks with each kind of noise, and prints a table. */
import { makeGeofence } from "@sojourn/core/Geofence"
import { NOISE_KINDS, type NoiseKind, type Score, scoreGeofence, scoreTracks } from "@sojourn/testing"
import { fileURLToPath } from "node:url"
import { markdown } from "./shared/statistics.ts"

/** What is measured of each kind: `walks` of six hours, and `days` of each way to lie still. */
export interface TableOptions {
  readonly kinds: ReadonlyArray<NoiseKind>
  readonly intervals: ReadonlyArray<number>
  readonly walks: number
  readonly days: number
  readonly seed: number
}

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`

const row = (name: string, score: Score): ReadonlyArray<string> => [
  name,
  ...[score.still, score.near, score.apart, score.indoors].map((transitions) => transitions.toFixed(3)),
  percent(score.missed),
  percent(score.invented),
  ...[score.entranceDelay, score.exitDelay, score.timestampError].map((seconds) => seconds.toFixed(1))
]

const HEAD = [
  "Noise",
  "inside, a day",
  "10 m outside",
  "30 m and farther",
  "other buildings",
  "missed",
  "invented",
  "entrance, p95 s",
  "exit, p95 s",
  "time, median s"
]

/** The table of these kinds, a row for each interval. */
export const tableOf = ({ kinds, intervals, ...wanted }: TableOptions): string => {
  const rows = intervals.flatMap((seconds) =>
    kinds.map((kind) => {
      const tracks = scoreTracks({ ...wanted, positioning: NOISE_KINDS[kind], interval: 1000 * seconds })
      return row(`${kind}, ${seconds} s`, scoreGeofence((area) => makeGeofence([area]), tracks))
    })
  )
  return markdown([HEAD, ...rows])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [days = "100", names, seed = "1", intervals = "10,60"] = process.argv.slice(2)
  const all = Object.keys(NOISE_KINDS) as ReadonlyArray<NoiseKind>
  const kinds = all.filter((kind) => names === undefined || names === "all" || names.split(",").includes(kind))
  for (const seconds of intervals.split(",").map(Number)) {
    for (const kind of kinds) {
      const options = { kinds: [kind], intervals: [seconds], walks: Number(days), days: Number(days), seed: Number(seed) }
      console.log(tableOf(options))
    }
  }
}
