import {
  claimFavorite,
  FavoriteExists,
  FavoriteNotFound,
  type FavoriteStore,
  OrganizationNotFound
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { atomically } from "./atomically.ts"
import type { State } from "./State.ts"

export const makeFavoriteStore = (state: State): FavoriteStore["Service"] => ({
  add: (claim) =>
    atomically(function* () {
      const { userId, organizationId } = claim
      const owner = state.organizations.get(organizationId)
      if (owner === undefined) return yield* Result.fail(new OrganizationNotFound({ organizationId }))
      const { organization, personByUser } = owner
      const linked = Option.fromUndefinedOr(personByUser.get(userId))
      const favorite = yield* claimFavorite(organization.trackingMode, linked, claim)
      const own = state.favorites.get(userId)
      if (own?.has(organizationId)) return yield* Result.fail(new FavoriteExists({ organizationId }))
      if (own === undefined) state.favorites.set(userId, new Map([[organizationId, favorite]]))
      else own.set(organizationId, favorite)
      return { favorite, organization }
    }),

  remove: (userId, organizationId) =>
    atomically(function* () {
      const isRemoved = state.favorites.get(userId)?.delete(organizationId) ?? false
      if (!isRemoved) return yield* Result.fail(new FavoriteNotFound({ organizationId }))
    }),

  list: (userId) =>
    Effect.sync(() =>
      [...(state.favorites.get(userId)?.keys() ?? [])].flatMap(
        (organizationId) => state.organizations.get(organizationId)?.organization ?? []
      )
    )
})
