import type { Stores } from "@sojourn/core"
import type * as Layer from "effect/Layer"
import { invitationLaws } from "./invitations.ts"
import { recordLaws } from "./records.ts"
import { type LawOptions, suite } from "../../shared/suite.ts"

/** What every `AdministratorAccounts` promises. */
export const administratorAccountsLaws = <E>(
  name: string,
  stores: Layer.Layer<Stores, E>,
  options?: LawOptions
): void => suite(`${name}: AdministratorAccounts`, stores, [recordLaws, invitationLaws], options)
