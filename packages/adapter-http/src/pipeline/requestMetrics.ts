/** The metrics of requests. */
import * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import { childOf } from "../shared/childOf.ts"

// Each series is a metric of its own. A metric that is shared under attributes (`Metric.withAttributes`) would find the series again
// for each update of another one than the last.
const answers = (method: string, route: string, status: string) =>
  Metric.counter("sojourn_http_requests_total", {
    description: "Answered requests by method, route and status; 499 when the client did not wait",
    attributes: { method, route, status },
    incremental: true
  })

const durations = (method: string, route: string) =>
  Metric.histogram("sojourn_http_request_duration_seconds", {
    description: "Time from a request's head to its answer's, by method and route",
    attributes: { method, route },
    boundaries: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
  })

/** The methods with series of their own. A client can invent others. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** A method as metrics and spans name it. */
export const knownMethod = (method: string): string => (METHODS.has(method) ? method : "other")

interface Series {
  readonly answers: Metric.Counter<number>
  readonly durations: Metric.Histogram<number>
}

/** By route, method and status. All of them are there already: finding a series makes no text of its own. */
const series = new Map<string, Map<string, Map<number, Series>>>()

const nowhere = Context.empty()

/** Measures an answer. The route is its template: no identifier of a person becomes part of a metric. */
export const measureAnswer = (method: string, route: string, status: number, milliseconds: number): void => {
  const known = knownMethod(method)
  const byStatus = childOf(
    childOf(series, route, () => new Map<string, Map<number, Series>>()),
    known,
    () => new Map<number, Series>()
  )
  const of = childOf(byStatus, status, () => ({
    answers: answers(known, route, String(status)),
    durations: durations(known, route)
  }))
  of.answers.updateUnsafe(1, nowhere)
  of.durations.updateUnsafe(milliseconds / 1000, nowhere)
}

type LimitedBy = "caller" | "address" | "username"

const limited = (by: LimitedBy) =>
  Metric.counter("sojourn_limited_requests_total", {
    description:
      "Requests that were refused because a caller or an address had used up what it may ask, or sign-ins for a username had failed",
    attributes: { by },
    incremental: true
  })

const limitedBy = { caller: limited("caller"), address: limited("address"), username: limited("username") }

/** Registers the counters of limited requests: a server that refused none shows 0 for them. */
export const registerLimited = (): void => {
  for (const metric of Object.values(limitedBy)) metric.valueUnsafe(nowhere)
}

/** Counts a request that a limit refused. Not every one has a line in the log. */
export const countLimited = (by: LimitedBy): void => {
  limitedBy[by].updateUnsafe(1, nowhere)
}
