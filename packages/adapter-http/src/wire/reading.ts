import * as Schema from "effect/Schema"
import { WireAccessId, WireOrganizationId, WirePlaceId, WireTimestamp } from "./fields.ts"

const stay = { id: WireAccessId, entranceTimestamp: WireTimestamp, exitTimestamp: WireTimestamp }
const anonymous = { ...stay, exitToken: Schema.String }
const authenticated = { ...stay, orgAuthServerId: Schema.String }

/** OrganizationAccess and PlaceAccess, by tokens and by people (contract, section 2). */
export const WireOrganizationAccess = Schema.Struct({ organizationId: WireOrganizationId, ...anonymous }).annotate({
  identifier: "OrganizationAccess"
})
export const WirePlaceAccess = Schema.Struct({ placeId: WirePlaceId, ...anonymous }).annotate({
  identifier: "PlaceAccess"
})
export const WireOrganizationAuthenticatedAccess = Schema.Struct({
  organizationId: WireOrganizationId,
  ...authenticated
}).annotate({ identifier: "OrganizationAuthenticatedAccess" })
export const WirePlaceAuthenticatedAccess = Schema.Struct({ placeId: WirePlaceId, ...authenticated }).annotate({
  identifier: "PlaceAuthenticatedAccess"
})

/** OrganizationPresenceCounter and PlacePresenceCounter. */
export const WireOrganizationCounter = Schema.Struct({
  organizationId: WireOrganizationId,
  counter: Schema.Int
}).annotate({ identifier: "OrganizationPresenceCounter" })
export const WirePlaceCounter = Schema.Struct({ placeId: WirePlaceId, counter: Schema.Int }).annotate({
  identifier: "PlacePresenceCounter"
})

/** TimePerUserReport: whole seconds. */
export const WireTimePerUser = Schema.Struct({
  placeId: WirePlaceId,
  orgAuthServerId: Schema.String,
  totalTime: Schema.Int
}).annotate({ identifier: "TimePerUserReport" })
