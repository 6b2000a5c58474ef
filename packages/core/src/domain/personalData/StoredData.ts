/** Everything that the service holds about one data subject, as a store collects it for an export. */
import * as Order from "effect/Order"
import type { AccountLink } from "../accounts/AccountLink.ts"
import type { AdministratorAccount } from "../accounts/Administrator.ts"
import type { DeletionRequest } from "../organizations/DeletionRequest.ts"
import type { Favorite } from "../organizations/Favorite.ts"
import type { DeletionRequestId, MusterId, OrganizationId, OrgAuthServerId } from "../shared/Ids.ts"
import type { Muster, MusterEntry, MusterState, SweptPlace } from "../musters/Muster.ts"
import type { Permission } from "../accounts/Permission.ts"
import type { PermissionLevel } from "../accounts/PermissionLevel.ts"
import type { Premises } from "../shared/Premises.ts"
import { type ClosedStay, ClosedStayOrder, type OpenStay } from "../stays/Stay.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { AuditEntry } from "../audit/AuditEntry.ts"
import type { Webhook } from "../webhooks/Webhook.ts"

/** An open stay, and when the service wrote its entrance down. */
export interface RecordedStay extends OpenStay {
  readonly recordedAt: Timestamp
}

/** An entrance of a person that a retry with its Idempotency-Key would answer again. */
export interface RetriedEntrance {
  readonly organizationId: OrganizationId
  readonly premises: Premises
  readonly orgAuthServerId: OrgAuthServerId
  readonly entrance: Timestamp
  readonly usedAt: Timestamp
}

/** An account, and whether it signs in with a password; never what the password is compared with. */
export interface StoredAccount extends AdministratorAccount {
  readonly hasPassword: boolean
}

/**
 * A permission of another administrator that the subject granted. The holder is left out: that is the holder's data.
 */
export interface Nomination {
  readonly organizationId: OrganizationId
  readonly level: PermissionLevel
}

/** A decision that the subject made on another administrator's deletion request. */
export interface DeletionDecision {
  readonly id: DeletionRequestId
  readonly organizationId: OrganizationId
  readonly status: "approved" | "rejected"
  readonly decisionDate: Timestamp
}

/** What a muster keeps of a person; who came in since it began is in it by their stays alone until it ends. */
export interface StoredMusterEntry extends MusterEntry {
  readonly musterId: MusterId
  readonly organizationId: OrganizationId
  /** Of a muster that ended. */
  readonly state?: MusterState | undefined
  readonly at?: Timestamp | undefined
}

/** A muster that the subject started. */
export type StartedMuster = Pick<Muster, "id" | "organizationId" | "kind" | "note" | "startedAt">

/** A place that the subject searched in a muster. */
export interface StoredSweep extends Omit<SweptPlace, "by"> {
  readonly musterId: MusterId
  readonly organizationId: OrganizationId
}

/** A webhook of the subject. Its URL is left out: it is the organization's, and may hold a secret. */
export type CreatedWebhook = Pick<Webhook, "webhookId" | "organizationId" | "creationDate">

/**
 * Everything that is stored about a {@link DataSubject}, by kind. A kind that nothing is stored of is an empty list. There
 * are no secrets in it: exit tokens are stored nowhere, and what proves passwords stays where it is.
 */
export interface StoredData {
  /** By organization. */
  readonly accountLinks: ReadonlyArray<AccountLink>
  /** By organization and user: a user's own, or those that name a person. */
  readonly favorites: ReadonlyArray<Favorite>
  /** In `ClosedStayOrder`. Of a user, those of every person that the user is linked to. */
  readonly accesses: ReadonlyArray<ClosedStay>
  /** By id. */
  readonly openStays: ReadonlyArray<RecordedStay>
  /** By entrance. */
  readonly retriedEntrances: ReadonlyArray<RetriedEntrance>
  /** By muster. */
  readonly musterEntries: ReadonlyArray<StoredMusterEntry>
  readonly accounts: ReadonlyArray<StoredAccount>
  /** By organization: an administrator's own, or those that name a person. */
  readonly permissions: ReadonlyArray<Permission>
  /** By organization. */
  readonly nominations: ReadonlyArray<Nomination>
  /** By id. */
  readonly deletionRequests: ReadonlyArray<DeletionRequest>
  /** By id. */
  readonly deletionDecisions: ReadonlyArray<DeletionDecision>
  /** By id. */
  readonly startedMusters: ReadonlyArray<StartedMuster>
  /** By muster. */
  readonly sweptPlaces: ReadonlyArray<StoredSweep>
  /** By id. */
  readonly createdWebhooks: ReadonlyArray<CreatedWebhook>
  /** What an administrator or an operator did, and what was done to them; of a person, who looked at them. By id. */
  readonly auditEntries: ReadonlyArray<AuditEntry>
}

const by = <Name extends string>(name: Name): Order.Order<{ readonly [_ in Name]: bigint }> =>
  Order.mapInput(Order.BigInt, (item) => item[name])

const byOrganization = by("organizationId")
const byId = by("id")

/** The order of each list. */
const ORDERS: { readonly [Kind in keyof StoredData]: Order.Order<StoredData[Kind][number]> } = {
  accountLinks: byOrganization,
  favorites: (one, other) => byOrganization(one, other) || Order.String(one.userId, other.userId),
  accesses: ClosedStayOrder,
  openStays: byId,
  retriedEntrances: Order.mapInput(Order.Number, ({ entrance }) => entrance),
  musterEntries: by("musterId"),
  accounts: () => 0,
  permissions: byOrganization,
  nominations: byOrganization,
  deletionRequests: byId,
  deletionDecisions: byId,
  startedMusters: byId,
  sweptPlaces: by("musterId"),
  createdWebhooks: by("webhookId"),
  auditEntries: byId
}

/**
 * What several parts of a storage hold about one subject, with each list in its order. Equals stay in the order of the parts.
 */
export const mergeStoredData = (parts: ReadonlyArray<StoredData>): StoredData =>
  Object.fromEntries(
    Object.entries(ORDERS).map(([kind, order]) => [
      kind,
      parts.flatMap((part): ReadonlyArray<unknown> => part[kind as keyof StoredData]).sort(order as never)
    ])
  ) as never

/** The data of a subject about whom nothing is stored. */
export const NOTHING_STORED: StoredData = mergeStoredData([])
