import * as Context from "effect/Context"
import * as Metric from "effect/Metric"

const answers = Metric.counter("sojourn_http_requests_total", {
  description: "Answered requests by method, route and status",
  incremental: true
})

const series = new Map<string, Metric.Metric<number, unknown>>()

/** Methods are the client's to invent; the series are not. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** Counts an answer. The route is its template: no identifier of anybody becomes part of a metric. */
export const countAnswer = (method: string, route = "none", status: number): void => {
  const known = METHODS.has(method) ? method : "other"
  const key = `${known} ${route} ${status}`
  let metric = series.get(key)
  if (metric === undefined) {
    metric = Metric.withAttributes(answers, { method: known, route, status: String(status) })
    series.set(key, metric)
  }
  metric.updateUnsafe(1, Context.empty())
}
