/** The difference between the device's clock and the server's: phones may be minutes off, and movements are sent in server time. */
import { parseHttpDate } from "./httpDate.ts"
import type { TrackerResponse } from "./types.ts"

/** A clock that is off by less counts as right, in milliseconds. */
const TOLERANCE_MS = 60_000

/** How long a measure of the difference is valid, in milliseconds. */
const VALIDITY_MS = 60 * 60_000

/** An answer that took longer says too little of the time, in milliseconds. */
const MAX_ROUND_TRIP_MS = 30_000

export const isHtml = (headers: TrackerResponse["headers"]): boolean =>
  /^\s*text\/html/i.test(headers.get("content-type") ?? "")

/** Compares the device's clock with the server's, by the `Date` of its answers. */
export const makeServerClock = (now: () => number) => {
  let measured: { readonly offset: number; readonly at: number } | undefined

  return {
    /** Takes an answer to a request that began at `sentAt`. */
    measure: ({ headers }: TrackerResponse, sentAt: number) => {
      const at = now()
      const date = parseHttpDate(headers.get("date"))
      if (date === undefined) {
        // Pages of networks that ask their users to sign in say nothing of the server.
        if (!isHtml(headers)) measured ??= { offset: 0, at }
        return
      }
      if (at < sentAt || at - sentAt > MAX_ROUND_TRIP_MS) return
      const age = Number(headers.get("age") ?? 0) * 1000 || 0
      // The date is cut to seconds, and is of some moment in between.
      measured = { offset: date + age + 500 - (sentAt + at) / 2, at }
    },
    /** Drops what was measured, when the device's clock may have been set. */
    doubt: () => {
      measured = undefined
    },
    isKnown: () => {
      const age = measured === undefined ? -1 : now() - measured.at
      return age >= 0 && age < VALIDITY_MS
    },
    /** A time of the device's clock as the server's clock has it. A clock that is right but for a minute is left alone. */
    correct: (time: number): number => {
      const offset = measured?.offset ?? 0
      return Math.floor(Math.abs(offset) > TOLERANCE_MS ? time + offset : time)
    }
  }
}

export type ServerClock = ReturnType<typeof makeServerClock>
