/** Answers every command by the use cases, for the services driver; the other `serve` files have parts of it. */
import { AccountLinks, type FavoriteId, Favorites, PersonalData, allPages } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { Request } from "../commands.ts"
import { makeServeFeed } from "./serveFeed.ts"
import { makeServeOrganizations } from "./serveOrganizations.ts"
import { makeServeHistory } from "./serveHistory.ts"
import { makeServeMusters } from "./serveMusters.ts"
import { makeServeAccounts } from "./serveAccounts.ts"
import { makeServeStays } from "./serveStays.ts"
import { makeServeWebhooks } from "./serveWebhooks.ts"
import { type Answered, each, nothing, type Serve, valueOf, type Translation } from "./translation.ts"

/** Favorites, the people of authentication servers, and what is erased of them. */
const makeServePeople = Effect.fnUntraced(function* (translation: Translation) {
  const { answer, user, administrator, operator, organizationId, userId, person, people, subject, credentials } =
    translation
  const favorites = yield* Favorites
  const links = yield* AccountLinks
  const personalData = yield* PersonalData
  return {
    AddFavorite: (request) =>
      favorites
        .add(user(request.by), {
          organizationId: organizationId(request.organization),
          userId: userId(request.user),
          orgAuthServerId: person(request.person)
        })
        .pipe(
          valueOf(({ favorite, organization }) => ({
            user: favorite.userId,
            person: favorite.orgAuthServerId,
            created: favorite.creationDate,
            organization: answer.organization(organization)
          }))
        ),
    RemoveFavorite: ({ by, organization, user: owner }) =>
      nothing(favorites.remove(user(by), { organizationId: organizationId(organization), userId: userId(owner) })),
    ListFavorites: ({ by, user: owner }) =>
      allPages((after?: FavoriteId) => favorites.list(user(by), user({ kind: "user", id: owner }).userId, after)).pipe(
        each(({ organization }) => answer.organization(organization))
      ),
    Link: ({ by, organization, username, password }) =>
      links
        .link(user(by), organizationId(organization), credentials(username, password))
        .pipe(valueOf((link) => ({ organization, person: link.orgAuthServerId }))),
    Unlink: ({ by, organization }) => nothing(links.unlink(user(by), organizationId(organization))),
    AskPeople: ({ by, organization, username, password, people: ids }) =>
      links
        .information(
          administrator(by),
          organizationId(organization),
          credentials(username, password),
          typeof ids === "string" ? ids : people(ids)
        )
        .pipe(each(({ orgAuthServerId, name, surname }) => ({ person: orgAuthServerId, name, surname }))),
    Erase: ({ by, subject: named }) =>
      personalData
        .erase(operator(by), subject(named))
        .pipe(valueOf(({ retriedEntrances: _, musterEntries: __, mentions: ___, ...taken }) => taken))
  } satisfies Partial<Serve>
})

/** Asks the use cases of the core. */
export const makeServe = Effect.fnUntraced(function* (
  translation: Translation,
  presence: Parameters<typeof makeServeFeed>[1] & Parameters<typeof makeServeWebhooks>[1]
) {
  const serve: Serve = {
    ...(yield* makeServeStays(translation)),
    ...(yield* makeServeOrganizations(translation)),
    ...(yield* makeServeAccounts(translation)),
    ...(yield* makeServePeople(translation)),
    ...(yield* makeServeFeed(translation, presence)),
    ...(yield* makeServeHistory(translation)),
    ...(yield* makeServeMusters(translation)),
    ...(yield* makeServeWebhooks(translation, presence))
  }
  return (request: Request) =>
    (serve[request._tag] as (request: Request) => Effect.Effect<Answered, { readonly _tag: string }>)(request)
})
