/** The port for the favorite organizations of users. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { IdentityNotOwn, NotLinked } from "../../domain/accounts/AccountLink.ts"
import type { Favorite, FavoriteExists, FavoriteNotFound } from "../../domain/organizations/Favorite.ts"
import type { FavoriteId, OrganizationId, UserId } from "../../domain/shared/Ids.ts"
import type { Organization, OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { Page } from "../shared/Page.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** A favorite in a list. */
export interface ListedFavorite {
  readonly id: FavoriteId
  readonly organization: Organization
}

/**
 * The organizations that users keep at hand. A user has an organization as a favorite at most once: of two additions at
 * the same moment one fails. They outlive everything but the organization.
 *
 * - `add` applies the rule `claimFavorite` to the organization and the user's link as they are, and keeps what it gives, as one
 *   step: a user who is unlinked or erased at that moment has a favorite before it, or none. It answers the organization as well.
 * - `list` answers a page of a user's favorites, with the organizations as they are now, in the order in which they were added,
 *   from the first one or `after` one, which may be removed meanwhile. A favorite that is added again has a new id.
 */
export class FavoriteStore extends Context.Service<
  FavoriteStore,
  {
    readonly add: (
      claim: Favorite
    ) => Effect.Effect<
      { readonly favorite: Favorite; readonly organization: Organization },
      OrganizationNotFound | NotLinked | IdentityNotOwn | FavoriteExists | StoreError
    >
    readonly remove: (
      userId: UserId,
      organizationId: OrganizationId
    ) => Effect.Effect<void, FavoriteNotFound | StoreError>
    readonly list: (userId: UserId, after?: FavoriteId) => Effect.Effect<Page<ListedFavorite>, StoreError>
  }
>()("@sojourn/core/FavoriteStore") {}
