import type { PermissionLevel } from "../../../domain/PermissionLevel.ts"
import type { At, Race, Request, Who } from "../commands.ts"
import { linkedPerson, openAt, type ModelOrganization } from "../World.ts"
import { GRID } from "../ground.ts"
import { someDeletionWork, somePermissionWork, somePlaceWork } from "./administration.ts"
import { premisesOf, someEntrance, someExit, tokenOf } from "./movements.ts"
import {
  ADMINISTRATORS,
  ANY_PERSON,
  OPERATOR,
  type Scene,
  someAdministrator,
  someOrganization,
  userNamed,
  USERS
} from "./subjects.ts"

type Make = (scene: Scene) => Request

/** So many requests, each with a label of its own. */
const times = (scene: Scene, count: number, make: Make, from = 0): ReadonlyArray<Request> =>
  Array.from({ length: count }, (_, index) => make({ ...scene, label: `${scene.label}.${from + index}`, wire: false }))

const some = ({ random }: Scene, smallest: number, largest: number): number =>
  smallest + random.below(largest - smallest + 1)

/** The premises of an organization: itself, or one of its places. */
const within = ({ random }: Scene, organization: ModelOrganization): At =>
  organization.places.length > 0 && random.chance(0.5)
    ? { place: random.pick(organization.places).label }
    : { organization: organization.label }

const owners = (organization: ModelOrganization): ReadonlyArray<Who> =>
  ADMINISTRATORS.filter(({ id }) =>
    organization.permissions.some((one) => one.administrator === id && one.level === "owner")
  )

/** Exits with one token: of those that tell different times one wins. */
const exits = (scene: Scene): ReadonlyArray<Request> => {
  const { random, world } = scene
  const open = world.stays.flatMap((stay, number) => (stay.exit === undefined && !stay.gone ? [{ stay, number }] : []))
  if (open.length === 0) return crowd(scene)
  const { stay, number } = random.pick(open)
  const person = world.organizations
    .find((one) => one.label === stay.organization)
    ?.links.find((one) => one.person === stay.person)
  return times(scene, some(scene, 2, 5), () => ({
    _tag: "Leave",
    by: userNamed(person?.user ?? random.pick(USERS)),
    at: premisesOf(stay),
    token: tokenOf(world, number),
    time: random.maybe(0.8, () => stay.entrance + random.below(4) * 250)
  }))
}

/** One user's entrances at one moment: with a key, or as a person, they are one stay. */
const entrances = (scene: Scene): ReadonlyArray<Request> => {
  const { random } = scene
  const organization = someOrganization(scene)
  const linked = USERS.filter((user) => linkedPerson(organization, user) !== undefined)
  const by = userNamed(random.pick(linked.length > 0 ? linked : USERS))
  const at = within(scene, organization)
  const key = random.maybe(0.6, () => random.pick(["key-1", "key-2", "key-3"]))
  return times(scene, some(scene, 2, 4), ({ label }) => ({ _tag: "Enter", stay: label, by, at, key }))
}

/** Many people at one door, and somebody counting. */
const crowd = (scene: Scene): ReadonlyArray<Request> => {
  const organization = someOrganization(scene)
  const at = within(scene, organization)
  const there = openAt(scene.world, at)
  const comings = times(scene, some(scene, 1, 4), (one) => someEntrance(one, at))
  const goings = times(scene, Math.min(there.length, 3), ({ random, world }) => ({
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

/** Owners who remove, demote and appoint each other. */
const changesOfPower = (scene: Scene): ReadonlyArray<Request> => {
  const { random } = scene
  const crowded = scene.world.organizations.filter((organization) => owners(organization).length > 1)
  const organization = crowded.length > 0 ? random.pick(crowded) : someOrganization(scene)
  const powers = owners(organization)
  if (powers.length < 2) return times(scene, some(scene, 2, 4), somePermissionWork)
  return times(scene, some(scene, 2, 4), () => {
    const by = random.pick(powers)
    const other = random.pick(powers.filter((one) => one !== by))
    const administrator = other.kind === "administrator" ? other.id : ""
    const level: PermissionLevel = random.pick(["viewer", "manager", "owner"])
    return random.chance(0.6)
      ? { _tag: "Unbind", by, organization: organization.label, administrator }
      : { _tag: "ChangeLevel", by, organization: organization.label, administrator, level }
  })
}

/** A place or an organization ends, or changes its ways, while people come and go. */
const ends = (scene: Scene): ReadonlyArray<Request> => {
  const { random, world } = scene
  const wanted = world.organizations.filter((one) =>
    world.requests.some((request) => request.organization === one.label && request.status === "pending")
  )
  const organization = wanted.length > 0 && random.chance(0.4) ? random.pick(wanted) : someOrganization(scene)
  const owner = random.pick([...owners(organization), ...ADMINISTRATORS.slice(0, 1)])
  const pending = world.requests.filter((request) => request.organization === organization.label)
  const place = organization.places.length === 0 ? undefined : random.pick(organization.places).label
  const at: At = place === undefined ? { organization: organization.label } : { place }
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
  const movements = times(scene, some(scene, 2, 4), (one) =>
    there.length > 0 && one.random.chance(0.5)
      ? { _tag: "Leave", by: userNamed(one.random.pick(USERS)), at, token: tokenOf(world, one.random.pick(there)) }
      : someEntrance(one, at)
  )
  return [...movements.slice(0, 2), ending, ...movements.slice(2)]
}

/** Two users who prove to be one person, and one user who proves to be two. */
const links = (scene: Scene): ReadonlyArray<Request> => {
  const { random } = scene
  const known = scene.world.organizations.filter((one) => one.server === "known")
  const organization = known.length > 0 ? random.pick(known) : someOrganization(scene)
  const person = random.pick(ANY_PERSON.slice(0, 3))
  return times(scene, some(scene, 2, 3), () => ({
    _tag: "Link",
    by: userNamed(random.pick(USERS)),
    organization: organization.label,
    username: random.chance(0.8) ? person : random.pick(ANY_PERSON),
    password: "right"
  }))
}

/** One user's favorite, wanted and unwanted at once. */
const favorites = (scene: Scene): ReadonlyArray<Request> => {
  const organization = someOrganization(scene).label
  const by = userNamed(scene.random.pick(USERS))
  return times(scene, some(scene, 2, 4), ({ random }) => ({
    _tag: random.chance(0.7) ? "AddFavorite" : "RemoveFavorite",
    by,
    organization
  }))
}

const decisions = (scene: Scene): ReadonlyArray<Request> => times(scene, some(scene, 2, 4), someDeletionWork)
const places = (scene: Scene): ReadonlyArray<Request> => times(scene, some(scene, 2, 4), somePlaceWork)
const permissions = (scene: Scene): ReadonlyArray<Request> => times(scene, some(scene, 2, 4), somePermissionWork)
const movements = (scene: Scene): ReadonlyArray<Request> => [
  ...times(scene, some(scene, 1, 4), (one) => someEntrance(one)),
  ...times(scene, some(scene, 1, 4), someExit, 4)
]

/** Places that are to stand on one ground, while the ground is measured anew. */
const ground = (scene: Scene): ReadonlyArray<Request> => {
  const { random } = scene
  const organization = someOrganization(scene)
  const by = someAdministrator({ ...scene, wire: false }, organization, "manager")
  const corner = () => random.below(GRID - 3)
  const drawing = (left: number, bottom: number, side: number) => ({
    rectangle: { left, bottom, right: left + side, top: bottom + side },
    form: "polygon" as const
  })
  const [left, bottom] = [corner(), corner()]
  const made = times(scene, some(scene, 2, 4), ({ label }) => ({
    _tag: "CreatePlace",
    by,
    organization: organization.label,
    place: label,
    drawing: drawing(left + random.below(2), bottom + random.below(2), 1 + random.below(2))
  }))
  const measured: Request = {
    _tag: "EditTrackingArea",
    by,
    organization: organization.label,
    drawing: drawing(0, 0, random.pick([GRID - 3, GRID]))
  }
  return random.chance(0.6) ? [...made, measured] : made
}

/** Who signs in for the first time is not for a race to decide: nothing that can be read would tell who was first. */
const isKnown = ({ world }: Scene, { by }: Request): boolean =>
  by.kind !== "administrator" || world.accounts.some((account) => account.administrator === by.id)

/** Two to eight requests at one moment. */
export const someRace = (scene: Scene): Race => {
  const make = scene.random.weighted([
    [7, exits],
    [4, entrances],
    [4, crowd],
    [5, changesOfPower],
    [9, ends],
    [2, links],
    [2, favorites],
    [2, decisions],
    [2, places],
    [3, ground],
    [2, permissions],
    [3, movements]
  ])
  const members = make(scene).filter((member) => isKnown(scene, member))
  return { _tag: "Race", members: members.slice(0, 8) }
}
