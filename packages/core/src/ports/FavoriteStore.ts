import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { IdentityNotOwn, NotLinked } from "../domain/AccountLink.ts"
import type { Favorite, FavoriteClaim, FavoriteExists, FavoriteNotFound } from "../domain/Favorite.ts"
import type { OrganizationId, UserId } from "../domain/Ids.ts"
import type { Organization, OrganizationNotFound } from "../domain/Organization.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * The organizations that users keep at hand. A user has an organization as a favorite at most once: of two additions at
 * the same moment one fails. They outlive everything but the organization.
 *
 * - `add` applies the rule `claimFavorite` to the organization and the user's link as they are, and keeps what it gives, as one
 *   step: whoever is unlinked or erased at that moment has a favorite before it, or none. It answers the organization as well.
 * - `list` answers the organizations as they are now, in the order in which they were added.
 */
export class FavoriteStore extends Context.Service<
  FavoriteStore,
  {
    readonly add: (
      claim: FavoriteClaim
    ) => Effect.Effect<
      { readonly favorite: Favorite; readonly organization: Organization },
      OrganizationNotFound | NotLinked | IdentityNotOwn | FavoriteExists | StoreError
    >
    readonly remove: (
      userId: UserId,
      organizationId: OrganizationId
    ) => Effect.Effect<void, FavoriteNotFound | StoreError>
    readonly list: (userId: UserId) => Effect.Effect<ReadonlyArray<Organization>, StoreError>
  }
>()("@sojourn/core/FavoriteStore") {}
