import type { Command, Request } from "../commands.ts"
import { linkedPerson, type World } from "../World.ts"
import { ANY_PERSON, organizationLabel, type Scene, someOperator, USERS } from "./subjects.ts"

const MINUTE = 60

/** How long stays may stay open, in seconds: mostly not for long, as waits are of minutes. */
const LONGEST = [MINUTE, MINUTE, 10 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE, null]

export const somePolicyWork = (scene: Scene): Command =>
  scene.random.chance(0.6)
    ? { _tag: "Sweep" }
    : {
        _tag: "ChangePolicy",
        by: someOperator(scene),
        organization: organizationLabel(scene),
        longestStay: scene.random.pick(LONGEST)
      }

/** The users who are linked somewhere. */
const known = (world: World): ReadonlyArray<string> =>
  USERS.filter((user) => world.organizations.some((organization) => linkedPerson(organization, user) !== undefined))

/** Somebody wants nothing to be stored about them any more. */
export const someErasure = (scene: Scene): Request => {
  const { random, world } = scene
  const users = known(world)
  const subject = random.chance(0.6)
    ? { user: random.pick(users.length > 0 ? users : USERS) }
    : { organization: organizationLabel(scene), person: random.pick(ANY_PERSON) }
  return { _tag: "Erase", by: someOperator(scene), subject }
}
