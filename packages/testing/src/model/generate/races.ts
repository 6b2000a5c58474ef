/** Generates requests at one moment, of all kinds. Those of movements, musters and webhooks are in files of their own. */
import type { PermissionLevel } from "@sojourn/core"
import type { Race, Request, Caller } from "../commands.ts"
import { GRID } from "../grid.ts"
import { type ModelOrganization, openAt } from "../World.ts"
import { someCapacity, somePublish } from "./feed.ts"
import { somePlaceCommand } from "./organizations.ts"
import { crowd, ends, entrances, exits, movements, tokenOf, within } from "./stays.ts"
import { musters } from "./musters.ts"
import { someDeletionCommand, somePermissionCommand } from "./accounts.ts"
import { ANY_PERSON, OPERATOR, type Scene, someAdministrator, someOrganization, userNamed, USERS } from "./subjects.ts"
import { ownersOf, some, times } from "./subjects.ts"
import { webhooks } from "./webhooks.ts"
import { option } from "../Random.ts"

/** An owner gives up, and others are erased: one owner has to remain. */
const resignations = (
  scene: Scene,
  { label: organization }: ModelOrganization,
  owners: ReadonlyArray<Caller>
): ReadonlyArray<Request> => {
  const { random } = scene
  const by = random.pick(owners)
  const own = "id" in by ? by.id : ""
  const resignation: Request = random.chance(0.5)
    ? { _tag: "Unbind", by, organization, administrator: own }
    : { _tag: "ChangeLevel", by, organization, administrator: own, level: "viewer" }
  const erasures = owners
    .filter((one) => one !== by)
    .map((one): Request => ({ _tag: "Erase", by: OPERATOR, subject: { administrator: "id" in one ? one.id : "" } }))
  return random.chance(0.5) ? [resignation, ...erasures] : [...erasures, resignation]
}

/** Owners who remove, demote and appoint each other. */
const ownerChanges = (scene: Scene): ReadonlyArray<Request> => {
  const { random } = scene
  const crowded = scene.world.organizations.filter((organization) => ownersOf(organization).length > 1)
  const organization = crowded.length > 0 ? random.pick(crowded) : someOrganization(scene)
  const owners = ownersOf(organization)
  if (owners.length < 2) return times(scene, some(scene, 2, 4), somePermissionCommand)
  if (random.chance(0.25)) return resignations(scene, organization, owners)
  return times(scene, some(scene, 2, 4), () => {
    const by = random.pick(owners)
    const other = random.pick(owners.filter((one) => one !== by))
    const administrator = other.kind === "administrator" ? other.id : ""
    const level: PermissionLevel = random.pick(["viewer", "manager", "owner"])
    return random.chance(0.6)
      ? { _tag: "Unbind", by, organization: organization.label, administrator }
      : { _tag: "ChangeLevel", by, organization: organization.label, administrator, level }
  })
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

/** One user's favorite, added and removed at once. */
const favorites = (scene: Scene): ReadonlyArray<Request> => {
  const organization = someOrganization(scene).label
  const by = userNamed(scene.random.pick(USERS))
  return times(scene, some(scene, 2, 4), ({ random }) => ({
    _tag: random.chance(0.7) ? "AddFavorite" : "RemoveFavorite",
    by,
    organization
  }))
}

const decisions = (scene: Scene): ReadonlyArray<Request> => times(scene, some(scene, 2, 4), someDeletionCommand)
const places = (scene: Scene): ReadonlyArray<Request> => times(scene, some(scene, 2, 4), somePlaceCommand)
const permissions = (scene: Scene): ReadonlyArray<Request> => times(scene, some(scene, 2, 4), somePermissionCommand)

/** Places that are created in one area while the area of the organization changes. */
const areas = (scene: Scene): ReadonlyArray<Request> => {
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

/** A person is erased while they come and go, and link themselves anew. */
const erasures = (scene: Scene): ReadonlyArray<Request> => {
  const { random, world } = scene
  const linked = world.organizations.flatMap((organization) =>
    organization.links.map((link) => ({ organization, ...link }))
  )
  if (linked.length === 0) return links(scene)
  const { organization, user, person } = random.pick(linked)
  const by = userNamed(user)
  const at = within(scene, organization)
  const subject = random.chance(0.6) ? { user } : { organization: organization.label, person }
  const erasure: Request = { _tag: "Erase", by: OPERATOR, subject }
  const own = openAt(world, at).filter((number) => world.stays[number]?.person === person)
  const others = times(scene, some(scene, 1, 3), ({ label }): Request =>
    random.weighted<() => Request>([
      option(4, () => ({ _tag: "Enter", stay: label, by, at, key: random.maybe(0.5, () => "key-1") })),
      option(own.length > 0 ? 4 : 0, () => ({ _tag: "Leave", by, at, token: tokenOf(world, random.pick(own)) })),
      option(2, () => ({ _tag: "Link", by, organization: organization.label, username: person, password: "right" })),
      option(2, () => ({ _tag: "AddFavorite", by, organization: organization.label })),
      option(1, () => erasure)
    ])()
  )
  return [...others.slice(0, 1), erasure, ...others.slice(1)]
}

/** Few enough requests that any order of them can be tried. */
const MAX_MEMBERS = 4

/** A publish or a change of a capacity beside some requests. */
const concurrentPublish = (scene: Scene, made: ReadonlyArray<Request>): ReadonlyArray<Request> =>
  made.length >= MAX_MEMBERS || scene.random.chance(0.5)
    ? []
    : scene.random.chance(0.6)
      ? [somePublish()]
      : [someCapacity(scene)]

/** Two to four requests at one moment. */
export const someRace = (scene: Scene): Race => {
  const make = scene.random.weighted([
    [7, exits],
    [4, entrances],
    [4, crowd],
    [5, ownerChanges],
    [10, ends],
    [2, links],
    [2, favorites],
    [2, decisions],
    [2, places],
    [3, areas],
    [2, permissions],
    [3, movements],
    [3, erasures],
    [9, musters],
    [6, webhooks]
  ])
  const made = make(scene)
  return { _tag: "Race", members: [...concurrentPublish(scene, made), ...made].slice(0, MAX_MEMBERS) }
}
