/** The telemetry of a server: its log, its process metrics, and the export to a collector. */
import { Layer } from "effect"
import { layerLog, type LogLines, type LogOptions } from "./Log.ts"
import { layerNoSpans, layerOtlp, type OtlpOptions } from "./Otlp.ts"
import { layerProcessMetrics } from "./ProcessMetrics.ts"

export interface TelemetryOptions {
  readonly log: LogOptions
  /** Where traces and metrics are sent to; nowhere when left out. */
  readonly otlp: OtlpOptions | undefined
}

export const layerTelemetry = ({ log, otlp }: TelemetryOptions, version: string): Layer.Layer<LogLines> =>
  Layer.merge(layerProcessMetrics(version), otlp === undefined ? layerNoSpans : layerOtlp(otlp)).pipe(
    Layer.provideMerge(layerLog(log))
  )
