/** Sends the recorded movements in order, each once, with retries. */
import { attempt, type AttemptOptions } from "./attempt.ts"
import { makeTimer, type Platform } from "./platform.ts"
import { countWaiting, firstWaiting, keyOf } from "./visits.ts"

/** The bounds of the delay between attempts, in milliseconds. */
const MIN_DELAY_MS = 1_000
const MAX_DELAY_MS = 5 * 60_000

/** The longest that a server can ask to wait, in milliseconds. */
const MAX_PAUSE_MS = 60 * 60_000

export interface DeliveryOptions extends AttemptOptions {
  readonly platform: Platform
}

/** Sends the movements that wait, in their order, until each is settled. */
export const makeDelivery = ({ platform, ...options }: DeliveryOptions) => {
  const { journal, now, report } = options
  let failures = 0
  let pausedUntil = -Infinity
  const timer = makeTimer(platform)
  let running: Promise<void> | undefined
  const context = {
    ...options,
    pause: (milliseconds: number) => {
      pausedUntil = now() + Math.min(milliseconds, MAX_PAUSE_MS)
    }
  }

  /** Sends what can be sent. Returns whether nothing is left that has to be tried again. */
  const sendAll = async (): Promise<boolean> => {
    const later = new Set<string>()
    /** The next movement to send; it is stored. */
    const next = async () => {
      await journal.sync()
      return firstWaiting(journal.memory().state, later)
    }
    for (let waiting = await next(); waiting !== undefined; waiting = await next()) {
      const outcome = await attempt(context, waiting)
      if (outcome === "all wait") return false
      if (outcome === "premises wait") later.add(keyOf(waiting.visit.premises))
    }
    return later.size === 0
  }

  /** How long the server has asked to wait from now on. A pause that is too long is of a clock that was set. */
  const pause = () => {
    const left = pausedUntil - now()
    return left > MAX_PAUSE_MS ? 0 : Math.max(0, left)
  }

  const run = async () => {
    if (pause() > 0) return
    let isDone = false
    try {
      isDone = await sendAll()
      if (isDone) report(undefined)
    } catch (error) {
      report(error)
    }
    failures = isDone ? 0 : failures + 1
  }

  const runOnce = (): Promise<void> => {
    timer.stop()
    running ??= run().finally(() => {
      running = undefined
      schedule()
    })
    return running
  }

  const isWaiting = () => countWaiting(journal.memory().state) > 0 || !journal.isStored()

  /** Plans the next attempt, if something waits: at once, or with full jitter after failures. */
  const schedule = () => {
    if (running !== undefined || timer.isSet() || !isWaiting()) return
    const bound = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** failures)
    const backoff = failures === 0 ? 0 : MIN_DELAY_MS + platform.random() * (bound - MIN_DELAY_MS)
    timer.set(() => void runOnce(), Math.max(backoff, pause()))
  }

  return {
    schedule,
    flush: async () => {
      if (running !== undefined) await running
      // Another tab may have stored what waits.
      await journal.sync().catch(report)
      if (isWaiting()) await runOnce()
    },
    stop: () => {
      timer.stop()
      failures = 0
      pausedUntil = -Infinity
    }
  }
}
