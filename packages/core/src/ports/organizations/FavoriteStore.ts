/** The port for the favorite organizations of users. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { IdentityNotOwn, NotLinked } from "../../domain/accounts/AccountLink.ts"
import type { Favorite, FavoriteExists, FavoriteNotFound } from "../../domain/organizations/Favorite.ts"
import type { FavoriteId, OrganizationId, UserId } from "../../domain/shared/Ids.ts"
import type { Organization, OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { Page } from "./Page.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** A favorite in a list. */
export interface ListedFavorite {
  readonly id: FavoriteId
  readonly organization: Organization
}

/**
 * The organizations that users keep at hand (spec: organizations#favorites). They outlive everything but the organization and
 * an erasure.
 */
export class FavoriteStore extends Context.Service<
  FavoriteStore,
  {
    /**
     * Applies the rule `claimFavorite` to the mode and the user's link, and keeps the favorite, as one step.
     * It answers the organization as well. Fails with `FavoriteExists` where the user has the favorite.
     * Of racing additions one is kept. A user who is unlinked or erased meanwhile has the favorite before that, or is
     * refused.
     * Laws: `organizations/FavoriteStore.ts` "of 20 additions of one favorite at the same moment one is kept";
     * `personalData/PersonalDataStore/races.ts` "favorites that are added while their people are erased are before it, and
     * erased, or find no link".
     */
    readonly add: (
      claim: Favorite
    ) => Effect.Effect<
      { readonly favorite: Favorite; readonly organization: Organization },
      OrganizationNotFound | NotLinked | IdentityNotOwn | FavoriteExists | StoreError
    >
    /**
     * Removes a favorite of the user.
     * Of racing removals one succeeds.
     * Laws: `organizations/FavoriteStore.ts` "what is no favorite is not removed, nor another user's", "of 20 removals of
     * one favorite at the same moment one removes it".
     */
    readonly remove: (
      userId: UserId,
      organizationId: OrganizationId
    ) => Effect.Effect<void, FavoriteNotFound | StoreError>
    /**
     * Reads a page of a user's favorites, with the organizations as they are now, by id: those of each cell in the order of adding.
     * The page begins with the first favorite or after one, which may be removed meanwhile. A favorite that is added again
     * comes last. Ids are of each user (`nextFavoriteId`).
     * Laws: `organizations/FavoriteStore.ts` "favorites of one cell are listed in the order in which they were added, each user's apart",
     * "a long list comes in pages, each of a bounded text, and all of them are the list".
     */
    readonly list: (userId: UserId, after?: FavoriteId) => Effect.Effect<Page<ListedFavorite>, StoreError>
  }
>()("@sojourn/core/FavoriteStore") {}
