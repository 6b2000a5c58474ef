import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.ts"
import { BOUNDS } from "../NodeServer.ts"
import { durationOf } from "./durations.ts"
import { text } from "./flags.ts"

/** The flags for a server's bounds and its drain. */
export const boundFlags = {
  maxConnections: text(
    "max-connections",
    "How many connections there may be; then a new one closes the one that was idle for longest",
    String(BOUNDS.maxConnections)
  ),
  maxInFlight: text(
    "max-in-flight",
    "How many requests may be in flight at once; further ones are answered 503",
    String(BOUNDS.maxInFlight)
  ),
  probePort: text("probe-port", "Another port that answers /health/live, /health/ready and /metrics too; none", ""),
  drainDelay: text(
    "drain-delay",
    "How long the server goes on serving after the signal to end, while it answers that it is not ready",
    "1s"
  ),
  drainTimeout: text("drain-timeout", "How long it then waits for requests that are being answered", "10s")
}

export interface BoundFlags {
  readonly maxConnections: string
  readonly maxInFlight: string
  readonly probePort: string
  readonly drainDelay: string
  readonly drainTimeout: string
}

const COUNT = /^[1-9]\d{0,8}$/

/** Reads the number of a flag: a whole number above zero. */
export const countOf = (name: string, value: string) =>
  COUNT.test(value)
    ? Effect.succeed(Number(value))
    : Effect.fail(new CommandFailed({ message: `--${name} is a whole number above zero: ${value}` }))

/** Reads the port of a flag. */
export const portOf = (name: string, value: string) =>
  /^\d{1,5}$/.test(value) && Number(value) < 65_536
    ? Effect.succeed(Number(value))
    : Effect.fail(
        new CommandFailed({ message: `--${name} is a port, a whole number from 0 (a free one) to 65535: ${value}` })
      )

/** Reads the bounds and drain times of the flags. */
export const boundsOf = (flags: BoundFlags) =>
  Effect.all({
    maxConnections: countOf("max-connections", flags.maxConnections),
    maxInFlight: countOf("max-in-flight", flags.maxInFlight),
    probePort: flags.probePort === "" ? Effect.undefined : portOf("probe-port", flags.probePort),
    drainDelay: durationOf("drain-delay", flags.drainDelay),
    drainTimeout: durationOf("drain-timeout", flags.drainTimeout)
  })
