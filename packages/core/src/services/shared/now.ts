import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Timestamp } from "../../domain/shared/Timestamp.ts"

/** Now, by the service's clock. */
export const now: Effect.Effect<Timestamp> = Effect.map(Clock.currentTimeMillis, Timestamp)

/** The same in one step, for what is done with every movement. */
export const withNow = <A, E, R>(use: (now: Timestamp) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => use(Timestamp(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())))
