import * as Context from "effect/Context"
import * as Metric from "effect/Metric"

const answers = Metric.counter("sojourn_http_requests_total", {
  description: "Answered requests by method, route and status",
  incremental: true
})

/** Methods are the client's to invent; the series are not. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

interface Series {
  count: number
}

/** A series that says its number whenever somebody asks for the metrics. */
const makeSeries = (metric: Metric.Counter<number>): Series => {
  const series = { count: 0 }
  Metric.registerUnsafe(metric, Context.empty(), {
    get: () => ({ count: series.count, incremental: true }),
    update: () => {},
    modify: () => {}
  })
  return series
}

const all = new Map<string, Series>()

/** Counts an answer. The route is its template: no identifier of anybody becomes part of a metric. */
export const countAnswer = (method: string, route: string, status: number): void => {
  const known = METHODS.has(method) ? method : "other"
  const key = `${known} ${status} ${route}`
  let series = all.get(key)
  if (series === undefined) {
    series = makeSeries(Metric.withAttributes(answers, { method: known, route, status: String(status) }))
    all.set(key, series)
  }
  series.count++
}

const limited = Metric.counter("sojourn_limited_requests_total", {
  description: "Requests that were refused because a caller, or an address, had used up what it may ask",
  incremental: true
})

/** Counts a request that a limit refused. Nobody writes a line for each. */
export const countLimited = (by: "caller" | "address"): void => {
  let series = all.get(by)
  if (series === undefined) all.set(by, (series = makeSeries(Metric.withAttributes(limited, { by }))))
  series.count++
}
