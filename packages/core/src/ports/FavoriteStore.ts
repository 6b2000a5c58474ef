import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Favorite, FavoriteExists, FavoriteNotFound } from "../domain/Favorite.ts"
import type { OrganizationId, UserId } from "../domain/Ids.ts"
import type { Organization, OrganizationNotFound } from "../domain/Organization.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * The organizations that users keep at hand. A user has an organization as a favorite at most once: of two additions at
 * the same moment one fails. They outlive everything but the organization.
 *
 * - `list` answers the organizations as they are now, in the order in which they were added.
 */
export class FavoriteStore extends Context.Service<
  FavoriteStore,
  {
    readonly add: (favorite: Favorite) => Effect.Effect<void, FavoriteExists | OrganizationNotFound | StoreError>
    readonly remove: (
      userId: UserId,
      organizationId: OrganizationId
    ) => Effect.Effect<void, FavoriteNotFound | StoreError>
    readonly list: (userId: UserId) => Effect.Effect<ReadonlyArray<Organization>, StoreError>
  }
>()("@sojourn/core/FavoriteStore") {}
