import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type {
  AdministratorAccount,
  AdministratorExists,
  AdministratorName,
  InvitationNotProved,
  PasswordHash
} from "../../domain/accounts/Administrator.ts"
import type { AdministratorId } from "../../domain/shared/Ids.ts"
import type { Mail } from "../../domain/shared/Mail.ts"
import type { StoreError } from "../shared/StoreError.ts"

/**
 * The administrators that the service knows (spec: accounts#administrators-accounts).
 *
 * Ids and mail addresses are unique. Addresses are compared without regard to case, and kept as they were first given.
 */
export class AdministratorAccounts extends Context.Service<
  AdministratorAccounts,
  {
    /**
     * Applies the rule `registeredAccount` to an account that an operator names, and answers it.
     * Of racing registrations with one mail address one is kept, and the others are `AdministratorExists`.
     * Law: `accounts/AdministratorAccounts.ts` "of 20 accounts that are registered with one mail address at the same
     * moment one is kept".
     */
    readonly register: (account: {
      readonly administratorId: AdministratorId
      readonly mail: Mail
    }) => Effect.Effect<AdministratorAccount, AdministratorExists | StoreError>
    /**
     * Applies the rule `signIn` to an administrator whom credentials proved.
     * An administrator who takes over an invitation has its permissions by the rule `takeOver` in the same step. Fails with
     * `InvitationNotProved`, which changes nothing.
     * Racing sign-ins make one account; an address or an invitation goes to one of those who prove it.
     * Laws: `accounts/AdministratorAccounts.ts` "20 sign-ins of one administrator at the same moment make one
     * account", "of 20 administrators who ... one holds it";
     * `accounts/AdministratorAccounts.ts` "of 10 administrators who prove one invitation's mail address at the
     * same moment one takes it over".
     */
    readonly recordSignIn: (account: AdministratorAccount) => Effect.Effect<void, InvitationNotProved | StoreError>
    /**
     * Reads the password hash of the one account that the name leads to, if it has one.
     * A name without an account takes as many statements.
     * Law: `accounts/AdministratorAccounts.ts` "a password is found by every name of its account, and an account
     * without one has none".
     */
    readonly credential: (
      name: AdministratorName
    ) => Effect.Effect<
      Option.Option<{ readonly account: AdministratorAccount; readonly passwordHash: PasswordHash }>,
      StoreError
    >
  }
>()("@sojourn/core/AdministratorAccounts") {}
