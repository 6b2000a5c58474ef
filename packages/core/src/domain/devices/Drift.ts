/** The drift of a device at premises. With a publishing interval it is answered as of the last multiple, as counts are. */
import { publishingMoment } from "../feed/PresenceEvent.ts"
import { Timestamp } from "../shared/Timestamp.ts"

/**
 * How many more people a device counted out at premises than were inside: now, and before the publishing interval in which it changed last.
 */
export interface Drift {
  readonly now: number
  readonly before: number
  readonly at?: Timestamp | undefined
}

/** No drift yet. */
export const NO_DRIFT: Drift = { now: 0, before: 0 }

/** The multiple of an interval at which a change is published that was recorded at `at`. */
const multipleFrom = (interval: number, at: Timestamp): number => Math.ceil(at / interval) * interval

/** The drift after a change. */
export const changeDrift = (drift: Drift, change: number, interval: number | undefined, at: Timestamp): Drift => ({
  now: drift.now + change,
  before: isOfInterval(drift, interval, at) ? drift.before : drift.now,
  at
})

/** Whether the last change of a drift is of the publishing interval that `at` is in. */
const isOfInterval = ({ at: last }: Drift, interval: number | undefined, at: Timestamp): boolean =>
  interval !== undefined && last !== undefined && multipleFrom(interval, last) === multipleFrom(interval, at)

/** The drift as it is answered: with a publishing interval, as of its last multiple. */
export const publishedDrift = (drift: Drift, interval: number | undefined, now: Timestamp): number =>
  interval !== undefined && drift.at !== undefined && drift.at > publishingMoment(interval, now)
    ? drift.before
    : drift.now

/** The drift after a correction of the number counted, which takes the place of what devices count within its publishing interval. */
export const correctDrift = (drift: Drift, interval: number | undefined, at: Timestamp): Drift =>
  isOfInterval(drift, interval, at) ? { now: drift.before, before: drift.before } : drift

/** The multiple of a publishing interval until which a correction takes the place of what devices count. */
export const correctedUntil = (interval: number | undefined, at: Timestamp): Timestamp | undefined =>
  interval === undefined ? undefined : Timestamp(multipleFrom(interval, at))
