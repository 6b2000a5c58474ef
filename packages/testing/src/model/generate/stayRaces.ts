/** Generates movements at one moment that meet each other, or the end of what they are about. */
import type { PremisesRef, Request } from "../commands.ts"
import { isOpen, linkedPerson, type ModelOrganization, openAt } from "../World.ts"
import { premisesOf, someEntrance, someExit, tokenOf } from "./stays.ts"
import { someDeletionWork } from "./accounts.ts"
import {
  ADMINISTRATORS,
  OPERATOR,
  type Scene,
  someAdministrator,
  someOrganization,
  userNamed,
  USERS
} from "./subjects.ts"
import { ownersOf, some, times } from "./concurrent.ts"

/** The premises of an organization: itself, or one of its places. */
export const within = ({ random }: Scene, organization: ModelOrganization): PremisesRef =>
  organization.places.length > 0 && random.chance(0.5)
    ? { place: random.pick(organization.places).label }
    : { organization: organization.label }

/** Exits with one token: of those that claim different times one wins. */
export const exits = (scene: Scene): ReadonlyArray<Request> => {
  const { random, world } = scene
  const open = world.stays.flatMap((stay, number) => (isOpen(stay) ? [{ stay, number }] : []))
  if (open.length === 0) return crowd(scene)
  const { stay, number } = random.pick(open)
  const person = world.organizations
    .find((one) => one.label === stay.organization)
    ?.links.find((one) => one.person === stay.person)
  return times(scene, some(scene, 2, 4), () => ({
    _tag: "Leave",
    by: userNamed(person?.user ?? random.pick(USERS)),
    at: premisesOf(stay),
    token: tokenOf(world, number),
    time: random.maybe(0.8, () => stay.entrance + random.below(4) * 250)
  }))
}

/** One user's entrances at one moment: with a key, or as a person, they are one stay. */
export const entrances = (scene: Scene): ReadonlyArray<Request> => {
  const { random } = scene
  const organization = someOrganization(scene)
  const linked = USERS.filter((user) => linkedPerson(organization, user) !== undefined)
  const by = userNamed(random.pick(linked.length > 0 ? linked : USERS))
  const at = within(scene, organization)
  const key = random.maybe(0.6, () => random.pick(["key-1", "key-2", "key-3"]))
  return times(scene, some(scene, 2, 4), ({ label }) => ({ _tag: "Enter", stay: label, by, at, key }))
}

/** Many movements at one place, and an administrator who reads its counter. */
export const crowd = (scene: Scene): ReadonlyArray<Request> => {
  const organization = someOrganization(scene)
  const at = within(scene, organization)
  const there = openAt(scene.world, at)
  const comings = times(scene, some(scene, 1, 2), (one) => someEntrance(one, at))
  const goings = times(scene, Math.min(there.length, 1), ({ random, world }) => ({
    _tag: "Leave",
    by: userNamed(random.pick(USERS)),
    at,
    token: tokenOf(world, random.pick(there))
  }))
  const counter = {
    _tag: "ReadCounter",
    by: someAdministrator({ ...scene, wire: false }, organization, "viewer"),
    at
  } as const
  return [...comings, counter, ...goings]
}

/** A place or an organization ends, or changes its ways, while people come and go. */
export const ends = (scene: Scene): ReadonlyArray<Request> => {
  const { random, world } = scene
  const wanted = world.organizations.filter((one) =>
    world.requests.some((request) => request.organization === one.label && request.status === "pending")
  )
  const organization = wanted.length > 0 && random.chance(0.4) ? random.pick(wanted) : someOrganization(scene)
  const owner = random.pick([...ownersOf(organization), ...ADMINISTRATORS.slice(0, 1)])
  const pending = world.requests.filter((request) => request.organization === organization.label)
  const place = organization.places.length === 0 ? undefined : random.pick(organization.places).label
  const at: PremisesRef = place === undefined ? { organization: organization.label } : { place }
  const ending: Request = random.weighted<() => Request>([
    [
      4,
      () =>
        place === undefined ? someDeletionWork({ ...scene, wire: false }) : { _tag: "RemovePlace", by: owner, place }
    ],
    [
      5,
      () => ({
        _tag: "EditOrganization",
        by: owner,
        organization: organization.label,
        mode: organization.mode === "anonymous" ? "authenticated" : "anonymous"
      })
    ],
    [
      wanted.includes(organization) ? 8 : 1,
      () => ({
        _tag: "Decide",
        by: OPERATOR,
        organization: organization.label,
        nth: Math.max(0, pending.length - 1),
        verdict: "approved"
      })
    ],
    [3, () => ({ _tag: "Unlink", by: userNamed(random.pick(USERS)), organization: organization.label })]
  ])()
  const there = openAt(world, at)
  const movements = times(scene, some(scene, 1, 3), (one) =>
    there.length > 0 && one.random.chance(0.5)
      ? { _tag: "Leave", by: userNamed(one.random.pick(USERS)), at, token: tokenOf(world, one.random.pick(there)) }
      : someEntrance(one, at)
  )
  return [...movements.slice(0, 1), ending, ...movements.slice(1)]
}

/** People anywhere, who come and go at one moment. */
export const movements = (scene: Scene): ReadonlyArray<Request> => [
  ...times(scene, some(scene, 1, 2), (one) => someEntrance(one)),
  ...times(scene, some(scene, 1, 2), someExit, 2)
]
