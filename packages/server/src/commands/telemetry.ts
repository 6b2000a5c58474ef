import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { Config, Effect, Option, Schema } from "effect"
import type { LogLevel } from "effect/LogLevel"
import * as OtlpResource from "effect/observability/OtlpResource"
import { StartupError, onOneLine } from "@sojourn/service"
import type { LogOptions } from "../telemetry/Log.ts"
import { LOG_FORMATS } from "../telemetry/LogFormat.ts"
import type { OtlpOptions } from "../telemetry/Otlp.ts"
import { REQUEST_LOGS } from "../telemetry/RequestLines.ts"
import { oneOf, text, yes } from "./flags.ts"

/** The flags for the log, metrics and traces. */
export const telemetryFlags = {
  requestLog: oneOf(
    "request-log",
    REQUEST_LOGS,
    "Which requests get a line: all, sample (refusals, failures and one in 100 of the others) or off (failures alone); default all"
  ).pipe(Flag.withDefault("all" as const)),
  logFormat: oneOf(
    "log-format",
    LOG_FORMATS,
    "How the log on standard error is written; auto: pretty on a terminal, else json; default auto"
  ).pipe(Flag.withDefault("auto" as const)),
  otlpEndpoint: text(
    "otlp-endpoint",
    "Collector that traces and metrics are sent to (OTLP over HTTP), as http://collector:4318; or OTEL_EXPORTER_OTLP_ENDPOINT",
    ""
  ),
  traceSample: Flag.Finite("trace-sample").pipe(
    Flag.withFallbackConfig(Config.Finite("SOJOURN_TRACE_SAMPLE")),
    Flag.withDefault(0.01),
    Flag.withDescription("Of how many requests a trace is made, 0 to 1 (SOJOURN_TRACE_SAMPLE; default 0.01)")
  ),
  traceCallersDecide: yes(
    "trace-callers-decide",
    "Let callers who send traceparent decide whether it is recorded: for servers behind a gateway of yours"
  ),
  metricsOrganizations: Flag.Int("metrics-organizations").pipe(
    Flag.withFallbackConfig(Config.Int("SOJOURN_METRICS_ORGANIZATIONS")),
    Flag.withDefault(0),
    Flag.withDescription(
      "Of how many organizations, those with most, /metrics tells the open stays by id, 0 to 100 (SOJOURN_METRICS_ORGANIZATIONS; default 0)"
    )
  )
}

/** What the telemetry flags hold. */
export type TelemetryFlags = Command.Command.Config.Infer<typeof telemetryFlags>

/** The level of `--log-level`, which every command of Effect's has, or of its variable. */
const logLevel = Effect.gen(function* () {
  const given = yield* GlobalFlag.LogLevel
  if (Option.isSome(given)) return given.value
  const words = ["all", "trace", "debug", "info", "warn", "error", "fatal", "none"] as const
  const word = yield* Config.Literals(words, "SOJOURN_LOG_LEVEL").pipe(Config.withDefault("info" as const))
  return `${word[0]!.toUpperCase()}${word.slice(1)}` as LogLevel
}).pipe(Effect.catchTag("ConfigError", refuseVariable("SOJOURN_LOG_LEVEL")))

function refuseVariable(name: string) {
  return (error: Config.ConfigError) =>
    Effect.fail(new StartupError({ message: onOneLine(`${name}: ${error.message}`) }))
}

const HEADERS = "OTEL_EXPORTER_OTLP_HEADERS"
const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"

const parseEndpoint = (address: string) => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || `${url.search}${url.hash}` !== "") {
    return Effect.fail(
      new StartupError({ message: `--otlp-endpoint is an address as http://collector:4318: ${address}` })
    )
  }
  // A flag would be visible in the list of processes.
  return url.username === "" && url.password === ""
    ? Effect.succeed(url)
    : Effect.fail(new StartupError({ message: `--otlp-endpoint holds no credentials: put them into ${HEADERS}` }))
}

const between = (name: string, value: number, most: number) =>
  value >= 0 && value <= most
    ? Effect.void
    : Effect.fail(new StartupError({ message: `--${name} is between 0 and ${most}: ${value}` }))

/** The collector; none where telemetry is not sent. */
const otlpOf = Effect.fnUntraced(function* (
  { otlpEndpoint, traceSample, traceCallersDecide }: TelemetryFlags,
  version: string
): Effect.fn.Return<OtlpOptions | undefined, StartupError> {
  const address =
    otlpEndpoint || (yield* Effect.orElseSucceed(Config.String(ENDPOINT).pipe(Config.withDefault("")), () => ""))
  if (address === "") return undefined
  const headers = yield* Config.Record(Schema.String, Schema.StringFromUriComponent, HEADERS).pipe(
    Config.withDefault(undefined),
    Effect.catchTag("ConfigError", () =>
      Effect.fail(new StartupError({ message: `${HEADERS} is a list as name=value,name=value` }))
    )
  )
  const serviceName = yield* Effect.orElseSucceed(
    Config.String("OTEL_SERVICE_NAME").pipe(Config.withDefault("sojourn")),
    () => "sojourn"
  )
  yield* Effect.catchCause(OtlpResource.fromConfig({ serviceName }), () =>
    Effect.fail(new StartupError({ message: "OTEL_RESOURCE_ATTRIBUTES is a list as name=value,name=value" }))
  )
  return {
    endpoint: yield* parseEndpoint(address),
    headers,
    serviceName,
    version,
    ratio: traceSample,
    callersDecide: traceCallersDecide
  }
})

/** The choice of logs, metrics and traces. */
export interface TelemetryChoice {
  readonly log: LogOptions
  readonly otlp: OtlpOptions | undefined
  readonly organizations: number
}

/** What the flags choose. */
export const telemetryOf = Effect.fnUntraced(function* (flags: TelemetryFlags, version: string) {
  yield* between("trace-sample", flags.traceSample, 1)
  yield* between("metrics-organizations", flags.metricsOrganizations, 100)
  const choice: TelemetryChoice = {
    log: { level: yield* logLevel, format: flags.logFormat, requests: flags.requestLog },
    otlp: yield* otlpOf(flags, version),
    organizations: flags.metricsOrganizations
  }
  return choice
})
