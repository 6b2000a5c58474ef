/** Links of users to people, favorites, and questions to authentication servers. */
import type { FavoriteId, ListedFavorite, OrgAuthServerId, Page, User } from "@sojourn/core"
import { allPages } from "@sojourn/core"
import { Effect, Redacted } from "effect"
import { KNOWN_SERVER, PASSWORD } from "../directory.ts"
import { type OrganizationRef, pick, request, type Request } from "../Request.ts"
import {
  ANY_PERSON,
  type Make,
  organizationOf,
  organizationRef,
  type Scene,
  someAdministrator,
  someOrganization,
  someUser,
  userAt,
  USERS
} from "./subjects.ts"

const credentials = (username: string, password: string) => ({ username, password: Redacted.make(password) })

export const link = (by: User, organization: OrganizationRef, username: string, password: string = PASSWORD) =>
  request("Link", by, { organization, username, password }, (s, a) =>
    pick(s.accountLinks.link(by, a.organization, credentials(a.username, a.password)), [
      "organizationId",
      "orgAuthServerId"
    ])
  )

const somePassword = ({ draw }: Scene) =>
  draw.pick([PASSWORD, PASSWORD, PASSWORD, PASSWORD, PASSWORD, PASSWORD, "wrong", ""])

export const unlink = (by: User, organization: OrganizationRef) =>
  request("Unlink", by, { organization }, (s, a) => s.accountLinks.unlink(by, a.organization))

export const someLinkCommand: Make = (scene) => {
  const { draw, world } = scene
  const linkable = world.organizations.filter(({ mode, server }) => mode === "authenticated" && server === KNOWN_SERVER)
  const organization = draw.prefer(
    0.75,
    linkable.map(({ ref }) => ref),
    [organizationRef(scene)]
  )
  const known = organizationOf(scene, organization)
  const free = ANY_PERSON.filter((person) => !known?.links.some((one) => one.person === person))
  return draw.chance(0.85)
    ? link(someUser(scene), organization, draw.prefer(0.6, free, ANY_PERSON), somePassword(scene))
    : unlink(userAt(scene, known), organization)
}

/** Two users who prove to be one person, and one user who proves to be two. */
export const linksAtOnce = (scene: Scene): ReadonlyArray<Request> => {
  const { draw, world } = scene
  const { ref } = draw.prefer(
    1,
    world.organizations.filter(({ server }) => server === KNOWN_SERVER),
    world.organizations
  )
  const person = draw.pick(ANY_PERSON.slice(0, 3))
  return Array.from({ length: 2 + draw.below(2) }, () =>
    link(draw.pick(USERS), ref, draw.prefer(0.8, [person], ANY_PERSON))
  )
}

/** The person whom a user may well claim to be. */
export const likelyPerson = (scene: Scene, organization: OrganizationRef, { userId }: User): OrgAuthServerId =>
  scene.draw.prefer(
    0.8,
    (organizationOf(scene, organization)?.links ?? []).flatMap((one) => (one.userId === userId ? [one.person] : [])),
    ANY_PERSON
  )

const favorite = (name: "AddFavorite" | "RemoveFavorite", by: User, draft: object) =>
  request(
    name,
    by,
    draft,
    (s, a) =>
      name === "AddFavorite" ? s.favorites.add(by, a as never) : Effect.asVoid(s.favorites.remove(by, a as never)),
    { id: "organizationId" }
  )

export const listFavorites = (by: User, owner: User = by) =>
  request(
    "ListFavorites",
    by,
    { owner },
    (s) =>
      Effect.map(
        allPages(
          (after?: FavoriteId) =>
            s.favorites.list(by, owner.userId, after) as Effect.Effect<Page<ListedFavorite>, { readonly _tag: string }>
        ),
        (favorites) => favorites.map(({ organization }) => organization)
      ),
    { id: "organizationId" }
  )

export const someFavoriteCommand: Make = (scene) => {
  const { draw, world } = scene
  const organizationId = organizationRef(scene)
  const by = userAt(scene, organizationOf(scene, organizationId))
  const userId = draw.maybe(0.3, () =>
    draw.prefer(
      0.7,
      [by.userId],
      USERS.map((user) => user.userId)
    )
  )
  return draw.weighted<Request>([
    [
      6,
      () =>
        favorite("AddFavorite", by, {
          organizationId,
          userId,
          orgAuthServerId: draw.maybe(0.2, () => likelyPerson(scene, organizationId, by))
        })
    ],
    [3, () => favorite("RemoveFavorite", by, { organizationId, userId })],
    [
      world.ended.organizations.length > 0 ? 2 : 0,
      () => favorite("RemoveFavorite", by, { organizationId: draw.pick(world.ended.organizations) })
    ],
    [2, () => listFavorites(by, draw.prefer(0.8, [by], USERS))]
  ])
}

/** One user's favorite, added and removed at once. */
export const favoritesAtOnce = (scene: Scene): ReadonlyArray<Request> => {
  const organizationId = someOrganization(scene).ref
  const by = someUser(scene)
  return Array.from({ length: 2 + scene.draw.below(3) }, () =>
    favorite(scene.draw.chance(0.7) ? "AddFavorite" : "RemoveFavorite", by, { organizationId })
  )
}

export const someQuestion: Make = (scene) => {
  const { draw } = scene
  const organization = organizationRef(scene)
  const by = someAdministrator(scene, organizationOf(scene, organization), "viewer")
  const people = draw.chance(0.3) ? ("everyone" as const) : [draw.pick(ANY_PERSON), draw.pick(ANY_PERSON)]
  return request(
    "AskPeople",
    by,
    { organization, people, username: draw.pick(ANY_PERSON), password: somePassword(scene) },
    (s, a) => s.accountLinks.information(by, a.organization, credentials(a.username, a.password), people)
  )
}
