import * as Context from "effect/Context"

/** Which requests are traced. */
export interface RequestTracesOptions {
  /** Of how many requests a trace is made: 0 for none, 1 for all. */
  readonly ratio: number
  /**
   * Does whoever names a trace in `traceparent` also decide whether it is recorded? That is for servers whose callers are
   * trusted, such as a gateway of one's own: anybody else could have every request recorded.
   */
  readonly callersDecide: boolean
}

/**
 * Makes a span of a sample of the requests, with Effect's `Tracer`. There are none unless whoever composes the server provides
 * this. A span is named by the method and the route's template and holds the status: no path, header, address or identifier.
 */
export const RequestTraces: Context.Reference<RequestTracesOptions | undefined> = Context.Reference<
  RequestTracesOptions | undefined
>("@sojourn/adapter-http/RequestTraces", { defaultValue: () => undefined })
