import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AdministratorAccount, AdministratorExists } from "../domain/Administrator.ts"
import type { AdministratorId } from "../domain/Ids.ts"
import type { Mail } from "../domain/Mail.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * The administrators that the service knows (contract, section 9). Ids and mail addresses are unique; addresses are
 * compared without regard to case and kept as they were first given.
 *
 * - `register` keeps a new account, and fails when the id or the mail address has one.
 * - `recordSignIn` keeps the account of an administrator who proved who they are, unless it is known. Of a known account
 *   nothing changes, but that a missing mail address is added; an address that another account holds is left out.
 */
export class AdministratorAccounts extends Context.Service<
  AdministratorAccounts,
  {
    readonly register: (account: {
      readonly administratorId: AdministratorId
      readonly mail: Mail
    }) => Effect.Effect<AdministratorAccount, AdministratorExists | StoreError>
    readonly recordSignIn: (account: AdministratorAccount) => Effect.Effect<void, StoreError>
  }
>()("@sojourn/core/AdministratorAccounts") {}
