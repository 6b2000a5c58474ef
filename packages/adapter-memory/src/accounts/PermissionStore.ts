import { permissionCreated, permissionRemoved, type PermissionStore, permissionUpdated, recorded } from "@sojourn/core"
import { Effect, Option } from "effect"
import { recording } from "../state/atomically.ts"
import {
  findAccounts,
  findOrganization,
  findPremises,
  keepAccount,
  levelOfReaderIn,
  type State,
  withMail
} from "../state/State.ts"
import { disableWebhooksOf } from "../webhooks/WebhookStore.ts"

/** Permissions kept in memory, in the order in which they were granted. */
export const makePermissionStore = (state: State): PermissionStore["Service"] => ({
  change: ({ organizationId, administrator, decide }) =>
    recording(state, function* (now) {
      const organization = yield* findOrganization(state, organizationId)
      const permissions = [...organization.permissions.values()].map((permission) => withMail(state, permission))
      const change = yield* decide({ permissions, accounts: findAccounts(state, administrator) })
      const { mail: _, ...permission } = change.permission
      const { administratorId, level } = permission
      const before = organization.permissions.get(administratorId)
      if (before?.level === "owner" && (change._tag === "Withdraw" || level !== "owner"))
        disableWebhooksOf(organization, administratorId, now)
      if (change._tag === "Withdraw") {
        organization.permissions.delete(administratorId)
        return recorded(change.permission, permissionRemoved(change.permission))
      }
      if (change._tag === "Grant" && Option.isSome(change.account)) keepAccount(state, change.account.value)
      organization.permissions.set(administratorId, permission)
      const after = withMail(state, permission)
      return recorded(after, before === undefined ? permissionCreated(after) : permissionUpdated(before, after))
    }),

  membership: (premises, reader) =>
    Effect.sync(() =>
      Option.map(Option.fromUndefinedOr(findPremises(state, premises)), ({ organization }) => ({
        organizationId: organization.data.id,
        level: levelOfReaderIn(organization, reader)
      }))
    ),

  memberships: (keys) =>
    Effect.sync(() =>
      keys.map(({ organizationId, reader }) =>
        Option.map(Option.fromUndefinedOr(state.organizations.get(organizationId)), (organization) => ({
          organizationId,
          level: levelOfReaderIn(organization, reader)
        }))
      )
    ),

  listByOrganization: (organizationId) =>
    Effect.sync(() =>
      [...(state.organizations.get(organizationId)?.permissions.values() ?? [])].map((permission) =>
        withMail(state, permission)
      )
    ),

  listByAdministrator: (administratorId) =>
    Effect.sync(() =>
      [...state.organizations.values()].flatMap(({ permissions }) => {
        const permission = permissions.get(administratorId)
        return permission === undefined ? [] : [withMail(state, permission)]
      })
    )
})
