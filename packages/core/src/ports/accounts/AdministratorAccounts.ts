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
 * The administrators that the service knows (contract, section 9). Ids and mail addresses are unique; addresses are
 * compared without regard to case and kept as they were first given.
 *
 * - `register` applies the rule `registeredAccount` to an account that an operator names.
 * - `recordSignIn` applies the rule `signIn` to an administrator who proved who they are. Who takes an invitation over has
 *   its permissions from then on, by the rule `takeOver`, in one step with it; so has who takes an address from who had not
 *   proved it.
 * - `credential` answers what a password is compared with, of the one account that the name leads to, if it has a password.
 */
export class AdministratorAccounts extends Context.Service<
  AdministratorAccounts,
  {
    readonly register: (account: {
      readonly administratorId: AdministratorId
      readonly mail: Mail
    }) => Effect.Effect<AdministratorAccount, AdministratorExists | StoreError>
    readonly recordSignIn: (account: AdministratorAccount) => Effect.Effect<void, InvitationNotProved | StoreError>
    readonly credential: (
      name: AdministratorName
    ) => Effect.Effect<
      Option.Option<{ readonly account: AdministratorAccount; readonly passwordHash: PasswordHash }>,
      StoreError
    >
  }
>()("@sojourn/core/AdministratorAccounts") {}
