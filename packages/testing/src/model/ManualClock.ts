import { type Clock, Duration, Effect } from "effect"
import { BEGINNING } from "./World.ts"

/**
 * A clock whose time of day only `advance` moves, so that a service's answers are known to the millisecond. Sleeping is
 * passed on to the real clock: a server in it lives on.
 */
export const makeManualClock = (real: Clock.Clock) => {
  let now = BEGINNING
  const nanoseconds = () => BigInt(now) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: nanoseconds,
    currentTimeNanos: Effect.sync(nanoseconds),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => real.sleep(Duration.fromInputUnsafe(duration))
  }
  const advance = (milliseconds: number) =>
    Effect.sync(() => {
      now += milliseconds
    })
  return { clock, advance }
}
