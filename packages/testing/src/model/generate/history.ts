/** Generates commands on the history of presence. */
import type { HistoryStep } from "@sojourn/core"
import type { Request } from "../commands.ts"
import { BEGINNING, organizationAt } from "../World.ts"
import { premisesOf } from "./stays.ts"
import { OPERATOR, type Scene, someAdministrator, somePremises } from "./subjects.ts"

const MINUTE = 60_000
const LENGTH: Readonly<Record<HistoryStep, number>> = { minute: MINUTE, hour: 60 * MINUTE, day: 1440 * MINUTE }

/** A history around when something happened, mostly; and now and then it is kept small. */
export const someHistoryCommand = (scene: Scene): Request => {
  const { random, world } = scene
  if (random.chance(0.35)) {
    return { _tag: "KeepHistory", by: OPERATOR, retention: random.pick([2, 2, 90, 2000, 9000]) * MINUTE }
  }
  const stay = random.maybe(0.8, () => (world.stays.length === 0 ? undefined : random.pick(world.stays.slice(-30))))
  const at = stay === undefined ? somePremises(scene) : premisesOf(stay)
  const step = random.pick(["minute", "minute", "hour", "day"] as const)
  const length = LENGTH[step]
  const kept = organizationAt(world, at)?.minutesFrom
  const event = random.pick([stay?.recorded, stay?.ended, world.now, BEGINNING, kept, kept, kept]) ?? world.now
  const from = event - random.below(5 * length)
  const steps = random.weighted([
    [20, 1 + random.below(12)],
    [1, 0],
    [1, 1501]
  ])
  const by = someAdministrator(scene, organizationAt(world, at), "viewer")
  return { _tag: "ReadHistory", by, at, step, from, to: from + steps * length + random.below(3) }
}
