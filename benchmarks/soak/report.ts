/** The lines and the verdict of a soak as text. */
import { lossesOf } from "../arrivals/Place.ts"
import type { Sample } from "./Sample.ts"
import type { Soaked } from "./soak.ts"
import { isFlat, verdictOf } from "./verdict.ts"

const megabytes = (bytes: number | undefined) => (bytes === undefined ? "-" : (bytes / 1024 / 1024).toFixed(0))
const whole = (value: number | undefined) => (value === undefined ? "-" : String(Math.round(value)))

const COLUMNS: ReadonlyArray<readonly [name: string, of: (sample: Sample) => string]> = [
  ["minutes", ({ at }) => (at / 60).toFixed(1)],
  ["tracked", ({ received }) => String(received.tracked.count)],
  ["p50 ms", ({ received }) => received.tracked.p50.toFixed(1)],
  ["p99 ms", ({ received }) => received.tracked.p99.toFixed(1)],
  ["refused", ({ received }) => String(received.refused.count)],
  ["errors", ({ received }) => String(Object.values(received.errors).reduce((sum, one) => sum + one, 0))],
  ["resident MB", ({ resident }) => megabytes(resident)],
  ["heap MB", ({ inside }) => megabytes(inside?.heapUsed)],
  ["descriptors", ({ descriptors }) => whole(descriptors)],
  ["loop p99 ms", ({ inside }) => whole(inside?.delayP99)],
  ["loop max ms", ({ inside }) => whole(inside?.delayMax)]
]

const line = (cells: ReadonlyArray<string>) => cells.map((cell, at) => cell.padStart(COLUMNS[at]![0].length)).join("  ")

/** What was seen at one moment, as a line under those before it. */
export const lineOf = (sample: Sample, isFirst: boolean): string =>
  [...(isFirst ? [line(COLUMNS.map(([name]) => name))] : []), line(COLUMNS.map(([, of]) => of(sample)))].join("\n")

/** The counters of batches in the server's metrics, and their increase over the second half. */
const batchesOf = (samples: ReadonlyArray<Sample>) => {
  const from = samples[Math.floor(samples.length / 2)]?.metrics
  const to = samples.at(-1)?.metrics
  return [...(to ?? [])]
    .filter(([name]) => /batch/.test(name) && !name.includes("_bucket"))
    .map(([name, value]) => `${name}: ${value} (${value - (from?.get(name) ?? 0)} in the second half)`)
}

/** What it all shows. */
export const report = (soaked: Soaked): { readonly text: string; readonly isWell: boolean } => {
  const verdict = verdictOf(soaked.samples)
  const { growth, moreDescriptors } = verdict
  const losses = lossesOf(soaked)
  const faults = [...verdict.faults, ...losses]
  const isWell = isFlat(verdict) && faults.length === 0
  const text = [
    ...batchesOf(soaked.samples),
    `memory: ${growth === undefined ? "too short to tell" : `${(100 * growth).toFixed(1)} % in half an hour, by the slope of the second half`}`,
    `descriptors: ${moreDescriptors === undefined ? "too short to tell" : `${moreDescriptors} more at the end than in the middle`}`,
    `movements: ${soaked.acknowledged.entrances + soaked.acknowledged.exits} acknowledged, all in the database: ${losses.length === 0 ? "yes" : "no"}`,
    ...faults,
    ...(isWell ? ["well: flat, and no error"] : ["not well; the server said lately:", soaked.said])
  ].join("\n")
  return { text, isWell }
}
