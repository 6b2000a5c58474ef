/** Lines of the log about answered requests. */
import type { Answered } from "@sojourn/adapter-http"
import { Cause } from "effect"
import type { LogLevel } from "effect/LogLevel"
import type { Entry } from "./LogFormat.ts"

/** Which answers are logged: all; refusals, failures and a sample of the others; or the server's failures alone. */
export const REQUEST_LOGS = ["all", "sample", "off"] as const

export type RequestLogKind = (typeof REQUEST_LOGS)[number]

/** The sample has one of so many successful answers. */
export const SAMPLED = 100

/** A request that was answered without a failure, which most lines are about. */
export interface PlainRequest {
  readonly time: string
  readonly level: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly requestId: string
}

/** The same as an entry of the log. */
export const plainEntry = ({ time, level, ...fields }: PlainRequest): Entry => ({
  time,
  level,
  message: "request",
  fields
})

/** Text that JSON has between quotes as it is. */
const UNESCAPED = /^[ !#-[\]-~]*$/

/** Formats plain requests as `json` does, to the letter, but formats once what the lines of a route have in common. */
export const makePlainJson = (): ((plain: PlainRequest) => string) => {
  const common = new Map<string, Map<string, Array<string>>>()
  const commonOf = ({ level, method, route, status }: PlainRequest): string => {
    let byMethod = common.get(route)
    if (byMethod === undefined) common.set(route, (byMethod = new Map()))
    let byStatus = byMethod.get(method)
    if (byStatus === undefined) byMethod.set(method, (byStatus = []))
    return (byStatus[status] ??= JSON.stringify({ level, message: "request", method, route, status }).slice(1, -1))
  }
  return (plain) => {
    const { time, ms, requestId } = plain
    const id = UNESCAPED.test(requestId) ? `"${requestId}"` : JSON.stringify(requestId)
    return `{"time":"${time}",${commonOf(plain)},"ms":${ms},"requestId":${id}}`
  }
}

/** Formats a millisecond once for all lines of it. */
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

/**
 * The log level of an answer. A failure with a cause is an error. A 5xx without a cause is intended, as during a drain or under
 * overload.
 */
const levelOf = ({ status, failure }: Answered): LogLevel => {
  if (status < 500) return failure === undefined ? "Info" : "Warn"
  return failure === undefined ? "Warn" : "Error"
}

const inWords = (cause: unknown): string | undefined =>
  cause === undefined ? undefined : Cause.isCause(cause) ? Cause.pretty(cause) : String(cause)

/** Writes a line about each selected answer. A line of a sample says how many answers it stands for. */
export const makeRequestLines = (
  kind: RequestLogKind,
  isEnabled: (level: LogLevel) => boolean,
  write: (entry: Entry) => void,
  writePlain: (plain: PlainRequest) => void = (plain) => write(plainEntry(plain))
) => {
  const now = makeClock()
  let others = 0
  return (answered: Answered): void => {
    const { requestId, traceId, method, route, status, milliseconds, refusal, failure } = answered
    let standsFor: number | undefined
    if (failure === undefined && kind !== "all") {
      if (kind === "off") return
      if (status < 400) {
        if (++others % SAMPLED !== 0) return
        standsFor = SAMPLED
      }
    }
    const grave = levelOf(answered)
    if (!isEnabled(grave)) return
    const level = grave.toLowerCase()
    const ms = Math.round(milliseconds * 100) / 100
    if (failure === undefined && refusal === undefined && traceId === undefined && standsFor === undefined) {
      return writePlain({ time: now(), level, method, route, status, ms, requestId })
    }
    write({
      time: now(),
      level,
      message: "request",
      fields: { method, route, status, ms, requestId, traceId, standsFor, reason: refusal, error: failure?.message },
      cause: inWords(failure?.cause)
    })
  }
}
