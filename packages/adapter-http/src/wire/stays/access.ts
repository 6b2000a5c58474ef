/** The JSON of accesses. */
import * as Schema from "effect/Schema"
import { ofOrganization, ofPlace, WireAccessId, WireTimestamp } from "../shared/fields.ts"

const stay = { id: WireAccessId, entranceTimestamp: WireTimestamp, exitTimestamp: WireTimestamp }
const anonymous = { exitToken: Schema.String }
const authenticated = { orgAuthServerId: Schema.String }

/** A completed stay, with its key in the request: an exit token or a person. */
const access = <Premises extends Schema.Struct.Fields, Key extends Schema.Struct.Fields>(
  name: string,
  premises: Premises,
  key: Key
) => Schema.Struct({ ...premises, ...stay, ...key }).annotate({ identifier: name })

/** OrganizationAccess and PlaceAccess, by tokens and by people (spec: http#shapes). */
export const WireOrganizationAccess = access("OrganizationAccess", ofOrganization, anonymous)
export const WirePlaceAccess = access("PlaceAccess", ofPlace, anonymous)
export const WireOrganizationAuthenticatedAccess = access(
  "OrganizationAuthenticatedAccess",
  ofOrganization,
  authenticated
)
export const WirePlaceAuthenticatedAccess = access("PlaceAuthenticatedAccess", ofPlace, authenticated)
