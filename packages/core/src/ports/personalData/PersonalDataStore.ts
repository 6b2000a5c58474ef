import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DataSubject } from "../../domain/personalData/DataSubject.ts"
import type { Erased, OnlyOwner } from "../../domain/personalData/Erasure.ts"
import type { ErasureEntry } from "../../domain/personalData/ErasureLedger.ts"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { StoredData } from "../../domain/personalData/StoredData.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/**
 * What all stores together hold about one subject, to be read and removed as a whole.
 *
 * Whose data it is:
 *
 * - a user's: favorites, links, and everything of each person that the user is linked to now;
 * - a person's, in one organization: stays, entrances that are kept for retries, what musters keep of the person, links of users to
 *   the person, and where favorites and permissions name the person;
 * - an administrator's: account and password, permissions, and where permissions (`nominatedBy`), deletion requests, musters
 *   (`startedBy`) and webhooks (`createdBy`) name them. By mail address it is the administrator's, or the invitation's, whose account has it;
 * - an operator's: where deletion requests name who decided them.
 *
 * Operations:
 *
 * - `collect` reads all of it as it is in one moment. About whom nothing is known, nothing is stored.
 * - `erase` removes all of it in one step. Records of others that named the subject stay, without the name: `ERASED`
 *   as `nominatedBy`, `startedBy` and `createdBy`, as who asked for a deletion and who decided it; nothing as the person of a favorite or permission. The
 *   rule `requireOtherOwners` decides whether an administrator may go. Stays that were open end and are never listed: their
 *   tokens are unknown. To erase again removes nothing and succeeds.
 *   Webhooks of an administrator who was an owner are disabled, see `WebhookStore`.
 *   The numbers of ended musters stay as they are. An open muster is then about one person less; where it kept an entry of the person,
 *   it adds a `MusterChanged` (`updated`) to the feed.
 * - Whatever is asked at the same moment is wholly before an erasure, and erased, or after it. An entrance after it needs a
 *   new link; what is kept then is new.
 * - `erase` enters what it took from an organization's stays in the ledger, by `erasureEntry` and `addEntries`, where it took any.
 *   `ledger` answers an organization's entries by day. They end with the organization.
 */
export class PersonalDataStore extends Context.Service<
  PersonalDataStore,
  {
    readonly collect: (subject: DataSubject) => Effect.Effect<StoredData, StoreError>
    readonly erase: (subject: DataSubject, now: Timestamp) => Effect.Effect<Erased, OnlyOwner | StoreError>
    readonly ledger: (
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<ErasureEntry>, OrganizationNotFound | StoreError>
  }
>()("@sojourn/core/PersonalDataStore") {}
