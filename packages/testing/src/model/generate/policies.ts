/** Generates commands on stay policies and erasures. */
import type { Command, Request, RequestOf, Subject } from "../commands.ts"
import { linkedPerson, type World } from "../World.ts"
import {
  ANY_ADMINISTRATOR,
  ANY_PERSON,
  MAILS,
  OPERATOR_ID,
  organizationLabel,
  type Scene,
  someOperator,
  USERS
} from "./subjects.ts"
import { option } from "../Random.ts"

const MINUTE = 60

/** How long stays may stay open, in seconds: mostly not for long, as waits are of minutes. */
const LONGEST = [MINUTE, MINUTE, 10 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE, null]

export const somePolicyCommand = (scene: Scene): Command =>
  scene.random.chance(0.6)
    ? { _tag: "Sweep" }
    : {
        _tag: "ChangePolicy",
        by: someOperator(scene),
        organization: organizationLabel(scene),
        ...scene.random.weighted<Partial<RequestOf<"ChangePolicy">>>([
          [7, { longestStay: scene.random.pick(LONGEST) }],
          [3, { smallestCount: scene.random.pick([1, 1, 2, 3, null]) }],
          [4, { eventGrain: scene.random.pick([0, 2, 7, 60, 60, null]) }]
        ])
      }

/** The users who are linked somewhere. */
const known = (world: World): ReadonlyArray<string> =>
  USERS.filter((user) => world.organizations.some((organization) => linkedPerson(organization, user) !== undefined))

/** A person asks to be erased. */
export const someErasure = (scene: Scene): Request => {
  const { random, world } = scene
  const users = known(world)
  const subject = random.weighted<() => Subject>([
    option(8, () => ({ user: random.pick(users.length > 0 ? users : USERS) })),
    option(6, () => ({ organization: organizationLabel(scene), person: random.pick(ANY_PERSON) })),
    option(5, () => ({ administrator: random.pick(ANY_ADMINISTRATOR) })),
    option(2, () => ({ mail: random.pick(MAILS) })),
    option(1, () => ({ operator: OPERATOR_ID }))
  ])()
  return { _tag: "Erase", by: someOperator(scene), subject }
}
