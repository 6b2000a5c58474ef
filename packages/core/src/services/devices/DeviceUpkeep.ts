/** The loop that marks devices as silent, and resets what was counted at the times of the policies. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { CountStore } from "../../ports/devices/CountStore.ts"
import { DeviceStore } from "../../ports/devices/DeviceStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { insteadOfDefect } from "../shared/backgroundFailures.ts"
import { now } from "../shared/now.ts"

/** The interval of the loop. Both are published within 5 s. */
const INTERVAL = "2 seconds"

/** How many devices are marked at once. */
const MAX_DEVICES_MARKED = 500

/** The next run makes up for what fails. Requests report an absent storage already. */
const untilNextRun = <A, R>(what: string, work: Effect.Effect<A, StoreError, R>) =>
  work.pipe(
    Effect.catchTag("StoreError", (error) => Effect.logDebug("devices wait for the storage", error)),
    insteadOfDefect(what, undefined)
  )

const upkeep = Effect.gen(function* () {
  const devices = yield* DeviceStore
  const counts = yield* CountStore
  const at = yield* now
  yield* untilNextRun("the reset of people counted", counts.reset(at))
  const markStates = Effect.gen(function* () {
    while ((yield* devices.markStates(at, MAX_DEVICES_MARKED)) === MAX_DEVICES_MARKED) yield* Effect.yieldNow
  })
  yield* untilNextRun("the search for devices that lapsed", markStates)
})

/** Runs the loop while the scope is open. Servers on one storage may all run it. */
export const layerDeviceUpkeep: Layer.Layer<never, never, CountStore | DeviceStore> = Layer.effectDiscard(
  Effect.forkScoped(Effect.repeat(upkeep, Schedule.spaced(INTERVAL)))
)
