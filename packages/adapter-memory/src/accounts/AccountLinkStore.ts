import { AccountLinkNotFound, type AccountLinkStore, mayLink } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { atomically } from "../state/atomically.ts"
import { findOrganization, findPremises, type State } from "../state/State.ts"

/** Links of users to people kept in memory. */
export const makeAccountLinkStore = (state: State): AccountLinkStore["Service"] => ({
  put: ({ userId, organizationId, orgAuthServerId }) =>
    atomically(function* () {
      const owner = yield* findOrganization(state, organizationId)
      yield* mayLink(userId, Option.fromUndefinedOr(owner.userByPerson.get(orgAuthServerId)))
      const replaced = owner.personByUser.get(userId)
      if (replaced !== undefined) owner.userByPerson.delete(replaced)
      owner.personByUser.set(userId, orgAuthServerId)
      owner.userByPerson.set(orgAuthServerId, userId)
    }),

  remove: (userId, organizationId) =>
    atomically(function* () {
      const owner = state.organizations.get(organizationId)
      const person = owner?.personByUser.get(userId)
      if (owner === undefined || person === undefined)
        return yield* Result.fail(new AccountLinkNotFound({ organizationId }))
      owner.personByUser.delete(userId)
      owner.userByPerson.delete(person)
    }),

  tie: (premises, userId) =>
    Effect.sync(() =>
      Option.map(Option.fromUndefinedOr(findPremises(state, premises)), ({ owner }) => ({
        organizationId: owner.organization.id,
        mode: owner.organization.trackingMode,
        linked: Option.fromUndefinedOr(owner.personByUser.get(userId))
      }))
    )
})
