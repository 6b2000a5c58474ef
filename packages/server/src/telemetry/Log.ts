/** The log of the server: Effect's logger and the request log, in one stream of lines. */
import { RequestLog } from "@sojourn/adapter-http"
import { Context, Effect, Layer, Logger, LogLevel } from "effect"
import { MinimumLogLevel } from "effect/References"
import { type Entry, formatter, isJson, type LogFormat } from "./LogFormat.ts"
import * as LineWriter from "./LineWriter.ts"
import { makePlainJson, makeRequestLines, plainEntry, type PlainRequest, type RequestLogKind } from "./RequestLines.ts"

export interface LogOptions {
  /** The lowest level that is written. */
  readonly level: LogLevel.LogLevel
  readonly format: LogFormat
  readonly requests: RequestLogKind
}

/** The lines of the log, which the workers' lines are written among. */
export class LogLines extends Context.Service<
  LogLines,
  {
    /** Writes the lines of a stream, which are formatted already. */
    readonly forward: (stream: NodeJS.ReadableStream) => void
  }
>()("@sojourn/server/LogLines") {}

/** Calls `write` with the lines of a stream. */
const forwardTo = (write: (line: string) => void) => (stream: NodeJS.ReadableStream) => {
  let rest = ""
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop()!
    lines.forEach(write)
  })
}

const inWords = (part: unknown): string => (typeof part === "string" ? part : String(JSON.stringify(part)))

/** Effect's logger, which writes entries of the same shape as requests. */
const makeLogger = (write: (entry: Entry) => void): Logger.Logger<unknown, void> =>
  Logger.map(Logger.formatStructured, ({ timestamp, level, message, annotations, cause }) =>
    write({
      time: timestamp,
      level: level.toLowerCase(),
      message: (Array.isArray(message) ? message : [message]).map(inWords).join(": "),
      fields: annotations,
      cause
    })
  )

/**
 * The log of the server: one stream of lines on standard error, for requests and everything else. Logging never waits for the
 * reader.
 */
export const layerLog = ({ level, format, requests }: LogOptions): Layer.Layer<LogLines> => {
  const lines = Effect.gen(function* () {
    // Accessing process.stderr makes a pipe non-blocking. A blocking write, as to the bare descriptor, could keep the process from
    // ending.
    const { fd, isTTY } = process.stderr
    const toLine = formatter(format, isTTY)
    const { write } = yield* LineWriter.make(fd, (dropped) =>
      toLine({
        time: new Date().toISOString(),
        level: "warn",
        message: "lines were dropped, as they were not read in time",
        fields: { dropped }
      })
    )
    const toPlainLine = isJson(format, isTTY) ? makePlainJson() : (plain: PlainRequest) => toLine(plainEntry(plain))
    return {
      writeLine: write,
      write: (entry: Entry) => write(toLine(entry)),
      writePlain: (plain: PlainRequest) => write(toPlainLine(plain))
    }
  })
  return Layer.unwrap(
    Effect.map(lines, ({ writeLine, write, writePlain }) =>
      Layer.mergeAll(
        Layer.succeed(LogLines, { forward: forwardTo(writeLine) }),
        Layer.succeed(MinimumLogLevel, level),
        Logger.layer([makeLogger(write)]),
        Layer.succeed(
          RequestLog,
          makeRequestLines(
            requests,
            (of) => level !== "None" && LogLevel.isGreaterThanOrEqualTo(of, level),
            write,
            writePlain
          )
        )
      )
    )
  )
}

/** Leaves out the lines of requests while `isQuiet`, but for those of failures. */
export const layerQuiet = (isQuiet: () => boolean): Layer.Layer<never> =>
  Layer.effect(
    RequestLog,
    Effect.map(
      RequestLog,
      (log) =>
        log &&
        ((answered) => {
          if (answered.failure !== undefined || !isQuiet()) log(answered)
        })
    )
  )
