/** Generates commands on musters, mostly where people are inside. */
import type { Request } from "../commands.ts"
import { isPersonInside, organizationAt } from "../World.ts"
import {
  ANY_PERSON,
  organizationLabel,
  organizationNamed,
  type Scene,
  someAdministrator,
  somePremises
} from "./subjects.ts"

/** How many people are marked at once who were never inside: with two more, as many as one call may mark. */
const CROWD = 998

export const someMusterWork = (scene: Scene): Request => {
  const { random, world, label } = scene
  const inside = world.stays.filter(isPersonInside)
  const organization =
    inside.length > 0 && random.chance(0.6) ? random.pick(inside).organization : organizationLabel(scene)
  const known = organizationNamed(scene, organization)
  const manager = someAdministrator(scene, known, "manager")
  const at = somePremises(scene)
  const open = world.musters.filter(({ isOpen }) => isOpen)
  const peopled = open.filter(({ organization }) => inside.some((stay) => stay.organization === organization))
  const muster = random.pick(
    [peopled, open].find((some) => some.length > 0 && random.chance(0.7)) ?? [...world.musters, undefined]
  )
  const held = organizationNamed(scene, muster?.organization ?? "")
  const called = muster?.label ?? "m-none"
  const viewer = someAdministrator(scene, held, "viewer")
  const isCounted = (muster?.mode === "anonymous") !== random.chance(0.05)
  const there = inside.flatMap(({ organization, person }) =>
    organization === muster?.organization ? (person ?? []) : []
  )
  const personThere = () => random.pick(there.length > 0 && random.chance(0.85) ? there : ANY_PERSON)
  // Two such crowds are more than a muster takes.
  const crowd = () => Array.from({ length: CROWD }, (_, n) => `stranger-${n + CROWD * random.below(2)}`)
  const people = [
    personThere(),
    ...(random.chance(0.3) ? [personThere()] : []),
    ...(random.chance(0.1) ? crowd() : [])
  ] as const
  return random.weighted<() => Request>([
    [
      5,
      () => ({
        _tag: "StartMuster",
        by: manager,
        organization,
        muster: label,
        kind: random.pick(["drill", "evacuation"])
      })
    ],
    [8, () => ({ _tag: "MarkSafe", by: viewer, muster: called, marked: isCounted ? random.below(4) : people })],
    [2, () => ({ _tag: "EndMuster", by: someAdministrator(scene, held, "manager"), muster: called })],
    [1, () => ({ _tag: "ReadMuster", by: viewer, muster: called })],
    [1, () => ({ _tag: "ListMusters", by: manager, organization })],
    [3, () => ({ _tag: "ListInside", by: someAdministrator(scene, organizationAt(world, at), "viewer"), at })]
  ])()
}
