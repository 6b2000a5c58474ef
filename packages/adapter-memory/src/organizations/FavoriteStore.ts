import { claimFavorite, FavoriteExists, FavoriteNotFound, type FavoriteStore, nextFavoriteId } from "@sojourn/core"
import { Effect, Iterable, Option, Result } from "effect"
import { atomically } from "../state/atomically.ts"
import { findOrganization, type FavoriteRecord, pageOf, type State } from "../state/State.ts"

/** Favorites kept in memory. */
export const makeFavoriteStore = (state: State): FavoriteStore["Service"] => ({
  add: (claim) =>
    atomically(function* () {
      const { userId, organizationId } = claim
      const { data: organization, personByUser } = yield* findOrganization(state, organizationId)
      const linked = Option.fromUndefinedOr(personByUser.get(userId))
      const favorite = yield* claimFavorite(organization.trackingMode, linked, claim)
      const own = state.favorites.get(userId)
      if (own?.has(organizationId)) return yield* Result.fail(new FavoriteExists({ organizationId }))
      const ids = Array.from(own?.values() ?? [], ({ id }) => id)
      const record: FavoriteRecord = { id: nextFavoriteId(organizationId, ids), favorite }
      if (own === undefined) state.favorites.set(userId, new Map([[organizationId, record]]))
      else own.set(organizationId, record)
      return { favorite, organization }
    }),

  remove: (userId, organizationId) =>
    atomically(function* () {
      const isRemoved = state.favorites.get(userId)?.delete(organizationId) ?? false
      if (!isRemoved) return yield* Result.fail(new FavoriteNotFound({ organizationId }))
    }),

  list: (userId, after) =>
    Effect.sync(() => {
      const own = state.favorites.get(userId) ?? []
      return pageOf(
        Iterable.map(own, ([organizationId, { id }]) => {
          // A favorite ends with its organization.
          const { data: organization } = state.organizations.get(organizationId)!
          return [id, { id, organization }, organization.trackingArea] as const
        }),
        after
      )
    })
})
