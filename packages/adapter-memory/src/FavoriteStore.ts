import { FavoriteExists, FavoriteNotFound, type FavoriteStore, OrganizationNotFound } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { atomically } from "./atomically.ts"
import type { State } from "./State.ts"

export const makeFavoriteStore = (state: State): FavoriteStore["Service"] => ({
  add: (favorite) =>
    atomically(function* () {
      const { userId, organizationId } = favorite
      if (!state.organizations.has(organizationId))
        return yield* Result.fail(new OrganizationNotFound({ organizationId }))
      const own = state.favorites.get(userId)
      if (own?.has(organizationId)) return yield* Result.fail(new FavoriteExists({ organizationId }))
      if (own === undefined) state.favorites.set(userId, new Map([[organizationId, favorite]]))
      else own.set(organizationId, favorite)
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
