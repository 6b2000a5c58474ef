/** Generates commands on the feed and on capacities. */
import type { PremisesRef, Request } from "../commands.ts"
import { everyPremises, openAt, organizationAt } from "../World.ts"
import { OPERATOR, type Scene, someAdministrator, somePremises } from "./subjects.ts"

/** Capacities that some people fill, and large ones, whose levels are held for a while. */
const CAPACITIES = [1, 2, 3, 40, 60, null]

/** Some premises, mostly where people are. */
const someCrowd = (scene: Scene): PremisesRef => {
  const { random, world } = scene
  const crowded = everyPremises(world).filter((at) => openAt(world, at).length > 1)
  return crowded.length > 0 && random.chance(0.85) ? random.pick(crowded) : somePremises(scene)
}

export const someCapacity = (scene: Scene): Request => {
  const { random } = scene
  const at = someCrowd(scene)
  const organization = organizationAt(scene.world, at)
  const inside = openAt(scene.world, at).length
  const warnAt = random.pick([undefined, 0.05, 0.05, 0.1, 0.5, 1])
  return random.chance(0.75)
    ? {
        _tag: "SetCapacity",
        by: someAdministrator(scene, organization, "manager"),
        at,
        capacity: random.pick([...CAPACITIES, inside + 1, inside + 1]),
        warnAt
      }
    : { _tag: "ReadCapacity", by: someAdministrator(scene, organization, "viewer"), at }
}

export const somePublish = (): Request => ({ _tag: "Publish", by: OPERATOR })

/** Capacities and events of presence, where the service has a feed. */
export const somePresenceCommand = (scene: Scene): Request =>
  (scene.random.chance(0.5) ? somePublish : someCapacity)(scene)
