/** The saved state of a geofence, and how it is read. */
import type { PlainFix } from "./FixColumns.ts"

/** What was observed, and who is inside. */
export interface SavedObservation {
  readonly presence: ReadonlyArray<readonly [key: string, isInside: boolean, at: number]>
  readonly fixes: ReadonlyArray<PlainFix>
  readonly late: ReadonlyArray<PlainFix>
  readonly rest: SavedRest | null
  /** Left out where nothing is held, or was seen, as in states of earlier versions. */
  readonly held?: ReadonlyArray<PlainFix>
  readonly hold?: SavedHold
  readonly scatter?: SavedScatter
}

/** What a geofence knows besides its areas. */
export interface SavedState extends SavedObservation {
  readonly version: 1
  readonly sequence: number
  /** By accuracy, timestamp, coordinates and level; a number of all in states of earlier versions, and where there are none. */
  readonly ignored: number | ReadonlyArray<number>
  readonly now: number | null
  /** The times of the last tick and of the last one before the newest fix, if there were. */
  readonly ticks?: ReadonlyArray<number | null>
}

/** A place of rest. */
export type SavedRest = readonly [latitude: number, longitude: number, accuracy: number, duration: number]

/** For how long fixes are held, when the last jump ended, whether they may be of a walk, and how many have sensed motion. */
export type SavedHold = ReadonlyArray<number | null>

/** The mean square of the errors at rest, in standard deviations, and the time over which it is one. */
export type SavedScatter = readonly [square: number, duration: number]

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

const areNumbers = (value: unknown, least: number, most: number): boolean =>
  Array.isArray(value) && value.length >= least && value.length <= most && value.every(isNumber)

/** JSON has no -Infinity, which stands for a time that was not. */
export const savedTime = (time: number): number | null => (time === -Infinity ? null : time)

export const readTimes = (times: ReadonlyArray<number | null>): ReadonlyArray<number> =>
  times.map((time) => time ?? -Infinity)

/** Numbers, or null for a time that was not. */
const areTimes = (value: unknown, least: number, most: number): boolean =>
  Array.isArray(value) &&
  areNumbers(
    value.map((time) => time ?? 0),
    least,
    most
  )

const areFixes = (value: unknown): boolean => Array.isArray(value) && value.every((fix) => areNumbers(fix, 4, 5))

const isPresence = (value: unknown): boolean =>
  Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "boolean" && isNumber(value[2])

/** The state that a value holds; undefined for a value that holds none. */
export const readState = (saved: unknown): SavedState | undefined => {
  if (typeof saved !== "object" || saved === null) return undefined
  const state = saved as SavedState
  const isState =
    state.version === 1 &&
    Number.isSafeInteger(state.sequence) &&
    state.sequence >= 0 &&
    (isNumber(state.ignored) || areNumbers(state.ignored, 4, 4)) &&
    (state.now === null || isNumber(state.now)) &&
    (state.ticks === undefined || areTimes(state.ticks, 2, 2)) &&
    Array.isArray(state.presence) &&
    state.presence.every(isPresence) &&
    areFixes(state.fixes) &&
    areFixes(state.late) &&
    (state.rest === null || areNumbers(state.rest, 4, 4)) &&
    (state.held === undefined || areFixes(state.held)) &&
    (state.hold === undefined || areTimes(state.hold, 4, 5)) &&
    (state.scatter === undefined || areNumbers(state.scatter, 2, 2))
  return isState ? state : undefined
}
