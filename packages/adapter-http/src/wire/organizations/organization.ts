/** The JSON of organizations, their constraints and their deletion requests. */
import {
  AdministratorId,
  DeletionReason,
  DeletionRequestStatus,
  Mail,
  ORGANIZATION_FIELDS as fields,
  Text,
  TrackingMode
} from "@sojourn/core"
import * as Schema from "effect/Schema"
import {
  known,
  leftOut,
  namesOneId,
  ifPresent,
  WireDeletionRequestId,
  WireOrganizationId,
  WireTimestamp
} from "../shared/fields.ts"

/** The optional fields of a request. `null` clears them in a change, and counts as left out in a new organization. */
const profile = {
  description: leftOut(fields.description),
  image: leftOut(fields.image),
  street: leftOut(fields.street),
  number: leftOut(fields.number),
  /** Text or an integer, answered as it was given. */
  postCode: leftOut(fields.postCode),
  city: leftOut(fields.city),
  country: leftOut(fields.country),
  authenticationServerURL: leftOut(fields.authenticationServer)
}

/** Organization, as it is answered (spec: http#shapes). */
export const WireOrganization = Schema.Struct({
  id: WireOrganizationId,
  name: Schema.String,
  description: known(Schema.String),
  image: known(Schema.String),
  street: known(Schema.String),
  number: known(Schema.String),
  postCode: known(Schema.Union([Schema.String, Schema.Int])),
  city: known(Schema.String),
  country: known(Schema.String),
  authenticationServerURL: known(Schema.String),
  creationDate: WireTimestamp,
  lastChangeDate: WireTimestamp,
  trackingArea: Schema.String,
  trackingMode: TrackingMode,
  /** Where the stay policy sets it. */
  timeZone: known(Schema.String)
}).annotate({ identifier: "Organization" })

/** Organization, as an owner changes it: the fields that are present count, and `null` clears an optional one. */
export const WireOrganizationEdit = Schema.Struct({
  id: leftOut(WireOrganizationId),
  organizationId: leftOut(WireOrganizationId),
  name: ifPresent(fields.name),
  ...profile,
  trackingArea: ifPresent(Text),
  trackingMode: ifPresent(TrackingMode)
})
  .check(namesOneId("organizationId"))
  .annotate({ identifier: "OrganizationEdit" })

/** Organization with its first owner, as an operator creates it. */
export const WireOrganizationDraft = Schema.Struct({
  name: fields.name,
  ...profile,
  trackingArea: Text,
  trackingMode: TrackingMode,
  /** Without an administratorId the owner is the first who proves to have the mail address. */
  owner: Schema.Struct({ administratorId: leftOut(AdministratorId), mail: Mail }),
  maxArea: leftOut(fields.maxArea)
}).annotate({ identifier: "OrganizationDraft" })

/** A page of all organizations with their numbers. `next` is there where the list goes on. */
export const WireOrganizationPage = Schema.Struct({
  organizations: Schema.Array(
    Schema.Struct({
      ...WireOrganization.fields,
      places: Schema.Int,
      administrators: Schema.Int,
      inside: Schema.Int
    }).annotate({ identifier: "OrganizationOverview" })
  ),
  next: known(Schema.String)
}).annotate({ identifier: "OrganizationPage" })

/** The largest tracking area of an organization, in square metres; `null` lifts it. */
export const WireAreaConstraint = Schema.Struct({
  maxArea: Schema.NullOr(fields.maxArea)
}).annotate({ identifier: "AreaConstraint" })

/** The constraint as it is in force. */
export const WireOrganizationConstraint = Schema.Struct({
  organizationId: WireOrganizationId,
  maxArea: known(Schema.Finite)
}).annotate({ identifier: "OrganizationConstraint" })

/** The form of a tracking-area update. A parameter that is sent twice is malformed, whatever its name. */
export const WireTrackingAreaForm = Schema.StructWithRest(Schema.Struct({ trackingArea: Text }), [
  Schema.Record(Schema.String, Schema.String)
]).annotate({ identifier: "TrackingAreaForm" })

/** OrganizationDeletionRequest, as an owner makes it. */
export const WireDeletionRequestDraft = Schema.Struct({
  organizationId: WireOrganizationId,
  requestReason: leftOut(DeletionReason),
  administratorId: leftOut(Text)
}).annotate({ identifier: "OrganizationDeletionRequest" })

/** A deletion request, as operators examine it. */
export const WireDeletionRequest = Schema.Struct({
  id: WireDeletionRequestId,
  organizationId: WireOrganizationId,
  administratorId: Schema.String,
  requestReason: known(Schema.String),
  status: DeletionRequestStatus,
  creationDate: WireTimestamp,
  decisionDate: known(WireTimestamp),
  decidedBy: known(Schema.String)
}).annotate({ identifier: "DeletionRequest" })
