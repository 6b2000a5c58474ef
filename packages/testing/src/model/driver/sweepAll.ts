import type { Sweeps } from "@sojourn/core"
import * as Effect from "effect/Effect"

/** Sweeps every organization. One that does not come to its end left the world in a state that no model knows: it is a defect. */
export const sweepAll = ({ sweep }: Sweeps["Service"]): Effect.Effect<void> =>
  Effect.flatMap(Effect.orDie(sweep(0)), ({ failures: [failure] }) =>
    failure === undefined ? Effect.void : Effect.die(failure)
  )
