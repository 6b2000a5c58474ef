/** Use cases on the favorite organizations of users. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { IdentityNotOwn, NotLinked } from "../../domain/accounts/AccountLink.ts"
import type { User } from "../../domain/accounts/Caller.ts"
import {
  type Favorite,
  type FavoriteExists,
  type FavoriteNotFound,
  type FavoritesOfAnother,
  ownFavorites
} from "../../domain/organizations/Favorite.ts"
import type { FavoriteId, OrganizationId, OrgAuthServerId, UserId } from "../../domain/shared/Ids.ts"
import { type Organization, OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import { dayStart } from "../../domain/shared/Timestamp.ts"
import { FavoriteStore, type ListedFavorite } from "../../ports/organizations/FavoriteStore.ts"
import { OrganizationStore } from "../../ports/organizations/OrganizationStore.ts"
import type { Page } from "../../ports/organizations/Page.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { now } from "../shared/now.ts"

/** A favorite as a user asks for it. */
export interface FavoriteDraft {
  readonly organizationId: OrganizationId
  /** Whose favorite; left out: the caller's. */
  readonly userId?: UserId | undefined
  readonly orgAuthServerId?: OrgAuthServerId | undefined
}

/** Keeps the organizations that users want at hand (spec: organizations#favorites). */
export class Favorites extends Context.Service<
  Favorites,
  {
    /**
     * A new favorite, with its organization. Where the organization tracks authenticated, the user must be linked.
     *
     * The answer has the moment; the day alone is stored. A phone may add a favorite and enter in the same second, and the moment,
     * stored beside the user, would reveal whose the anonymous entrance is.
     */
    readonly add: (
      user: User,
      draft: FavoriteDraft
    ) => Effect.Effect<
      { readonly favorite: Favorite; readonly organization: Organization },
      OrganizationNotFound | FavoritesOfAnother | NotLinked | IdentityNotOwn | FavoriteExists | StoreError
    >
    readonly remove: (
      user: User,
      draft: FavoriteDraft
    ) => Effect.Effect<void, FavoritesOfAnother | FavoriteNotFound | StoreError>
    /** A page of the user's favorites, the first or the one `after` a favorite, in the order in which they were added. */
    readonly list: (
      user: User,
      userId: UserId,
      after?: FavoriteId
    ) => Effect.Effect<Page<ListedFavorite>, FavoritesOfAnother | StoreError>
  }
>()("@sojourn/core/Favorites") {
  static readonly layer: Layer.Layer<Favorites, never, FavoriteStore | OrganizationStore> = Layer.effect(
    Favorites,
    Effect.gen(function* () {
      const store = yield* FavoriteStore
      const organizations = yield* OrganizationStore
      return Favorites.of({
        add: Effect.fnUntraced(function* (user, { organizationId, userId, orgAuthServerId }) {
          const owner = ownFavorites(user.userId, userId)
          if (Result.isFailure(owner)) {
            // What is not there is said first (spec: organizations#favorite-statuses).
            const organization = yield* organizations.get(organizationId)
            return yield* Option.isNone(organization) ? new OrganizationNotFound({ organizationId }) : owner.failure
          }
          const creationDate = yield* now
          const claim = { userId: owner.success, organizationId, orgAuthServerId, creationDate: dayStart(creationDate) }
          const { favorite, organization } = yield* store.add(claim)
          return { favorite: { ...favorite, creationDate }, organization }
        }),
        remove: Effect.fnUntraced(function* (user, { organizationId, userId }) {
          const owner = yield* Effect.fromResult(ownFavorites(user.userId, userId))
          yield* store.remove(owner, organizationId)
        }),
        list: Effect.fnUntraced(function* (user, userId, after) {
          const owner = yield* Effect.fromResult(ownFavorites(user.userId, userId))
          return yield* store.list(owner, after)
        })
      })
    })
  )
}
