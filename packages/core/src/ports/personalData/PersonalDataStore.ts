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
 * What all stores together hold about one subject, to be read and removed as a whole (spec: personal-data#whole-subject).
 *
 * Whose data it is:
 *
 * - a user's: favorites, links, and everything of each person that the user is linked to now;
 * - a person's, in one organization: stays, entrances that are kept for retries, what musters keep of the person, links of
 * users to the person, and where favorites and permissions name the person;
 * - an administrator's: account and password, permissions, and where permissions (`nominatedBy`), deletion requests, musters
 * (`startedBy`) and webhooks (`createdBy`) name them. By mail address it is the administrator's, or the invitation's, whose
 * account has it;
 * - an operator's: where deletion requests name who decided them.
 */
export class PersonalDataStore extends Context.Service<
  PersonalDataStore,
  {
    /**
     * Reads everything of the subject as of one moment. An unknown subject has nothing.
     * Laws: `personalData/PersonalDataStore/people.ts` "everything that is stored about a user is collected, with that of
     * every person they are linked to"; `personalData/PersonalDataStore/administrators.ts` "everything that is stored about
     * an administrator is collected, by id and by mail address"; `personalData/PersonalDataStore/collecting.ts` "data is
     * collected as of one moment: a stay that ends meanwhile is open or closed, and none is left out".
     */
    readonly collect: (subject: DataSubject) => Effect.Effect<StoredData, StoreError>
    /**
     * Removes everything of the subject in one step, and answers how much it was, by kind.
     * Records of others that named the subject stay, with `ERASED` as the name, and without the person of a favorite or
     * permission. Open stays end and are never listed. Webhooks of an administrator who was an owner are disabled. Where an
     * open muster kept an entry of the person, a `MusterChanged` (`updated`) is added to the feed; ended musters keep their
     * numbers. What it took of an organization's stays is entered in the ledger by `erasureEntry` and `addEntries`.
     * Fails with `OnlyOwner` by the rule `requireOtherOwners`. Erasing again removes nothing and succeeds.
     * Concurrent operations are wholly before the erasure, and erased, or after it: an entrance then needs a new link.
     * Laws: `personalData/PersonalDataStore/races.ts` "entrances while their person is erased are before it, and erased, or
     * find no link", "exits while their people are erased are before it, and erased, or close nothing", "of erasures of one
     * person at the same moment one removes, and the ledger has them once", "two owners who are erased at the same moment
     * leave one of them".
     */
    readonly erase: (subject: DataSubject, now: Timestamp) => Effect.Effect<Erased, OnlyOwner | StoreError>
    /**
     * Lists an organization's entries in the ledger of erasures, by day. They end with the organization.
     * Laws: `personalData/PersonalDataStore/people.ts` "the ledger says by how much erasures lowered the totals of a day, all
     * people together", "the ledger of an organization ends with it, and there is none where there is no organization".
     */
    readonly ledger: (
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<ErasureEntry>, OrganizationNotFound | StoreError>
  }
>()("@sojourn/core/PersonalDataStore") {}
