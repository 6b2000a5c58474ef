/** Times as the clocks of an organization show them. */
import * as DateTime from "effect/DateTime"
import { formatTimestamp, Timestamp } from "./Timestamp.ts"

/** Clocks change at the ends of these, in milliseconds. */
const QUARTER_MS = 900_000

/** How many quarters of an hour are known at most: those of a year. */
const MAX_QUARTERS = 36_000

/**
 * Makes the function that writes local times as `2026-11-28 17:05:09`, with which a spreadsheet can compute. It looks an offset up once for
 * each quarter of an hour: the platform takes microseconds for each.
 */
export const makeLocalTime = (timeZone: string): ((timestamp: Timestamp) => string) => {
  const zone = DateTime.zoneMakeNamedUnsafe(timeZone)
  const offsets = new Map<number, number>()
  const offsetAt = (timestamp: number) => DateTime.zonedOffset(DateTime.makeZonedUnsafe(timestamp, { timeZone: zone }))
  const offsetOf = (timestamp: Timestamp): number => {
    const quarter = Math.floor(timestamp / QUARTER_MS)
    const known = offsets.get(quarter)
    if (known !== undefined) return known
    const offset = offsetAt(quarter * QUARTER_MS)
    if (offset !== offsetAt((quarter + 1) * QUARTER_MS - 1)) return offsetAt(timestamp)
    if (offsets.size >= MAX_QUARTERS) offsets.clear()
    offsets.set(quarter, offset)
    return offset
  }
  return (timestamp) => {
    const text = formatTimestamp(Timestamp(timestamp + offsetOf(timestamp)))
    return `${text.slice(0, 10)} ${text.slice(11, 19)}`
  }
}
