/** How many people a muster missed over time. Pure. */
import type { Muster } from "@sojourn/client"

/** How many are missing from a moment on, in milliseconds since 1970. */
export interface CurvePoint {
  readonly at: number
  readonly missing: number
}

/** The curve of known people, from the start to the end, or to `now`. Who left at an unknown moment is missing until the end. */
export const missingCurve = (
  { startedAt, endedAt, people = [] }: Pick<Muster, "startedAt" | "endedAt" | "people">,
  now: number
): ReadonlyArray<CurvePoint> => {
  const start = Date.parse(startedAt)
  const end = Math.max(start, endedAt === undefined ? now : Date.parse(endedAt))
  const within = (at: number) => Math.min(Math.max(at, start), end)
  const changes = new Map([[start, 0]])
  const change = (at: number, by: number) => changes.set(within(at), (changes.get(within(at)) ?? 0) + by)
  for (const { since, state, at } of people) {
    // Who was only added by a mark was never missing.
    if (since === undefined) continue
    change(Date.parse(since), 1)
    if (state !== "missing") change(at === undefined ? end : Date.parse(at), -1)
  }
  change(end, 0)
  let missing = 0
  return [...changes].sort(([one], [other]) => one - other).map(([at, by]) => ({ at, missing: (missing += by) }))
}

/** Since when no one is missing; undefined where someone is. */
export const clearedAt = (curve: ReadonlyArray<CurvePoint>): number | undefined =>
  curve[curve.findLastIndex(({ missing }) => missing > 0) + 1]?.at

/** The curve with a reading; of readings with the same number the first counts. */
export const withReading = (curve: ReadonlyArray<CurvePoint>, point: CurvePoint): ReadonlyArray<CurvePoint> =>
  curve.at(-1)?.missing === point.missing ? curve : [...curve, point]

/** A duration as a stopwatch has it: `05:09`, `1:05:09`. */
export const durationOf = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (n: number) => String(n).padStart(2, "0")
  return `${hours > 0 ? `${hours}:` : ""}${two(minutes)}:${two(seconds % 60)}`
}
