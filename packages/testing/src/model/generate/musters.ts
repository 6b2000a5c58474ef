/** Generates commands on musters, and concurrent ones, mostly where people are inside. */

import { option } from "../Random.ts"
import { type ModelOrganization, isPersonInside, openAt, organizationAt } from "../World.ts"
import type { Caller, PremisesRef, Request } from "../commands.ts"
import { premisesOf, tokenOf, within } from "./stays.ts"
import {
  ANY_PERSON,
  OPERATOR,
  type Scene,
  USERS,
  organizationLabel,
  organizationNamed,
  some,
  someAdministrator,
  someOrganization,
  somePremises,
  times,
  userNamed,
  ownersOf,
  ADMINISTRATORS
} from "./subjects.ts"

/** How many people are marked at once who were never inside: with two more, as many as one call may mark. */
const CROWD = 998

export const someMusterCommand = (scene: Scene): Request => {
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
    option(5, () => ({
      _tag: "StartMuster",
      by: manager,
      organization,
      muster: label,
      kind: random.pick(["drill", "evacuation"])
    })),
    option(8, () => ({ _tag: "MarkSafe", by: viewer, muster: called, marked: isCounted ? random.below(4) : people })),
    option(2, () => ({ _tag: "EndMuster", by: someAdministrator(scene, held, "manager"), muster: called })),
    option(1, () => ({ _tag: "ReadMuster", by: viewer, muster: called })),
    option(1, () => ({ _tag: "ListMusters", by: manager, organization })),
    option(3, () => ({ _tag: "ListInside", by: someAdministrator(scene, organizationAt(world, at), "viewer"), at }))
  ])()
}

/** Where a race of musters is: mostly where people are inside, or where a muster goes on. */
const somewhere = (scene: Scene): ModelOrganization => {
  const { random, world } = scene
  const inside = world.stays.filter(isPersonInside)
  const peopled = world.organizations.filter(({ label }) => inside.some(({ organization }) => organization === label))
  const mustered = world.organizations.filter(({ label }) =>
    world.musters.some(({ organization, isOpen }) => organization === label && isOpen)
  )
  const choice = random.pick([peopled, mustered, mustered])
  return choice.length > 0 ? random.pick(choice) : someOrganization(scene)
}

/** Starts a muster where none is open; else marks people of the open one, or ends it, or seldom starts another. */
const musterWork = (scene: Scene, { label: organization }: ModelOrganization, by: Caller): Request => {
  const { random, world } = scene
  const start: Request = { _tag: "StartMuster", by, organization, muster: scene.label, kind: "drill" }
  const open = world.musters.find((one) => one.organization === organization && one.isOpen)
  if (open === undefined) return start
  const { label: muster, mode } = open
  const here = world.stays.flatMap((stay) =>
    isPersonInside(stay) && stay.organization === organization ? (stay.person ?? []) : []
  )
  const person = random.pick(here.length > 0 && random.chance(0.8) ? here : ANY_PERSON)
  return random.weighted<() => Request>([
    option(6, () => ({ _tag: "MarkSafe", by, muster, marked: mode === "anonymous" ? random.below(4) : [person] })),
    option(4, () => ({ _tag: "EndMuster", by, muster })),
    option(1, () => ({ _tag: "ReadMuster", by, muster })),
    option(1, () => start)
  ])()
}

/** A person who comes or goes, or is erased, or whose place ends. */
const meanwhile = (scene: Scene, organization: ModelOrganization, by: Caller): Request => {
  const { random, world, label } = scene
  const inside = world.stays.flatMap((stay, number) =>
    stay.organization === organization.label && isPersonInside(stay) ? [{ stay, number }] : []
  )
  const at: PremisesRef = within(scene, organization)
  const userOf = (person: string | undefined) =>
    userNamed(organization.links.find((link) => link.person === person)?.user ?? random.pick(USERS))
  const own = inside.length === 0 ? undefined : random.pick(inside)
  const anonymous = openAt(world, at)
  const place = organization.places.length === 0 ? undefined : random.pick(organization.places).label
  const linked = organization.links.length === 0 ? random.pick(USERS) : random.pick(organization.links).user
  const subject = { organization: organization.label, person: own?.stay.person ?? random.pick(ANY_PERSON) }
  return random.weighted<() => Request>([
    option(4, () => ({ _tag: "Enter", stay: label, by: userNamed(linked), at })),
    option(own === undefined ? 0 : 5, () => ({
      _tag: "Leave",
      by: userOf(own!.stay.person),
      at: premisesOf(own!.stay),
      token: tokenOf(world, own!.number)
    })),
    option(anonymous.length === 0 ? 0 : 2, () => ({
      _tag: "Leave",
      by: userNamed(linked),
      at,
      token: tokenOf(world, random.pick(anonymous))
    })),
    option(place === undefined ? 0 : 3, () => ({ _tag: "RemovePlace", by, place: place! })),
    option(2, () => ({ _tag: "Erase", by: OPERATOR, subject }))
  ])()
}

/** Musters that begin, go on and end while people come and go. */
export const musters = (scene: Scene): ReadonlyArray<Request> => {
  const { random } = scene
  const organization = somewhere(scene)
  const by = random.pick([...ownersOf(organization), ...ADMINISTRATORS.slice(0, 1)])
  const work = times(scene, some(scene, 1, 2), (one) => musterWork(one, organization, by))
  const others = times(scene, some(scene, 1, 2), (one) => meanwhile(one, organization, by), work.length)
  return random.chance(0.5) ? [...work, ...others] : [...others, ...work]
}
