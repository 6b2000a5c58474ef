/** Checks of what a device reports: the types say what it should be, and devices differ. */
import { LEVELS } from "../organizations/Floor.ts"
import type { GeofenceFix } from "./types.ts"

const isDegrees = (value: unknown, most: number): value is number =>
  typeof value === "number" && Math.abs(value) <= most

const isAccuracy = (value: unknown): value is number => typeof value === "number" && value > 0 && value < Infinity

export const isTime = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= 8.64e15

const isLevel = (value: number | undefined): boolean =>
  value === undefined || (Number.isInteger(value) && value >= LEVELS.smallest && value <= LEVELS.largest)

/** Whether a value is a fix. Devices that know nothing report latitude 0 and longitude 0. */
export const isFix = (fix: GeofenceFix | undefined): fix is GeofenceFix => {
  const { latitude, longitude, accuracy } = fix?.coords ?? {}
  return (
    isDegrees(latitude, 90) &&
    isDegrees(longitude, 180) &&
    isAccuracy(accuracy) &&
    isTime(fix?.timestamp) &&
    isLevel(fix?.level) &&
    !(latitude === 0 && longitude === 0)
  )
}
