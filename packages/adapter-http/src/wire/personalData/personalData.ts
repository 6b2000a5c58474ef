/** The JSON of exports and erasures of personal data. */
import { AdministratorId, DeletionRequestStatus, Mail, OperatorId, OrgAuthServerId, UserId } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { WireAuditEntry } from "../audit/audit.ts"
import { WirePermission } from "../accounts/administrator.ts"
import { WireLink } from "../accounts/authenticationServer.ts"
import {
  known,
  leftOut,
  ofOrganization,
  ofPlace,
  WireAccessId,
  WireDeletionRequestId,
  WireMusterId,
  WireOrganizationId,
  WirePermissionLevel,
  WirePlaceId,
  WireTimestamp,
  WireWebhookId
} from "../shared/fields.ts"
import { WireMusterState, WireMusterSummary } from "../musters/muster.ts"
import { WireFavorite } from "../organizations/favorite.ts"
import { WireDeletionRequest } from "../organizations/organization.ts"
import { WireOrganizationAuthenticatedAccess, WirePlaceAuthenticatedAccess } from "../stays/access.ts"

const FORMS = ["userId", "organizationId,orgAuthServerId", "administratorId", "mail", "operatorId"]

/** Which fields are there, in one order. */
const formOf = (body: object): string =>
  ["userId", "organizationId", "orgAuthServerId", "administratorId", "mail", "operatorId"]
    .filter((field) => (body as Readonly<Record<string, unknown>>)[field] != null)
    .join()

/** Whose data it is: a user, a person of an organization, an administrator by id or by mail address, or an operator. */
export const WireDataSubject = Schema.Struct({
  userId: leftOut(UserId),
  organizationId: leftOut(WireOrganizationId),
  orgAuthServerId: leftOut(OrgAuthServerId),
  administratorId: leftOut(AdministratorId),
  mail: leftOut(Mail),
  operatorId: leftOut(OperatorId)
})
  .check(
    Schema.makeFilter((body: object) => FORMS.includes(formOf(body)), {
      expected: "one of userId, organizationId with orgAuthServerId, administratorId, mail, and operatorId"
    })
  )
  .annotate({ identifier: "DataSubject" })

const openStays = <Premises extends Schema.Struct.Fields>(premises: Premises) =>
  Schema.Array(
    Schema.Struct({
      ...premises,
      id: WireAccessId,
      orgAuthServerId: Schema.String,
      entranceTimestamp: WireTimestamp,
      recordedTimestamp: WireTimestamp
    })
  )

const retriedEntrances = <Premises extends Schema.Struct.Fields>(premises: Premises) =>
  Schema.Array(
    Schema.Struct({
      ...premises,
      orgAuthServerId: Schema.String,
      entranceTimestamp: WireTimestamp,
      usedTimestamp: WireTimestamp
    })
  )

const { organization: _organization, ...favorite } = WireFavorite.fields
const { decidedBy: _decidedBy, ...request } = WireDeletionRequest.fields
const { musterId, organizationId, kind, note, startedAt } = WireMusterSummary.fields

/** Everything that is stored about a subject, in the shapes of the interface where it has them. */
export const WirePersonalData = Schema.Struct({
  subject: WireDataSubject,
  exportDate: WireTimestamp,
  accountLinks: Schema.Array(Schema.Struct({ userId: Schema.String, ...WireLink.fields })),
  favorites: Schema.Array(Schema.Struct(favorite)),
  organizationAccesses: Schema.Array(WireOrganizationAuthenticatedAccess),
  placeAccesses: Schema.Array(WirePlaceAuthenticatedAccess),
  openOrganizationStays: openStays(ofOrganization),
  openPlaceStays: openStays(ofPlace),
  retriedOrganizationEntrances: retriedEntrances(ofOrganization),
  retriedPlaceEntrances: retriedEntrances(ofPlace),
  musterEntries: Schema.Array(
    Schema.Struct({
      musterId: WireMusterId,
      organizationId: WireOrganizationId,
      orgAuthServerId: Schema.String,
      placeIds: Schema.Array(WirePlaceId),
      since: known(WireTimestamp),
      markedAt: known(WireTimestamp),
      state: known(WireMusterState),
      at: known(WireTimestamp)
    })
  ),
  accounts: Schema.Array(
    Schema.Struct({
      administratorId: Schema.String,
      mail: known(Schema.String),
      isInvitation: known(Schema.Boolean),
      isMailUnproved: known(Schema.Boolean),
      hasPassword: Schema.Boolean
    })
  ),
  permissions: Schema.Array(WirePermission),
  nominations: Schema.Array(Schema.Struct({ organizationId: WireOrganizationId, permission: WirePermissionLevel })),
  deletionRequests: Schema.Array(Schema.Struct(request)),
  deletionDecisions: Schema.Array(
    Schema.Struct({
      id: WireDeletionRequestId,
      organizationId: WireOrganizationId,
      status: DeletionRequestStatus,
      decisionDate: WireTimestamp
    })
  ),
  startedMusters: Schema.Array(Schema.Struct({ musterId, organizationId, kind, note, startedAt })),
  sweptPlaces: Schema.Array(Schema.Struct({ musterId, organizationId, placeId: WirePlaceId, at: WireTimestamp })),
  createdWebhooks: Schema.Array(
    Schema.Struct({ webhookId: WireWebhookId, organizationId: WireOrganizationId, creationDate: WireTimestamp })
  ),
  auditEntries: Schema.Array(WireAuditEntry)
}).annotate({ identifier: "PersonalData" })

/** How much an erasure removed, by kind. */
export const WireErased = Schema.Struct({
  accountLinks: Schema.Int,
  favorites: Schema.Int,
  accesses: Schema.Int,
  openStays: Schema.Int,
  retriedEntrances: Schema.Int,
  musterEntries: Schema.Int,
  accounts: Schema.Int,
  permissions: Schema.Int,
  mentions: Schema.Int
}).annotate({ identifier: "Erased" })

/** What erasures took from an organization's totals on one day; `totalTime` in whole seconds. */
export const WireErasure = Schema.Struct({
  organizationId: WireOrganizationId,
  day: Schema.String.annotate({ format: "date" }),
  people: Schema.Int,
  accesses: Schema.Int,
  openStays: Schema.Int,
  totalTime: Schema.Int
}).annotate({ identifier: "Erasure" })
