import { constants } from "node:os"

/** The signals that ask the process to end. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const

/**
 * How long a signal that comes again is the same one, in milliseconds: a terminal sends it to all of a group of processes, and
 * those that started others pass it on.
 */
const SAME_SIGNAL = 250

/**
 * Lets the first signal end the process in order, as whoever runs it does, and the second one at once, with the exit code that a
 * shell gives for it: 130 for SIGINT and 143 for SIGTERM. Answers a way to ask for the end in order, which does nothing when
 * somebody has asked before.
 */
export const endAtOnceWhenAskedTwice = (): { readonly askToEnd: () => void } => {
  let askedAt: number | undefined
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      const now = performance.now()
      askedAt ??= now
      if (now - askedAt > SAME_SIGNAL) process.exit(128 + constants.signals[signal])
    })
  }
  return {
    askToEnd: () => {
      if (askedAt === undefined) process.kill(process.pid, "SIGTERM")
    }
  }
}
