/** The HTTP client for an OpenTelemetry collector, bounded so that its outages do not affect the server. */
import { Clock, Context, Effect, Layer, Metric } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"

/** The timeout of a request to the collector. */
const ANSWER_TIMEOUT = "5 seconds"

/** The maximum of concurrent requests to the collector; further ones are dropped. */
const MAX_CONCURRENT_REQUESTS = 4

/** How often the log says that it cannot be reached, at most, in milliseconds. */
const PAUSE = 60_000

const exports = Metric.counter("sojourn_telemetry_exports_total", {
  description: "Attempts to send traces and metrics to the collector, by outcome",
  incremental: true
})
const outcomes = {
  sent: Metric.withAttributes(exports, { outcome: "sent" }),
  failed: Metric.withAttributes(exports, { outcome: "failed" })
}

const services = Context.empty()

/** The reason of a failure, without the collector's address, which may be confidential. */
const reasonOf = (error: HttpClientError.HttpClientError): string =>
  error.reason._tag === "StatusCodeError" ? `status ${error.reason.response.status}` : error.reason._tag

/**
 * The HTTP client of the exporters, with a timeout and bounded concurrency. A collector that is slow or unavailable costs a bounded
 * amount of memory, and one line of the log in a minute.
 */
export const layerCollector: Layer.Layer<HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    for (const outcome of Object.values(outcomes)) outcome.valueUnsafe(services)
    let onTheirWay = 0
    let publishedAt = -Infinity

    const failed = (error: HttpClientError.HttpClientError) =>
      Effect.gen(function* () {
        yield* Metric.update(outcomes.failed, 1)
        const now = yield* Clock.currentTimeMillis
        if (now - publishedAt < PAUSE) return
        publishedAt = now
        yield* Effect.logWarning(`telemetry cannot be sent to the collector: ${reasonOf(error)}`)
      })

    return HttpClient.transform(HttpClient.filterStatusOk(yield* HttpClient.HttpClient), (answer, request) => {
      const refuse = (description: string) =>
        Effect.fail(
          new HttpClientError.HttpClientError({
            reason: new HttpClientError.TransportError({ request, description })
          })
        )
      return Effect.suspend(() => {
        if (onTheirWay >= MAX_CONCURRENT_REQUESTS) return refuse("the collector is behind")
        onTheirWay++
        return Effect.ensuring(
          Effect.timeoutOrElse(answer, { duration: ANSWER_TIMEOUT, orElse: () => refuse("no answer in time") }),
          Effect.sync(() => onTheirWay--)
        )
      }).pipe(
        Effect.tap(() => Metric.update(outcomes.sent, 1)),
        Effect.tapError(failed)
      )
    })
  })
).pipe(Layer.provide(FetchHttpClient.layer))
