import * as Context from "effect/Context"

/** Which requests are traced. */
export interface RequestTracesOptions {
  /** The share of requests that are traced, from 0 to 1. */
  readonly ratio: number
  /**
   * Whether the caller's `traceparent` also decides whether the trace is recorded. For trusted callers only, such as a gateway:
   * any other caller could have every request recorded.
   */
  readonly callersDecide: boolean
}

/**
 * Makes a span of a sample of the requests, with Effect's `Tracer`. There are none unless the server provides this
 * reference. A span is named by the method and the route's template and holds the status: no path, header, address or identifier.
 */
export const RequestTraces: Context.Reference<RequestTracesOptions | undefined> = Context.Reference<
  RequestTracesOptions | undefined
>("@sojourn/adapter-http/RequestTraces", { defaultValue: () => undefined })
