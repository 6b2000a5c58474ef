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

/** The series of a method, a route and a status, which says its number whenever somebody asks for the metrics. */
const makeSeries = (method: string, route: string, status: number): Series => {
  const series = { count: 0 }
  const metric = Metric.withAttributes(answers, { method, route, status: String(status) })
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
  if (series === undefined) all.set(key, (series = makeSeries(known, route, status)))
  series.count++
}
