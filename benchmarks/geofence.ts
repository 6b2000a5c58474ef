/**
 * Measures the geofence on generated tracks whose truth is known, beside other rules: `npm run geofence`. It fails when a goal is
 * missed. With `--write` the tables go to `benchmarks/results/geofence.md`, and the picture of an evening to the documentation.
 */
import { good, type MakeDecider, scoreGeofence, scoreTracks, type TrackOptions } from "@sojourn/testing"
import { makeGeofence } from "@sojourn/tracker"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { evening } from "./geofence/evening.ts"
import { type Goals, missedGoals, scoreTable, speedTable } from "./geofence/report.ts"
import { medians, pointInPolygon, twoFixes } from "./geofence/rivals.ts"
import { speed } from "./geofence/speed.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "20260901" },
    walks: { type: "string", default: "200" },
    days: { type: "string", default: "40" },
    write: { type: "boolean", default: false }
  }
})
const [seed, walks, days] = [values.seed, values.walks, values.days].map(Number) as [number, number, number]
if (![seed, walks, days].every(Number.isSafeInteger)) throw new Error("--seed, --walks and --days are whole numbers")

const urbanGoals: Goals = {
  still: 0.01,
  near: 2,
  apart: 0.01,
  missed: 0.005,
  invented: 0.04,
  entranceDelay: 50,
  exitDelay: 110,
  timestampError: 15
}
const goodGoals: Goals = { ...urbanGoals, invented: 0.005, entranceDelay: 30, exitDelay: 75, timestampError: 7 }
const sparseGoals = Object.fromEntries(
  Object.entries(urbanGoals).map(([key, goal]) => [key, 3 * goal])
) as unknown as Goals

const sojourn: MakeDecider = (area) => makeGeofence([area])
const rules = { sojourn, "point in polygon": pointInPolygon, "two fixes": twoFixes, medians }

const conditions: ReadonlyArray<readonly [title: string, goals: Goals, options: TrackOptions]> = [
  ["Urban noise, a fix each 10 s", urbanGoals, {}],
  ["Good phones, a fix each 10 s", goodGoals, { positioning: good }],
  ["Urban noise, a fix each 60 s", sparseGoals, { interval: 60_000 }]
]

// First: what was compiled for other tracks would be measured too.
const costs = `## Cost of a fix\n\n${speedTable(speed(200_000))}`
console.log(`${costs}\n`)

const faults: Array<string> = []
const tables = conditions.map(([title, goals, options]) => {
  const tracks = scoreTracks({ seed, walks, days, ...options })
  const scores = Object.fromEntries(Object.entries(rules).map(([name, make]) => [name, scoreGeofence(make, tracks)]))
  faults.push(...missedGoals(title, goals, scores.sojourn!))
  const table = `## ${title}\n\n${scoreTable(goals, scores)}`
  console.log(`${table}\n`)
  return table
})

const intro = `# Runs of geofence

\`npm run geofence\`: ${walks} walks of six hours and ${days} days of each way to rest, from seed ${seed}, which no setting was chosen by.
The tracks are those of \`walkTrack\` and \`stillTrack\` (\`@sojourn/testing\`). What the rules are: [the geofence](../../docs/geofence.md).`

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
if (values.write) {
  writeFileSync(at("results/geofence.md"), `${[intro, ...tables, costs].join("\n\n")}\n`)
  writeFileSync(at("../docs/images/geofence.svg"), evening(seed + 12, rules))
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
