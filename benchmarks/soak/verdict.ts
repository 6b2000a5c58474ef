/** Judges a soak: the slope of memory, descriptors and errors over the second half. */
import type { Sample } from "./Sample.ts"

/** How much the memory may grow in half an hour at the end, as a share of what there is. */
const MOST_GROWTH = 0.1

/** How long the second half has to be for its memory to tell anything, in seconds: collecting garbage goes up and down. */
const LEAST_SPAN = 4 * 60

/** How many more descriptors there may be at the end than in the middle. */
const MOST_DESCRIPTORS = 8

/** The slope of the line that fits some points best: how much more for one more. */
export const slopeOf = (points: ReadonlyArray<readonly [x: number, y: number]>): number => {
  const mean = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
  const x = mean(points.map(([at]) => at))
  const y = mean(points.map(([, value]) => value))
  const above = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0)
  const below = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  return below === 0 ? 0 : above / below
}

/** What a soak shows. */
export interface Verdict {
  /** How much the memory would grow in half an hour more, as a share of what there is; none where it is not known. */
  readonly growth: number | undefined
  /** Descriptors at the end, beyond those in the middle; none where it is not known. */
  readonly moreDescriptors: number | undefined
  /** What happened otherwise than it may. */
  readonly faults: ReadonlyArray<string>
}

const HALF_AN_HOUR = 30 * 60

/** Judges by the second half: in the first one the server warms up. */
export const verdictOf = (samples: ReadonlyArray<Sample>): Verdict => {
  const half = samples.slice(Math.floor(samples.length / 2))
  const known = half.flatMap(({ at, resident }) => (resident === undefined ? [] : [[at, resident] as const]))
  const last = known.at(-1)?.[1]
  const span = (known.at(-1)?.[0] ?? 0) - (known[0]?.[0] ?? 0)
  const growth = last === undefined || span < LEAST_SPAN ? undefined : (slopeOf(known) * HALF_AN_HOUR) / last
  const descriptors = half.flatMap((one) => one.descriptors ?? [])
  const moreDescriptors = descriptors.length < 2 ? undefined : descriptors.at(-1)! - descriptors[0]!
  const wrong = new Map<string, number>()
  for (const { received } of samples) {
    const amiss = { ...received.errors, refused: received.refused.count, "never sent": received.unsent }
    for (const [what, times] of Object.entries(amiss)) if (times > 0) wrong.set(what, (wrong.get(what) ?? 0) + times)
  }
  return { growth, moreDescriptors, faults: [...wrong].map(([what, times]) => `${times} times ${what}`) }
}

/** Is it flat, and without an error? Where a soak is too short to tell of memory, it tells of errors and descriptors. */
export const isFlat = ({ growth, moreDescriptors, faults }: Verdict): boolean =>
  faults.length === 0 && (growth ?? 0) <= MOST_GROWTH && (moreDescriptors ?? 0) <= MOST_DESCRIPTORS
