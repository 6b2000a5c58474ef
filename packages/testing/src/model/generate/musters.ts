import type { Request } from "../commands.ts"
import { openAt, organizationAt } from "../World.ts"
import {
  ANY_PERSON,
  organizationLabel,
  organizationNamed,
  type Scene,
  someAdministrator,
  somePremises
} from "./subjects.ts"

/** Musters, mostly of people who are inside, and lists of these. */
export const someMusterWork = (scene: Scene): Request => {
  const { random, world, label } = scene
  const crowded = world.organizations.filter((one) => openAt(world, { organization: one.label }).length > 0)
  const organization = crowded.length > 0 && random.chance(0.7) ? random.pick(crowded).label : organizationLabel(scene)
  const known = organizationNamed(scene, organization)
  const manager = someAdministrator(scene, known, "manager")
  const at = somePremises(scene)
  const open = world.musters.filter(({ ended }) => ended === undefined)
  const muster = random.pick(open.length > 0 && random.chance(0.9) ? open : [...world.musters, undefined])
  const held = organizationNamed(scene, muster?.organization ?? "")
  const called = muster?.label ?? "m-none"
  const viewer = someAdministrator(scene, held, "viewer")
  const isCounted = (muster?.mode === "anonymous") !== random.chance(0.05)
  const people = [random.pick(ANY_PERSON), ...(random.chance(0.3) ? [random.pick(ANY_PERSON)] : [])] as const
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
    [6, () => ({ _tag: "MarkSafe", by: viewer, muster: called, marked: isCounted ? random.below(4) : people })],
    [2, () => ({ _tag: "EndMuster", by: someAdministrator(scene, held, "manager"), muster: called })],
    [1, () => ({ _tag: "ReadMuster", by: viewer, muster: called })],
    [1, () => ({ _tag: "ListMusters", by: manager, organization })],
    [3, () => ({ _tag: "ListInside", by: someAdministrator(scene, organizationAt(world, at), "viewer"), at })]
  ])()
}
