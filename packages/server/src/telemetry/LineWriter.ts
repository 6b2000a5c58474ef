/** Writes the lines of the log in batches, so that a reader that stalls never blocks the server. */
import { Context, Effect, Metric, type Scope } from "effect"
import * as fs from "node:fs"

/** How long lines wait for others to be written with, in milliseconds. */
const PAUSE = 100

/** How many characters are written at once without waiting for more. */
const ENOUGH = 64 * 1024

/** The size of the buffer, in characters, above which further lines are dropped. */
const MAX_BUFFERED_CHARACTERS = 1024 * 1024

/** How long the end waits for what is still to be written. */
const LAST_WAIT = "1 second"

const DROPPED = Metric.counter("sojourn_log_lines_dropped_total", {
  description: "Lines of the log that were dropped because they were not read in time",
  incremental: true
})

export interface LineWriter {
  /** Appends a line, without its newline. Never waits: when the buffer is full, the line is dropped and counted. */
  readonly write: (line: string) => void
}

/** The way to write bytes, as `fs.write` does it. */
export type WriteBytes = (
  fd: number,
  bytes: Buffer,
  done: (error: NodeJS.ErrnoException | null, written: number) => void
) => void

/**
 * Writes lines to a file descriptor in batches, one write after the other, without blocking the caller, even if the reader has
 * stopped. A line tells how many lines were dropped. Closing the scope waits for the rest, for a second at most.
 */
export const make = (
  fd: number,
  tellDropped: (count: number) => string = (dropped) => JSON.stringify({ dropped }),
  writeBytes: WriteBytes = fs.write
): Effect.Effect<LineWriter, never, Scope.Scope> =>
  Effect.gen(function* () {
    DROPPED.valueUnsafe(Context.empty())
    // One text: joining lines as they come copies none of them before they are written.
    let waiting = ""
    let dropped = 0
    let rest: Buffer | undefined
    let timer: NodeJS.Timeout | undefined
    let isWriting = false
    let whenIdle: (() => void) | undefined

    const takeAll = (): Buffer => {
      if (dropped > 0) waiting += `${tellDropped(dropped)}\n`
      const bytes = Buffer.from(waiting)
      waiting = ""
      dropped = 0
      return bytes
    }

    const flush = (): void => {
      timer = undefined
      if (isWriting) return
      if (rest === undefined && waiting === "") return whenIdle?.()
      const bytes = (rest ??= takeAll())
      isWriting = true
      writeBytes(fd, bytes, (error, written) => {
        isWriting = false
        // After EAGAIN or a partial write the rest is tried again. Other errors are permanent.
        if (error === null) rest = written < bytes.length ? bytes.subarray(written) : undefined
        else if (error.code !== "EAGAIN") rest = undefined
        if (error === null && (rest !== undefined || waiting.length >= ENOUGH)) flush()
        else if (rest !== undefined || waiting !== "") schedule()
        else whenIdle?.()
      })
    }

    const schedule = (): void => {
      timer ??= setTimeout(flush, PAUSE).unref()
    }
    const hurry = (): void => {
      clearTimeout(timer)
      timer = setTimeout(flush, 0)
    }

    yield* Effect.addFinalizer(() =>
      Effect.callback<void>((resume) => {
        whenIdle = () => resume(Effect.void)
        flush()
      }).pipe(Effect.timeoutOption(LAST_WAIT))
    )
    return {
      write: (line) => {
        const before = waiting.length
        if (before >= MAX_BUFFERED_CHARACTERS) {
          dropped++
          DROPPED.updateUnsafe(1, Context.empty())
          return
        }
        waiting += `${line}\n`
        if (before < ENOUGH && waiting.length >= ENOUGH && !isWriting) hurry()
        else schedule()
      }
    }
  })
