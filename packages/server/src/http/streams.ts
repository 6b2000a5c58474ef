/** Presence streams in admission control: they have a bound of their own, and end when the server drains. */
import { PresenceStreamOptions } from "@sojourn/adapter-http"
import { Duration, Effect, Layer } from "effect"
import { PermittedRequest } from "./RequestPermit.ts"
import { ServerDrain } from "./ServerDrain.ts"

/** The bounds of presence streams. */
export interface StreamBounds {
  readonly maxSubscribers: number
  readonly maxSubscribersPerCaller: number
  readonly streamLifetime: Duration.Duration
}

/** The default bounds of presence streams. */
export const STREAM_BOUNDS: StreamBounds = {
  maxSubscribers: 2_000,
  maxSubscribersPerCaller: 20,
  streamLifetime: Duration.hours(1)
}

/** Makes presence streams a class of their own: they are no requests in flight, and end when the server drains. */
export const layerStreamOptions = ({ streamLifetime, ...limits }: StreamBounds) =>
  Layer.effect(
    PresenceStreamOptions,
    Effect.map(ServerDrain, ({ begun }) => ({
      ...limits,
      lifetime: streamLifetime,
      drain: begun,
      opened: (source) => {
        if (source instanceof PermittedRequest) source.permit?.beginStream()
      }
    }))
  )
