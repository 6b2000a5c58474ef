/** The metrics as Prometheus text. Everyone may read them, so that a reading costs a write of bytes and nothing else. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { type Answer, bytes } from "./pipeline/answer.ts"

/** How old the text may be, in milliseconds. */
const MAX_AGE_MS = 1_000

/** Renders the metrics that `GET /metrics` answers, as Prometheus text: by default those of this process. */
export const MetricsText = Context.Reference<Effect.Effect<string>>("@sojourn/adapter-http/MetricsText", {
  defaultValue: () => Effect.map(Effect.context<never>(), (services) => PrometheusMetrics.formatUnsafe(services))
})

/** Answers the metrics, rendered once in `MAX_AGE_MS` at most, when they are requested. All responses share the bytes. */
export const makeMetricsText = (render: Effect.Effect<string>): Effect.Effect<Answer> => {
  const encoder = new TextEncoder()
  let rendered: Answer | undefined
  let renderedAt = -Infinity
  return Effect.suspend(() => {
    if (rendered !== undefined && performance.now() - renderedAt < MAX_AGE_MS) return Effect.succeed(rendered)
    return Effect.map(render, (text) => {
      renderedAt = performance.now()
      return (rendered = bytes(encoder.encode(text), "text/plain; version=0.0.4; charset=utf-8"))
    })
  })
}
