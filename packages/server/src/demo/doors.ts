/** The door counters of the demo's campus: simulated people without phones, whom the readings of devices count. */
import { Counting, DeviceCaller, type DeviceId, type OrganizationId, type Premises } from "@sojourn/core"
import { Clock, Effect, Random } from "effect"

/** A door with its counter. */
export interface Door {
  readonly organizationId: OrganizationId
  readonly deviceId: DeviceId
  /** Where it counts. */
  readonly premises: ReadonlyArray<Premises>
}

/** The time between two readings, and the mean time that a person is inside, in milliseconds. */
const INTERVAL = 5_000
const MEAN_VISIT = 120_000

/** How many people come through a door with its first reading, and the probability that one does with each later one. */
const FIRST = 4
const ARRIVAL = 0.25

/**
 * Counts at a door until it is interrupted: then everyone has left. It ends by itself when the device is removed, or no longer counts at one
 * of the premises.
 */
export const runDoor = Effect.fnUntraced(function* ({ organizationId, deviceId, premises }: Door) {
  const { count } = yield* Counting
  const epoch = new Date(yield* Clock.currentTimeMillis).toISOString()
  let [into, out] = [0, 0]
  const send = Effect.suspend(() =>
    count(
      DeviceCaller(deviceId, organizationId),
      premises.map((premises) => ({ premises, epoch, in: into, out }))
    )
  )
  const pass = Effect.gen(function* () {
    const leaves = (yield* Random.next) < ((into - out) * INTERVAL) / MEAN_VISIT
    into += into === 0 ? FIRST : (yield* Random.next) < ARRIVAL ? 1 : 0
    if (leaves) out++
    // The next totals contain what these do.
    yield* Effect.catchTag(send, "StoreError", () => Effect.void)
    yield* Effect.sleep(INTERVAL)
  })
  const leave = Effect.suspend(() => {
    out = into
    return Effect.ignore(send)
  })
  yield* Effect.ignore(Effect.forever(pass)).pipe(Effect.ensuring(leave))
})
