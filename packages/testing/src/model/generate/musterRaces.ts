/** Generates requests at one moment around musters. */
import type { PremisesRef, Request, Caller } from "../commands.ts"
import { isPersonInside, type ModelOrganization, openAt } from "../World.ts"
import { within } from "./stayRaces.ts"
import { premisesOf, tokenOf } from "./stays.ts"
import { ADMINISTRATORS, ANY_PERSON, OPERATOR, type Scene, someOrganization, userNamed, USERS } from "./subjects.ts"
import { ownersOf, some, times } from "./concurrent.ts"

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
    [6, () => ({ _tag: "MarkSafe", by, muster, marked: mode === "anonymous" ? random.below(4) : [person] })],
    [4, () => ({ _tag: "EndMuster", by, muster })],
    [1, () => ({ _tag: "ReadMuster", by, muster })],
    [1, () => start]
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
    [4, () => ({ _tag: "Enter", stay: label, by: userNamed(linked), at })],
    [
      own === undefined ? 0 : 5,
      () => ({
        _tag: "Leave",
        by: userOf(own!.stay.person),
        at: premisesOf(own!.stay),
        token: tokenOf(world, own!.number)
      })
    ],
    [
      anonymous.length === 0 ? 0 : 2,
      () => ({ _tag: "Leave", by: userNamed(linked), at, token: tokenOf(world, random.pick(anonymous)) })
    ],
    [place === undefined ? 0 : 3, () => ({ _tag: "RemovePlace", by, place: place! })],
    [2, () => ({ _tag: "Erase", by: OPERATOR, subject })]
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
