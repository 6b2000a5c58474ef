/** The flags for bounds: of connections, requests and the drain, of presence streams, and of areas. */
import { type AreaLimits, DEFAULT_AREA_LIMITS } from "@sojourn/core"
import type * as Command from "effect/cli/Command"
import { Effect } from "effect"
import { STREAM_BOUNDS } from "../http/streams.ts"
import { BOUNDS } from "../http/NodeServer.ts"
import { text } from "./flags.ts"
import { countOf, durationOf, parseWhole, secondsOf, valueOf } from "./values.ts"

/** The flags for a server's bounds and its drain. */
export const boundFlags = {
  maxConnections: text(
    "max-connections",
    "How many connections may be open; further ones are closed at once",
    String(BOUNDS.maxConnections)
  ),
  maxInFlight: text(
    "max-in-flight",
    "How many requests may be in flight at once; further ones are answered 503",
    String(BOUNDS.maxInFlight)
  ),
  keepAlive: text(
    "keep-alive",
    "How long a connection is kept on which nothing is sent; longer than proxies and load balancers in front keep theirs, which are 60s or less",
    "65s"
  ),
  metricsPort: text(
    "metrics-port",
    "A port of its own for /metrics, which the other port then does not answer; it answers /health/live and /health/ready too; none",
    ""
  ),
  drainDelay: text(
    "drain-delay",
    "How long the server goes on serving after the signal to end, while it answers that it is not ready",
    "1s"
  ),
  drainTimeout: text("drain-timeout", "How long it then waits for requests that are being answered", "10s")
}

/** Reads the port of a flag. */
export const portOf = (name: string, value: string) =>
  valueOf(
    name,
    value,
    "a port, a whole number from 0 (a free one) to 65535",
    parseWhole(value, { least: 0, most: 65_535 })
  )

/** Reads the bounds and drain times of the flags. */
export const boundsOf = (flags: Command.Command.Config.Infer<typeof boundFlags>) =>
  Effect.all({
    maxConnections: countOf("max-connections", flags.maxConnections),
    maxInFlight: countOf("max-in-flight", flags.maxInFlight),
    metricsPort: flags.metricsPort === "" ? Effect.undefined : portOf("metrics-port", flags.metricsPort),
    keepAlive: secondsOf("keep-alive", flags.keepAlive, "65s"),
    drainDelay: durationOf("drain-delay", flags.drainDelay),
    drainTimeout: durationOf("drain-timeout", flags.drainTimeout)
  })

/** The flags that bound presence streams. */
export const streamFlags = {
  maxSubscribers: text(
    "max-subscribers",
    "How many presence streams there may be; further ones are answered 503",
    String(STREAM_BOUNDS.maxSubscribers)
  ),
  maxSubscribersPerCaller: text(
    "max-subscribers-per-caller",
    "How many presence streams a caller may have; one more ends the caller's oldest",
    String(STREAM_BOUNDS.maxSubscribersPerCaller)
  ),
  streamLifetime: text(
    "stream-lifetime",
    "How long a presence stream lives at most; its client then connects again and misses nothing",
    "1h"
  )
}

/** Reads the bounds of presence streams of the flags. */
export const streamsOf = (flags: Command.Command.Config.Infer<typeof streamFlags>) =>
  Effect.all({
    maxSubscribers: countOf("max-subscribers", flags.maxSubscribers),
    maxSubscribersPerCaller: countOf("max-subscribers-per-caller", flags.maxSubscribersPerCaller),
    streamLifetime: secondsOf("stream-lifetime", flags.streamLifetime, "1h")
  })

/** What `--area-work` counts, in units of work. */
const UNIT = 1_000_000

/** The flags that limit the areas of an organization. */
export const areaFlags = {
  mostPlaces: text("most-places", "How many places an organization may have", String(DEFAULT_AREA_LIMITS.places)),
  mostAreaPoints: text(
    "most-area-points",
    "How many points the areas of an organization's places may have in all",
    String(DEFAULT_AREA_LIMITS.points)
  ),
  areaWork: text(
    "area-work",
    "How much work one change of an area may take, in millions of units of about 5 ms",
    String(DEFAULT_AREA_LIMITS.work / UNIT)
  )
}

/** Reads the limits on areas of the flags. */
export const areaLimitsOf = (flags: Command.Command.Config.Infer<typeof areaFlags>) =>
  Effect.all({
    places: countOf("most-places", flags.mostPlaces),
    points: countOf("most-area-points", flags.mostAreaPoints),
    work: Effect.map(countOf("area-work", flags.areaWork), (millions) => millions * UNIT)
  } satisfies { readonly [Limit in keyof AreaLimits]: unknown })
