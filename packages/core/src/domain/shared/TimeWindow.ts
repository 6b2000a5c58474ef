/** Windows of time that records are read in. */
import * as Result from "effect/Result"
import { TaggedError } from "./TaggedError.ts"
import type { Timestamp } from "./Timestamp.ts"

/** A window: `from` is its first instant, `to` the first after it. */
export interface TimeWindow {
  readonly from: Timestamp
  readonly to: Timestamp
}

/** The longest window in milliseconds: 366 days. */
export const LONGEST_WINDOW_MS = 366 * 86_400_000

/** A window of nothing, or one that is longer than {@link LONGEST_WINDOW_MS}. */
export class TimeWindowInvalid extends TaggedError("TimeWindowInvalid", "the window is empty or longer than 366 days")<{
  readonly because: "FromIsNotBeforeTo" | "TooLong"
}> {}

/** Accepts a window that is not empty and not too long (spec: stays#window). */
export const requireWindow = ({ from, to }: TimeWindow): Result.Result<void, TimeWindowInvalid> => {
  if (from >= to) return Result.fail(new TimeWindowInvalid({ because: "FromIsNotBeforeTo" }))
  return to - from > LONGEST_WINDOW_MS ? Result.fail(new TimeWindowInvalid({ because: "TooLong" })) : Result.void
}
