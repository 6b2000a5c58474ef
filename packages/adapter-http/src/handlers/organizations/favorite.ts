import { type FavoriteDraft, Favorites, type ListedFavorite, type UserId } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { FavoriteGroup } from "../../api/organizations/favorite.ts"
import { BadRequest } from "../../api/shared/refusals.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import type { WireFavoriteDraft } from "../../wire/organizations/favorite.ts"
import { WireOrganization } from "../../wire/organizations/organization.ts"
import { withoutNulls } from "../shared/withoutNulls.ts"
import { makeListedInPages } from "./listedInPages.ts"
import { toWireOrganization } from "./organization.ts"
import { refuse } from "../shared/refuse.ts"

const toDraft = (payload: typeof WireFavoriteDraft.Type) => withoutNulls(payload) as FavoriteDraft

/** Answers the endpoints for favorites (spec: organizations#favorites). */
export const favoriteHandlers = Effect.map(Favorites, (favorites): GroupHandlers<typeof FavoriteGroup> => {
  const listed = makeListedInPages(WireOrganization, ({ organization }: ListedFavorite) =>
    toWireOrganization(organization)
  )
  return {
    add: ({ caller, payload }) =>
      favorites.add(caller, toDraft(payload)).pipe(
        Effect.map(({ favorite, organization }) => ({ ...favorite, organization: toWireOrganization(organization) })),
        refuse()
      ),
    list: ({ caller, params }) =>
      listed((after) => favorites.list(caller, params.userId as UserId, after)).pipe(
        // "The supplied userId is incorrect" (spec: organizations#favorite-statuses).
        refuse({ FavoritesOfAnother: BadRequest })
      ),
    remove: ({ caller, payload }) => refuse()(favorites.remove(caller, toDraft(payload)))
  }
})
