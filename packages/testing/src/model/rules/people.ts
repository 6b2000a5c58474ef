/** The reference model of users: their links to the people of organizations, and their favorites. */
import type {
  AddFavorite,
  AskPeople,
  Link,
  ListFavorites,
  PasswordName,
  RemoveFavorite,
  ServerName,
  Unlink,
  Who
} from "../commands.ts"
import { done, listed, type Outcome, refused } from "../outcomes.ts"
import { PEOPLE } from "../people.ts"
import { findOrganization, holds, isOpen, linkedPerson, mark, replace, type World } from "../World.ts"
import { answerOrganization } from "./organizations.ts"

const idOf = (by: Who): string => (by.kind === "user" ? by.id : "")

/** Why an authentication server proves nothing, if so. */
const unproven = (server: ServerName | undefined, username: string, password: PasswordName): Outcome | undefined => {
  if (server === undefined) return refused("AuthenticationServerMissing")
  const isRefused = password !== "right" || !PEOPLE.some(({ person }) => person === username)
  if (server === "silent") {
    // An empty password need not be sent anywhere to be refused.
    return refused("DirectoryUnreachable", ...(password === "empty" || username === "" ? ["DirectoryRefused"] : []))
  }
  return isRefused ? refused("DirectoryRefused") : undefined
}

/** One person is one orgAuthServerId (spec: accounts#linked-once). */
export const link = (world: World, { by, organization: label, username, password }: Link): Outcome => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  const failure = unproven(organization.server, username, password)
  if (failure !== undefined) return failure
  const user = idOf(by)
  if (organization.links.some((one) => one.person === username && one.user !== user)) {
    mark(world, "person linked to another refused")
    return refused("LinkedToAnother")
  }
  const others = organization.links.filter((one) => one.user !== user)
  if (others.length < organization.links.length) mark(world, "link replaced")
  replace(world, { ...organization, links: [...others, { user, person: username }] })
  return done({ organization: label, person: username })
}

export const unlink = (world: World, { by, organization: label }: Unlink): Outcome => {
  const organization = findOrganization(world, label)
  const links = organization?.links.filter((one) => one.user !== idOf(by)) ?? []
  if (organization === undefined || links.length === organization.links.length) return refused("AccountLinkNotFound")
  const person = linkedPerson(organization, idOf(by))
  const isInside = world.stays.some((stay) => stay.organization === label && stay.person === person && isOpen(stay))
  if (isInside) mark(world, "unlinking while inside")
  replace(world, { ...organization, links })
  return done()
}

export const askPeople = (world: World, command: AskPeople): Outcome => {
  const organization = findOrganization(world, command.organization)
  if (organization === undefined) return refused("OrganizationNotFound")
  if (!holds(organization, command.by, "viewer")) return refused("PermissionTooLow")
  const failure = unproven(organization.server, command.username, command.password)
  if (failure !== undefined) return failure
  if (command.people === "everyone") return listed(PEOPLE)
  const asked = [...new Set(command.people)]
  return listed(asked.flatMap((person) => PEOPLE.filter((known) => known.person === person)))
}

export const addFavorite = (world: World, { by, organization: label, user, person }: AddFavorite): Outcome => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  const own = idOf(by)
  if (user !== undefined && user !== own) return refused("FavoritesOfAnother")
  const isAuthenticated = organization.mode === "authenticated"
  const linked = isAuthenticated ? linkedPerson(organization, own) : undefined
  if (isAuthenticated && linked === undefined) {
    mark(world, "favorite without a link refused")
    return refused("NotLinked")
  }
  if (isAuthenticated && person !== undefined && person !== linked) return refused("IdentityNotOwn")
  if (world.favorites.some((one) => one.user === own && one.organization === label)) {
    mark(world, "second favorite refused")
    return refused("FavoriteExists")
  }
  world.favorites = [...world.favorites, { user: own, organization: label }]
  return done({ user: own, person: linked, created: world.now, organization: answerOrganization(organization) })
}

export const removeFavorite = (world: World, { by, organization, user }: RemoveFavorite): Outcome => {
  const own = idOf(by)
  if (user !== undefined && user !== own) return refused("FavoritesOfAnother")
  const rest = world.favorites.filter((one) => !(one.user === own && one.organization === organization))
  if (rest.length === world.favorites.length) {
    if (findOrganization(world, organization) === undefined) mark(world, "favorite that ended with its organization")
    return refused("FavoriteNotFound")
  }
  world.favorites = rest
  return done()
}

export const listFavorites = (world: World, { by, user }: ListFavorites): Outcome => {
  if (user !== idOf(by)) return refused("FavoritesOfAnother")
  return listed(
    world.favorites
      .filter((one) => one.user === user)
      .flatMap((one) => findOrganization(world, one.organization) ?? [])
      .map(answerOrganization)
  )
}
