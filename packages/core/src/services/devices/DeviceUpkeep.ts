/** The loop that marks devices as silent, and resets what was counted at the times of the policies. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { CountStore } from "../../ports/devices/CountStore.ts"
import { DeviceStore } from "../../ports/devices/DeviceStore.ts"
import { now } from "../shared/now.ts"

/** The interval of the loop. Both are published within 5 s. */
const INTERVAL = "2 seconds"

/** How many devices are marked at once. */
const MAX_DEVICES_MARKED = 500

const upkeep = Effect.gen(function* () {
  const devices = yield* DeviceStore
  const counts = yield* CountStore
  const at = yield* now
  yield* counts.reset(at)
  while ((yield* devices.markSilent(at, MAX_DEVICES_MARKED)) === MAX_DEVICES_MARKED) yield* Effect.yieldNow
}).pipe(
  // The next run makes up for it, and requests report it already.
  Effect.catchTag("StoreError", (error) => Effect.logDebug("devices wait for the storage", error))
)

/** Runs the loop while the scope is open. Servers on one storage may all run it. */
export const layerDeviceUpkeep: Layer.Layer<never, never, CountStore | DeviceStore> = Layer.effectDiscard(
  Effect.forkScoped(Effect.repeat(upkeep, Schedule.spaced(INTERVAL)))
)
