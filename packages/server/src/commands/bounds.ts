import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.ts"
import { BOUNDS } from "../NodeServer.ts"
import { text } from "./flags.ts"

/** The flags that say what a server bears, and how it ends. */
export const boundFlags = {
  maxConnections: text(
    "max-connections",
    "How many connections there may be; then the one that rests longest gives way to a new one",
    String(BOUNDS.maxConnections)
  ),
  maxInFlight: text(
    "max-in-flight",
    "How many requests are worked on at once; who comes then is answered 503 at once",
    String(BOUNDS.maxInFlight)
  ),
  drainDelay: text(
    "drain-delay",
    "How long the server goes on serving once it is asked to end, and says that it is not ready",
    "1s"
  ),
  drainTimeout: text("drain-timeout", "How long requests that are being answered are waited for after that", "10s")
}

export interface BoundFlags {
  readonly maxConnections: string
  readonly maxInFlight: string
  readonly drainDelay: string
  readonly drainTimeout: string
}

const COUNT = /^[1-9]\d{0,8}$/

/** Reads the number of a flag: a whole number above zero. */
export const countOf = (name: string, value: string) =>
  COUNT.test(value)
    ? Effect.succeed(Number(value))
    : Effect.fail(new CommandFailed({ message: `--${name} is a whole number above zero: ${value}` }))

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** A length of time as people write it, such as `250ms`, `5s`, `1m` or `1h`; none, where it is not one. */
export const parseDuration = (value: string): Duration.Duration | undefined => {
  const [, number, unit] = /^(\d{1,6})(ms|s|m|h)$/.exec(value) ?? []
  return unit === undefined ? undefined : Duration.millis(Number(number) * UNITS[unit as keyof typeof UNITS])
}

const durationOf = (name: string, value: string) => {
  const duration = parseDuration(value)
  return duration === undefined
    ? Effect.fail(new CommandFailed({ message: `--${name} is a number and ms, s, m or h, as in 5s: ${value}` }))
    : Effect.succeed(duration)
}

/** What the flags hold. */
export const boundsOf = (flags: BoundFlags) =>
  Effect.all({
    maxConnections: countOf("max-connections", flags.maxConnections),
    maxInFlight: countOf("max-in-flight", flags.maxInFlight),
    drainDelay: durationOf("drain-delay", flags.drainDelay),
    drainTimeout: durationOf("drain-timeout", flags.drainTimeout)
  })
