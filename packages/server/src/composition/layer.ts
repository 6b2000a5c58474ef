/** The composition root of the server: the interface of the service, with the page, on the HTTP server that it is given. */
import { makeNodeListener } from "@sojourn/adapter-http"
import type { PageSettings } from "@sojourn/page"
import { type InterfaceOptions, layerDirectory, layerInterface } from "@sojourn/service"
import { Effect, Layer } from "effect"
import { excludeDirectoryWaits } from "../http/externalWaits.ts"
import { NodeRequests } from "../http/NodeServer.ts"
import { isFromProbePort } from "../http/probes.ts"
import { layerStreamOptions, STREAM_BOUNDS, type StreamBounds } from "../http/streams.ts"
import { pageRoutes } from "../page/page.ts"

export interface ServerOptions extends Omit<InterfaceOptions, "extraRoutes" | "mayReadMetrics"> {
  /** The administrators' page at `/`, with an operator's settings; none by default. */
  readonly page?: boolean | Omit<PageSettings, "passwords">
  /** Bounds of presence streams; by default 2,000 of an hour each. */
  readonly streams?: StreamBounds | undefined
  /** Whether `/metrics` is answered on a port of its own alone; not, by default. */
  readonly metricsElsewhere?: boolean
}

/** Serves the interface on the stores and the server that it is provided with. */
export const layerServer = ({
  page = false,
  metricsElsewhere = false,
  streams = STREAM_BOUNDS,
  directory = layerDirectory({}),
  ...options
}: ServerOptions) => {
  const settings = { ...(typeof page === "object" && page), passwords: options.key !== undefined }
  const interfaceOf = Effect.gen(function* () {
    return layerInterface({
      ...options,
      directory: excludeDirectoryWaits(directory),
      extraRoutes: page === false ? [] : yield* pageRoutes(settings),
      mayReadMetrics: ({ source }) => !metricsElsewhere || isFromProbePort(source)
    })
  })
  return Layer.effectDiscard(
    Effect.gen(function* () {
      const requests = yield* NodeRequests
      yield* requests.serve(yield* makeNodeListener)
    })
  ).pipe(Layer.provide(Layer.unwrap(interfaceOf)), Layer.provide(layerStreamOptions(streams)))
}
