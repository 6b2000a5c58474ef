/** The port for the audit, and how the steps of all stores add entries to it. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Act, AuditEntry, AuditQuery, Author } from "../../domain/audit/AuditEntry.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { AdministratorId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** A reading of people: its entry is one of `person.read`. */
export type PeopleReading = Omit<Act, "action" | "changes" | "author"> &
  Author & { readonly at: Timestamp; readonly count: number }

/** Which entries an operator lists: those of an organization, or all. */
export type OperatorAuditQuery = AuditQuery & { readonly organizationId?: OrganizationId | undefined }

/** A page of entries, the newest first. */
export interface AuditPage {
  readonly entries: ReadonlyArray<AuditEntry>
  readonly hasMore: boolean
}

/**
 * The audit (spec: audit#entries). Entries of changes are added by the stores, each in the step of its change ({@link Recorded}). They outlive
 * the organization.
 */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /**
     * Lists entries of an organization, the newest first. For owners.
     * Laws: `audit/AuditLog.ts` "entries are listed newest first, by page, by window, action and actor", "the entries of an
     * organization are listed for its owners alone".
     */
    readonly list: (
      query: AuditQuery & { readonly organizationId: OrganizationId; readonly administratorId: AdministratorId }
    ) => Effect.Effect<AuditPage, OrganizationNotFound | PermissionTooLow | StoreError>
    /**
     * Lists entries of an organization, deleted or not, or of all, with those that concern no organization.
     * Law: `audit/AuditLog.ts` "entries outlive their organization".
     */
    readonly listAll: (query: OperatorAuditQuery) => Effect.Effect<AuditPage, StoreError>
    /**
     * Adds the entry of a reading, unless the same actor read the same kind and target within {@link READINGS_MERGED_MS} before, or after by the clock of another server: then that
     * entry keeps the larger count.
     * Law: `audit/AuditLog.ts` "readings of one actor and target within a minute are one entry with the largest count".
     */
    readonly read: (reading: PeopleReading) => Effect.Effect<void, StoreError>
    /**
     * Forgets entries from before a time, and prepares for the entries of the next month.
     * Law: `audit/AuditLog.ts` "entries are forgotten after their retention".
     */
    readonly forget: (before: Timestamp, now: Timestamp) => Effect.Effect<void, StoreError>
  }
>()("@sojourn/core/AuditLog") {}
