import * as Context from "effect/Context"
import type { Failure } from "./failure.ts"

/** The log entry of an answered request. It contains nothing that names a person, and nothing of a token. */
export interface Answered {
  readonly requestId: string
  /** The trace that the request is a part of, when the caller named one or this server began one. */
  readonly traceId: string | undefined
  readonly method: string
  /** The template of the route and never the path, which contains identifiers and exit tokens; `none` where no route matches. */
  readonly route: string
  /** 499 when the client did not wait for it. */
  readonly status: number
  /** From the request's head to the answer's. */
  readonly milliseconds: number
  /** Why a request was refused, in a sentence without values of the client and of people; undefined for other answers. */
  readonly refusal: string | undefined
  /** Why it failed, when that is the server's fault. */
  readonly failure: Failure | undefined
}

/**
 * Receives every answer when it is sent; it must be quick, and must not throw. By default there is none, and failures go to
 * Effect's logger.
 */
export const RequestLog: Context.Reference<((answered: Answered) => void) | undefined> = Context.Reference<
  ((answered: Answered) => void) | undefined
>("@sojourn/adapter-http/RequestLog", { defaultValue: () => undefined })
