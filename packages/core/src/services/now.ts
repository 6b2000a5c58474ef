import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Timestamp } from "../domain/Timestamp.ts"

/** Now, by the service's clock. */
export const now: Effect.Effect<Timestamp> = Effect.map(Clock.currentTimeMillis, Timestamp)
