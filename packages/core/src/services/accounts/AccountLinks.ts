/** The use cases of account links: link a user to a person of a directory, unlink, and look up. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { AccountLink, AccountLinkNotFound, LinkedToAnother } from "../../domain/accounts/AccountLink.ts"
import {
  AuthenticationServerMissing,
  DirectoryRefused,
  type DirectoryTimeout,
  DirectoryUnreachable,
  type PersonInformation
} from "../../domain/accounts/AuthenticationServer.ts"
import { requireAllowed } from "../../domain/accounts/AuthenticationServerUrl.ts"
import type { Administrator, User } from "../../domain/accounts/Caller.ts"
import type { DirectoriesBusy, TooManyDirectoryQuestions } from "../../domain/accounts/DirectoryQuestions.ts"
import type { OrganizationId, OrgAuthServerId } from "../../domain/shared/Ids.ts"
import { type Organization, OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import { OrganizationPremises } from "../../domain/shared/Premises.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import { AccountLinkStore } from "../../ports/accounts/AccountLinkStore.ts"
import { type DirectoryCredentials, OrganizationDirectory } from "../../ports/accounts/OrganizationDirectory.ts"
import { OrganizationStore } from "../../ports/organizations/OrganizationStore.ts"
import { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import type { AuditLog } from "../../ports/audit/AuditLog.ts"
import { personAsked } from "../../domain/audit/AuditEntry.ts"
import { Readings } from "../audit/Readings.ts"
import { authorizeIn } from "../shared/authority.ts"
import { AuthenticationServers } from "./AuthenticationServers.ts"
import { makeDirectoryQuestions } from "./DirectoryQuestions.ts"

/** Why an organization's authentication server gives no answer. */
export type DirectoryFailure =
  | AuthenticationServerMissing
  | DirectoryRefused
  | DirectoryUnreachable
  | DirectoryTimeout
  | DirectoriesBusy
  | TooManyDirectoryQuestions

/** Ties users to the people of organizations' authentication servers (spec: accounts#links). */
export class AccountLinks extends Context.Service<
  AccountLinks,
  {
    /** Links the user to the person whom the credentials prove; an earlier link of the user's is replaced. */
    readonly link: (
      user: User,
      organizationId: OrganizationId,
      credentials: DirectoryCredentials
    ) => Effect.Effect<AccountLink, OrganizationNotFound | DirectoryFailure | LinkedToAnother | StoreError>
    /** Ends the user's link. Open stays keep their person, and their tokens work. */
    readonly unlink: (
      user: User,
      organizationId: OrganizationId
    ) => Effect.Effect<void, AccountLinkNotFound | StoreError>
    /** What the holder of the credentials may see of these people. Any level may ask. */
    readonly information: (
      administrator: Administrator,
      organizationId: OrganizationId,
      credentials: DirectoryCredentials,
      people: ReadonlyArray<OrgAuthServerId> | "everyone"
    ) => Effect.Effect<
      ReadonlyArray<PersonInformation>,
      OrganizationNotFound | PermissionTooLow | DirectoryFailure | StoreError
    >
  }
>()("@sojourn/core/AccountLinks") {
  static readonly layer: Layer.Layer<
    AccountLinks,
    never,
    AccountLinkStore | AuditLog | OrganizationStore | PermissionStore | OrganizationDirectory
  > = Layer.effect(
    AccountLinks,
    Effect.gen(function* () {
      const links = yield* AccountLinkStore
      const organizations = yield* OrganizationStore
      const permissions = yield* PermissionStore
      const directory = yield* OrganizationDirectory
      const policy = yield* AuthenticationServers
      const readings = yield* Readings
      const askWithinBounds = yield* makeDirectoryQuestions

      const find = Effect.fnUntraced(function* (organizationId: OrganizationId) {
        const found = yield* organizations.get(organizationId)
        return Option.isSome(found) ? found.value : yield* new OrganizationNotFound({ organizationId })
      })

      /** The organization's server, when the operator still allows it and the credentials are worth sending. */
      const reach = Effect.fnUntraced(function* (organization: Organization, credentials: DirectoryCredentials) {
        const server = organization.authenticationServer
        if (server === undefined) return yield* new AuthenticationServerMissing()
        yield* Effect.fromResult(
          Result.mapError(requireAllowed(server, policy), ({ reason }) => new DirectoryUnreachable({ reason }))
        )
        // Many a directory takes an empty password for an anonymous sign-in, and answers that it succeeded.
        if (credentials.username === "" || Redacted.value(credentials.password) === "")
          return yield* new DirectoryRefused()
        return server
      })

      return AccountLinks.of({
        link: Effect.fnUntraced(function* (user, organizationId, credentials) {
          const server = yield* reach(yield* find(organizationId), credentials)
          const orgAuthServerId = yield* askWithinBounds(
            { organizationId, caller: user },
            directory.authenticate(server, credentials)
          )
          const link: AccountLink = { userId: user.userId, organizationId, orgAuthServerId }
          yield* links.put(link)
          return link
        }),
        unlink: ({ userId }, organizationId) => links.remove(userId, organizationId),
        information: Effect.fnUntraced(function* (administrator, organizationId, credentials, people) {
          yield* authorizeIn(permissions, administrator, organizationId, "viewer")
          const server = yield* reach(yield* find(organizationId), credentials)
          const found = yield* askWithinBounds(
            { organizationId, caller: administrator },
            directory.information(server, credentials, people)
          )
          const target = people === "everyone" ? undefined : personAsked(people)
          yield* readings.record(administrator, {
            premises: OrganizationPremises(organizationId),
            target,
            count: found.length
          })
          return found
        })
      })
    })
  ).pipe(Layer.provide(Readings.layer))
}
