/** Sends traces and metrics to an OpenTelemetry collector. */
import { RequestTraces } from "@sojourn/adapter-http"
import { Effect, Layer, Tracer } from "effect"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import { TracerEnabled } from "effect/References"
import { layerCollector } from "./Collector.ts"
import { redacted } from "./Redaction.ts"

export interface OtlpOptions {
  /** The collector's base address, which `/v1/traces` and `/v1/metrics` are added to. */
  readonly endpoint: URL
  /** What is sent with every request to it, such as credentials. */
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly serviceName: string
  readonly version: string
  /** Of how many requests a trace is made: 0 to 1. */
  readonly ratio: number
  /** Whether the sampling flag of a caller who names a trace decides whether it is recorded. */
  readonly callersDecide: boolean
}

/** How long the end of the server waits for what is still to be sent. */
const LAST_WAIT = "2 seconds"

/** Sends traces of a sample of the requests, and all metrics, to a collector (OTLP over HTTP, as JSON). */
export const layerOtlp = ({
  endpoint,
  headers,
  serviceName,
  version,
  ratio,
  callersDecide
}: OtlpOptions): Layer.Layer<never> => {
  const common = {
    headers,
    // The instance distinguishes the servers of one service.
    resource: {
      serviceName,
      serviceVersion: version,
      attributes: { "service.instance.id": crypto.randomUUID() }
    },
    shutdownTimeout: LAST_WAIT
  } as const
  const base = endpoint.href.replace(/\/$/, "")
  const tracer = Layer.effect(
    Tracer.Tracer,
    Effect.map(OtlpTracer.make({ ...common, url: `${base}/v1/traces` }), redacted)
  )
  return Layer.mergeAll(
    ratio > 0 || callersDecide ? tracer : Layer.empty,
    OtlpMetrics.layer({ ...common, url: `${base}/v1/metrics`, exportInterval: "15 seconds" }),
    Layer.succeed(RequestTraces, { ratio, callersDecide })
  ).pipe(Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerJson, layerCollector]))
}

/** Makes no spans, for a server without a collector. */
export const layerNoSpans: Layer.Layer<never> = Layer.succeed(TracerEnabled, false)
