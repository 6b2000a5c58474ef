/** Checks of what a device reports: the types say what it should be, and devices differ. */
import { LEVELS } from "../organizations/Floor.ts"
import type { GeofenceFix } from "./types.ts"

/** Why a fix is ignored: the part of it that is no value, or that repeats or contradicts the fixes before. */
export type Fault = "accuracy" | "timestamp" | "coordinates" | "level"

/** The best accuracy that is believed, in metres: devices claim better ones than there are. */
const BEST_ACCURACY = 3

/** The accuracy that a fix without one is taken to have, in metres. */
const UNKNOWN_ACCURACY = 100

/** The speed in metres per second from which a device moves. */
const LEAST_SPEED = 0.7

/** Where {@link readFix} puts the values of a fix. */
export const TIMESTAMP = 0
export const LATITUDE = 1
export const LONGITUDE = 2
export const ACCURACY = 3
/** NaN for a fix without a level. */
export const LEVEL = 4
/** Whether the device's sensors detect motion: 1, or -1 for rest, or 0 where they say nothing. */
export const MOTION = 5

const isDegrees = (value: unknown, most: number): boolean => typeof value === "number" && Math.abs(value) <= most

export const isTime = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= 8.64e15

const isLevel = (value: number): boolean =>
  Number.isInteger(value) && value >= LEVELS.smallest && value <= LEVELS.largest

/** Reads a fix into six numbers. Devices that know nothing report latitude 0 and longitude 0. */
export const readFix = (fix: GeofenceFix | undefined | null, into: Float64Array): Fault | undefined => {
  try {
    const coords = fix?.coords
    if (fix === undefined || fix === null || coords === undefined || coords === null) return "coordinates"
    into[TIMESTAMP] = NaN
    into[LEVEL] = NaN
    const { latitude, longitude, accuracy, speed } = coords
    if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180)) return "coordinates"
    if (latitude === 0 && longitude === 0) return "coordinates"
    if (typeof accuracy !== "number" || !(Math.abs(accuracy) < Infinity)) return "accuracy"
    const { timestamp, level, moving } = fix
    if (!isTime(timestamp)) return "timestamp"
    if (level !== undefined && level !== null) {
      if (!isLevel(level)) return "level"
      into[LEVEL] = level
    }
    into[TIMESTAMP] = timestamp
    into[LATITUDE] = latitude
    into[LONGITUDE] = longitude
    into[ACCURACY] = accuracy > 0 ? Math.max(BEST_ACCURACY, accuracy) : UNKNOWN_ACCURACY
    into[MOTION] = moving === true || Number(speed) >= LEAST_SPEED ? 1 : moving === false ? -1 : 0
    return undefined
  } catch {
    // A getter that throws.
    return "coordinates"
  }
}
