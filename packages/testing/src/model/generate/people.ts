/** Generates commands of users on links and favorites, and readings of stays. */
import type { Request } from "../commands.ts"
import { linkedPerson, type ModelOrganization, organizationAt } from "../World.ts"
import { premisesOf } from "./stays.ts"
import {
  ANY_ADMINISTRATOR,
  ANY_PERSON,
  as,
  endedOrganizations,
  organizationLabel,
  organizationNamed,
  placeLabel,
  type Scene,
  someAdministrator,
  somePremises,
  someUser,
  userAt,
  userNamed,
  USERS
} from "./subjects.ts"
import { option } from "../Random.ts"

/** The person whom a user may well claim to be. */
const likelyPerson = ({ random }: Scene, organization: ModelOrganization | undefined, user: string): string => {
  const linked = organization === undefined ? undefined : linkedPerson(organization, user)
  return linked !== undefined && random.chance(0.8) ? linked : random.pick(ANY_PERSON)
}

/** A person of the authentication server, preferably one without a linked user. */
const somePerson = ({ random }: Scene, organization: ModelOrganization | undefined): string => {
  const free = ANY_PERSON.filter((person) => !organization?.links.some((link) => link.person === person))
  return random.pick(free.length > 0 && random.chance(0.6) ? free : ANY_PERSON)
}

export const someLinkCommand = (scene: Scene): Request => {
  const { random, world } = scene
  const linkable = world.organizations.filter((one) => one.mode === "authenticated" && one.server === "known")
  const isUseful = linkable.length > 0 && random.chance(0.75)
  const organization = isUseful ? random.pick(linkable).label : organizationLabel(scene)
  const by = someUser(scene)
  return random.weighted<() => Request>([
    option(8, () => ({
      _tag: "Link",
      by,
      organization,
      username: somePerson(scene, organizationNamed(scene, organization)),
      password: random.pick(["right", "right", "right", "right", "right", "right", "wrong", "empty"])
    })),
    option(3, () => ({ _tag: "Unlink", by: userAt(scene, organizationNamed(scene, organization)), organization }))
  ])()
}

/** Removes a favorite of an organization that was deleted since. */
const forgottenFavorite = (scene: Scene): Request | undefined => {
  const ended = endedOrganizations(scene)
  const wanted = scene.history.flatMap((command) =>
    command._tag === "AddFavorite" && ended.includes(command.organization) ? [command] : []
  )
  if (wanted.length === 0) return undefined
  const { by, organization } = scene.random.pick(wanted)
  return { _tag: "RemoveFavorite", by, organization }
}

export const someFavoriteCommand = (scene: Scene): Request => {
  const { random } = scene
  const organization = organizationLabel(scene)
  const known = organizationNamed(scene, organization)
  const by = userAt(scene, known)
  const own = by.kind === "user" ? by.id : "ann"
  const user = random.maybe(0.3, () => (random.chance(0.7) ? own : random.pick(USERS)))
  const forgotten = forgottenFavorite(scene)
  return random.weighted<() => Request>([
    option(6, () => ({
      _tag: "AddFavorite",
      by,
      organization,
      user,
      person: random.maybe(0.2, () => likelyPerson(scene, known, own))
    })),
    option(3, () => ({ _tag: "RemoveFavorite", by, organization, user })),
    option(forgotten === undefined ? 0 : 8, () => forgotten!),
    option(2, () => ({ _tag: "ListFavorites", by, user: random.chance(0.8) ? own : random.pick(USERS) }))
  ])()
}

/** Some premises, preferably with an access of a known person, and a caller and people of whom there may be accesses. */
const accessesToRead = (scene: Scene) => {
  const { random, world } = scene
  const accesses = world.stays.filter(({ person, exit, gone }) => person !== undefined && exit !== undefined && !gone)
  const access = random.maybe(0.8, () => (accesses.length === 0 ? undefined : random.pick(accesses)))
  const at = access === undefined ? somePremises(scene) : premisesOf(access)
  const there = organizationAt(world, at)
  const holder = there?.links.find(({ person }) => person === access?.person)
  const by = holder !== undefined && random.chance(0.7) ? as(scene, userNamed(holder.user)) : userAt(scene, there)
  const others = Array.from({ length: 1 + random.below(2) }, () => random.pick(ANY_PERSON))
  const people = access?.person !== undefined && random.chance(0.7) ? [access.person, ...others] : others
  return { at, there, by, people }
}

/** Reads what there is to read, beside the accesses of tokens. */
export const someReading = (scene: Scene): Request => {
  const { random, wire } = scene
  const { at, there, by: user, people } = accessesToRead(scene)
  const organization = organizationLabel(scene)
  const known = organizationNamed(scene, organization)
  const place = "place" in at ? at.place : placeLabel(scene)
  const home = organizationAt(scene.world, { place })
  const viewer = someAdministrator(scene, known, "viewer")
  const caller = random.chance(0.5) ? someUser(scene) : viewer
  return random.weighted<() => Request>([
    option(4, () => ({ _tag: "ReadCounter", by: someAdministrator(scene, there, "viewer"), at })),
    option(10, () => ({ _tag: "ReadReport", by: someAdministrator(scene, home, "viewer"), place })),
    option(6, () => ({ _tag: "ReadAccessesOfPeople", by: someAdministrator(scene, there, "viewer"), at, people })),
    option(7, () => ({
      _tag: "ReadAccessesOfPeople",
      by: user,
      at,
      people: random.chance(0.1) ? people : [likelyPerson(scene, there, user.kind === "user" ? user.id : "")]
    })),
    option(1, () => ({ _tag: "ReadOrganization", by: caller, organization })),
    option(1, () => ({ _tag: "ListOrganizations", by: someUser(scene) })),
    option(1, () => ({ _tag: "ListPlaces", by: caller, organization })),
    option(1, () => ({ _tag: "ListPermissions", by: someAdministrator(scene, known, "owner"), organization })),
    option(1, () => ({
      _tag: "ListOwnPermissions",
      by: viewer,
      administrator:
        wire && random.chance(0.3)
          ? random.pick(ANY_ADMINISTRATOR)
          : viewer.kind === "administrator"
            ? viewer.id
            : "nil"
    })),
    option(2, () => ({
      _tag: "AskPeople",
      by: viewer,
      organization,
      username: random.pick(ANY_PERSON),
      password: random.pick(["right", "right", "right", "wrong", "empty"]),
      people: random.chance(0.3) ? "everyone" : people
    }))
  ])()
}
