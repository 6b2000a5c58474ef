import { AccountLinkNotFound, type AccountLinkStore, mayLink } from "@sojourn/core"
import { Effect, Option, Result } from "effect"
import { atomically } from "../state/atomically.ts"
import { findOrganization, findPremises, type State } from "../state/State.ts"

/** Links of users to people kept in memory. */
export const makeAccountLinkStore = (state: State): AccountLinkStore["Service"] => ({
  put: ({ userId, organizationId, orgAuthServerId }) =>
    atomically(function* () {
      const organization = yield* findOrganization(state, organizationId)
      yield* mayLink(userId, Option.fromUndefinedOr(organization.userByPerson.get(orgAuthServerId)))
      const replaced = organization.personByUser.get(userId)
      if (replaced !== undefined) organization.userByPerson.delete(replaced)
      organization.personByUser.set(userId, orgAuthServerId)
      organization.userByPerson.set(orgAuthServerId, userId)
    }),

  remove: (userId, organizationId) =>
    atomically(function* () {
      const organization = state.organizations.get(organizationId)
      const person = organization?.personByUser.get(userId)
      if (organization === undefined || person === undefined)
        return yield* Result.fail(new AccountLinkNotFound({ organizationId }))
      organization.personByUser.delete(userId)
      organization.userByPerson.delete(person)
    }),

  tie: (premises, userId) =>
    Effect.sync(() =>
      Option.map(Option.fromUndefinedOr(findPremises(state, premises)), ({ organization }) => ({
        organizationId: organization.data.id,
        mode: organization.data.trackingMode,
        linked: Option.fromUndefinedOr(organization.personByUser.get(userId))
      }))
    )
})
