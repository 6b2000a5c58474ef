/** The interface between a run and a service. */
import type { Caller } from "@sojourn/core"
import type { Effect, Scope } from "effect"
import type { Answer, Request } from "./Request.ts"
import type { KnownOrganization } from "./World.ts"

/** A service under test: empty at first, its clock at `BEGINNING`. It publishes events only on the request `Publish`. */
export interface Driver {
  /** Can it deliver events to webhooks on request? */
  readonly delivers: boolean
  /** Performs a request whose operands have the ids of this service. Calls may be concurrent. */
  readonly perform: (request: Request, args: unknown) => Effect.Effect<Answer>
  /** Advances the service's clock, which stands still otherwise. */
  readonly advance: (milliseconds: number) => Effect.Effect<void>
  /** Applies the stay policies once. */
  readonly sweep: Effect.Effect<void>
}

/**
 * Starts a service for one run, which ends with the scope. It may run `pause` around each of its operations: requests of one moment then
 * come between each other's operations in an order that fast-check chooses.
 */
export type StartDriver = (pause: Effect.Effect<void>) => Effect.Effect<Driver, never, Scope.Scope>

/** The service that others are compared with. It takes one request at a time, and can return to an earlier state. */
export interface Oracle extends Pick<Driver, "advance" | "sweep"> {
  /** Records that a caller has signed in, which comes before each request. */
  readonly signIn: (by: Caller) => Effect.Effect<void>
  readonly ask: (request: Request) => Effect.Effect<Answer>
  /** What the organizations are now. */
  readonly organizations: Effect.Effect<ReadonlyArray<KnownOrganization>>
  /** Saves the state. The effect that it returns restores it, any number of times; the clock is not restored. */
  readonly save: Effect.Effect<Effect.Effect<void>>
}

export type StartOracle = Effect.Effect<Oracle, never, Scope.Scope>
