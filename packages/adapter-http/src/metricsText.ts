/** The metrics as Prometheus text. Everyone may read them, so that a reading costs a write of bytes and nothing else. */
import * as Effect from "effect/Effect"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { type Answer, bytes } from "./pipeline/answer.ts"

/** How old the text may be, in milliseconds. */
const MAX_AGE = 1_000

/** Answers the metrics, rendered once in `MAX_AGE` at most, when they are requested. All responses share the bytes. */
export const makeMetricsText = (): Effect.Effect<Answer> => {
  const encoder = new TextEncoder()
  let rendered: Answer | undefined
  let renderedAt = -Infinity
  return Effect.map(Effect.context<never>(), (services) => {
    const now = performance.now()
    if (rendered === undefined || now - renderedAt >= MAX_AGE) {
      const text = PrometheusMetrics.formatUnsafe(services)
      rendered = bytes(encoder.encode(text), "text/plain; version=0.0.4; charset=utf-8")
      renderedAt = now
    }
    return rendered
  })
}
