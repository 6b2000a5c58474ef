import type * as Layer from "effect/Layer"
import type { Stores } from "../../ports/Stores.ts"
import { invitationLaws } from "./accounts/invitations.ts"
import { recordLaws } from "./accounts/records.ts"
import { type LawOptions, suite } from "./suite.ts"

/** What every `AdministratorAccounts` promises. */
export const administratorAccountsLaws = <E>(
  name: string,
  stores: Layer.Layer<Stores, E>,
  options?: LawOptions
): void => suite(`${name}: AdministratorAccounts`, stores, [recordLaws, invitationLaws], options)
