/** `npm run tracks`: measures the geofence on generated tracks with each kind of noise, and prints a row of each. */
import { makeGeofence } from "@sojourn/core/Geofence"
import { NOISE_KINDS, type NoiseKind, type Score, scoreGeofence, scoreTracks } from "@sojourn/testing"
import { markdown } from "./shared/statistics.ts"

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`

const cells = (score: Score): ReadonlyArray<string> => [
  ...[score.still, score.near, score.apart, score.indoors].map((transitions) => transitions.toFixed(3)),
  ...[score.missed, score.invented].map(percent),
  ...[score.entranceDelay, score.exitDelay, score.timestampError].map((seconds) => seconds.toFixed(1))
]

const HEAD = [
  "noise",
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

const [days = "100", names = "all", seed = "1", intervals = "10,60"] = process.argv.slice(2)
const all = Object.keys(NOISE_KINDS) as ReadonlyArray<NoiseKind>
const kinds = all.filter((kind) => names === "all" || names.split(",").includes(kind))
if (kinds.length === 0) throw new TypeError(`The kinds are ${all.join(", ")}.`)

const rows: Array<ReadonlyArray<string>> = []
for (const seconds of intervals.split(",").map(Number)) {
  for (const kind of kinds) {
    const count = { walks: Number(days), days: Number(days), seed: Number(seed) }
    const tracks = scoreTracks({ ...count, positioning: NOISE_KINDS[kind], interval: 1000 * seconds })
    rows.push([`${kind}, ${seconds} s`, ...cells(scoreGeofence((area) => makeGeofence([area]), tracks))])
    console.error(rows.at(-1)!.join("  "))
  }
}
console.log(markdown([HEAD, ...rows]))
