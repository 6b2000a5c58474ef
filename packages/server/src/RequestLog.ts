import { type Answered, RequestLog } from "@sojourn/adapter-http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LineWriter from "./LineWriter.ts"

/** Which answers get a line: none, refusals and failures and a sample of the others, or all of them. */
export const REQUEST_LOGS = ["off", "sample", "all"] as const

export type RequestLogKind = (typeof REQUEST_LOGS)[number]

/** Of so many answers that are neither refused nor failed, the sample has one. */
export const SAMPLED = 100

/** A line, as JSON. A sampled one says how many answers it stands for. */
export const toLine = (
  { requestId, method, route, status, milliseconds }: Answered,
  time: string,
  standsFor?: number
): string =>
  JSON.stringify({ time, requestId, method, route, status, ms: Math.round(milliseconds * 100) / 100, standsFor })

/** Many lines are of one millisecond: it is put into words once. */
const makeClock = () => {
  let last = 0
  let text = ""
  return () => {
    const now = Date.now()
    if (now !== last) {
      last = now
      text = new Date(now).toISOString()
    }
    return text
  }
}

/** Writes a line for each of these answers. */
export const makeRequestLog = (kind: "sample" | "all", write: (line: string) => void) => {
  const now = makeClock()
  let others = 0
  return (answered: Answered): void => {
    if (kind === "all" || answered.status >= 400) return write(toLine(answered, now()))
    others++
    if (others % SAMPLED === 0) write(toLine(answered, now(), SAMPLED))
  }
}

/** The requests of a server as JSON lines on standard error, without anything that names a person or is a secret. */
export const layerRequestLog = (kind: RequestLogKind): Layer.Layer<never> =>
  kind === "off"
    ? Layer.empty
    : Layer.effect(
        RequestLog,
        // Whoever asks for process.stderr makes a pipe there non-blocking. A write that waited for a reader, as one to the bare
        // descriptor does, would keep the process from its end.
        Effect.map(LineWriter.make(process.stderr.fd), ({ write }) => makeRequestLog(kind, write))
      )
