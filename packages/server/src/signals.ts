/** The signals of the process: a graceful shutdown at the first, an immediate exit at the second. */
import { constants } from "node:os"

/** The signals that ask the process to end. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const

/**
 * How long a repeated signal counts as the same one, in milliseconds: a terminal signals all processes of a group, and parent
 * processes forward the signal.
 */
const SAME_SIGNAL_MS = 250

/**
 * Handles signals: the first one shuts the process down gracefully, the second one ends it at once, with the exit code that a
 * shell gives for it (130 for SIGINT, 143 for SIGTERM). Returns a function that starts the graceful shutdown, once.
 */
export const endAtOnceWhenAskedTwice = (): { readonly askToEnd: () => void } => {
  let askedAt: number | undefined
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      const now = performance.now()
      askedAt ??= now
      if (now - askedAt > SAME_SIGNAL_MS) process.exit(128 + constants.signals[signal])
    })
  }
  return {
    askToEnd: () => {
      if (askedAt === undefined) process.emit("SIGTERM", "SIGTERM")
    }
  }
}
