/** The port for what cells need of their stores besides the other ports. Services without cells do not use it. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type {
  AccountChange,
  AdministratorAccount,
  AdministratorName,
  NamedAccounts,
  NewAccount
} from "../../domain/accounts/Administrator.ts"
import type { Act } from "../../domain/audit/AuditEntry.ts"
import type { AdministratorSubject, UserSubject } from "../../domain/personalData/DataSubject.ts"
import type { StorageId } from "../../domain/keys/SecretKey.ts"
import type { CellNumber } from "../../domain/shared/CellIds.ts"
import type { AdministratorId } from "../../domain/shared/Ids.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** A change of accounts, where a new account may have a password. */
export type CellAccountChange =
  | Exclude<AccountChange, { readonly _tag: "Kept" }>
  | (Extract<AccountChange, { readonly _tag: "Kept" }> & { readonly account: NewAccount })

/** Whom the home cell knows the cells of: administrators by their permissions, users by their favorites. */
export type CellSubject = AdministratorSubject | UserSubject

/**
 * The accounts of a cell, and in the home cell which cell has the organization of a name, and the lock for changes over cells.
 */
export class CellStore extends Context.Service<
  CellStore,
  {
    /** Finds the accounts by each part of a name. Law: `cells/CellStore.ts` "accounts are found by each part of a name, and together". */
    readonly findAccounts: (name: AdministratorName) => Effect.Effect<NamedAccounts, StoreError>
    /** Reads those of some accounts that exist, in no order. Law: the same. */
    readonly listAccounts: (
      administratorIds: ReadonlyArray<AdministratorId>
    ) => Effect.Effect<ReadonlyArray<AdministratorAccount>, StoreError>
    /**
     * Writes a change of accounts that was decided before, and adds the acts to the audit, as one step. With an invitation that is taken over its permissions become the
     * account's by the rule `takeOver`.
     * Law: `cells/CellStore.ts` "accounts are kept as they were decided, and an invitation's permissions go to who takes it over".
     */
    readonly changeAccounts: (change: CellAccountChange, acts?: ReadonlyArray<Act>) => Effect.Effect<void, StoreError>
    /**
     * The cell that was given last for the name of an organization; none after `removeName`. That cell may have no such organization.
     * Law: `cells/CellStore.ts` "a name is of the cell that was given last, until it is removed".
     */
    readonly findName: (name: string) => Effect.Effect<Option.Option<CellNumber>, StoreError>
    /** Says which cell may have the organization of a name, in place of the one before. Law: the same. */
    readonly putName: (name: string, cell: CellNumber) => Effect.Effect<void, StoreError>
    /** Forgets a name. Law: the same. */
    readonly removeName: (name: string) => Effect.Effect<void, StoreError>
    /** How many names each cell has; cells without a name are left out. Law: the same. */
    readonly countNames: Effect.Effect<ReadonlyMap<CellNumber, number>, StoreError>
    /**
     * The cells beside the home cell that may have permissions of an administrator or favorites of a user, in no order.
     * Law: `cells/CellStore.ts` "a subject has the cells that were added, until it is removed".
     */
    readonly listCells: (subject: CellSubject) => Effect.Effect<ReadonlyArray<CellNumber>, StoreError>
    /** Says that a cell may have something of a subject. Law: the same. */
    readonly addCell: (subject: CellSubject, cell: CellNumber) => Effect.Effect<void, StoreError>
    /** Forgets the cells of a subject. Law: the same. */
    readonly removeSubject: (subject: CellSubject) => Effect.Effect<void, StoreError>
    /**
     * Takes the identity of the home cell as the cell's own, so that it is known while the home cell is away.
     * Law: `cells/CellStore.ts` "a cell has the identity that it took".
     */
    readonly takeIdentity: (storageId: StorageId) => Effect.Effect<void, StoreError>
    /**
     * Runs an effect while no other one runs with this lock, on any server. The lock ends with the effect, or with the server.
     * Law: `cells/CellStore.ts` "of effects under the lock one runs at a time, and a failure ends it".
     */
    readonly locked: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreError, R>
  }
>()("@sojourn/core/CellStore") {}
