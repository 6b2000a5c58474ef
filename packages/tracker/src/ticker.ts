/** The tracker's clock: ticks every 10 seconds while there is anything to track. */
import { makeTimer, type Platform } from "./platform.ts"

const TICK_INTERVAL_MS = 10_000

/** How many ticks there are between two synchronizations with other tabs. */
const TICKS_PER_SYNC = 6

/** A tick that is later or earlier by more shows that the process was suspended or the clock was set, in milliseconds. */
const MAX_DRIFT_MS = 60_000

interface TickerOptions {
  readonly platform: Platform
  readonly now: () => number
  /** Whether there is anything to track. */
  readonly isNeeded: () => boolean
  readonly tick: (at: number) => void
  /** Is called when the process was suspended or the clock was set. */
  readonly jumped: () => void
  /** Is called each minute. */
  readonly sync: () => void
}

export const makeTicker = ({ platform, now, isNeeded, tick, jumped, sync }: TickerOptions) => {
  const timer = makeTimer(platform)
  let ticks = 0
  let tickedAt = now()

  const run = () => {
    const at = now()
    if (Math.abs(at - tickedAt - TICK_INTERVAL_MS) > MAX_DRIFT_MS) jumped()
    tickedAt = at
    if (++ticks % TICKS_PER_SYNC === 0) sync()
    tick(at)
    start()
  }
  const start = () => {
    if (!timer.isSet() && isNeeded()) timer.set(run, TICK_INTERVAL_MS)
  }

  return { start, stop: timer.stop }
}
