/** The loop that ends stays at the daily times of the policies. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { StayEndingStore } from "../../ports/stays/StayEndingStore.ts"
import { insteadOfDefect } from "../shared/backgroundFailures.ts"
import { now } from "../shared/now.ts"

/** The interval of the loop. Ends are published within 5 s. */
const INTERVAL = "2 seconds"

/** The next run makes up for what fails. Requests report an absent storage already. */
const endDue = Effect.gen(function* () {
  const endings = yield* StayEndingStore
  yield* endings.endDue(yield* now)
}).pipe(
  Effect.catchTag("StoreError", (error) => Effect.logDebug("the daily end of stays waits for the storage", error)),
  insteadOfDefect("the daily end of stays", undefined)
)

/** Runs the loop while the scope is open. Servers on one storage may all run it. */
export const layerDailyEndings: Layer.Layer<never, never, StayEndingStore> = Layer.effectDiscard(
  Effect.forkScoped(Effect.repeat(endDue, Schedule.spaced(INTERVAL)))
)
