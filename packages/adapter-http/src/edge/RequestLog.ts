import * as Context from "effect/Context"

/** What may be written down of an answered request: nothing that names a person, and nothing of a token. */
export interface Answered {
  readonly requestId: string
  readonly method: string
  /** The template of the route and never the path, in which identifiers and exit tokens stand; `none` beside all routes. */
  readonly route: string
  readonly status: number
  /** From the request's head to the answer's. */
  readonly milliseconds: number
}

/**
 * Is told of every answer before it leaves; it must be quick, and must not throw. There is none unless whoever composes the
 * server provides one. Failures of the server go to Effect's logger as well, whether there is one or not.
 */
export const RequestLog: Context.Reference<((answered: Answered) => void) | undefined> = Context.Reference<
  ((answered: Answered) => void) | undefined
>("@sojourn/adapter-http/RequestLog", { defaultValue: () => undefined })
