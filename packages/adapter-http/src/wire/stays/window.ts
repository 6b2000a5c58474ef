/** The queries and the JSON of windows of time. */
import { OrgAuthServerId } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, ofOrganization, QueryLimit, WirePlaceId, WireTimestamp } from "../shared/fields.ts"
import { WireOrganizationAuthenticatedAccess, WirePlaceAuthenticatedAccess } from "./access.ts"

/** A window: `from` is its first instant, `to` the first after it. */
export const QueryWindow = { from: WireTimestamp, to: WireTimestamp }

/** Which accesses of a window are listed, and which part of them. */
export const QueryAccesses = {
  ...QueryWindow,
  orgAuthServerId: Schema.optional(Schema.Array(OrgAuthServerId).check(Schema.isMaxLength(100))),
  limit: Schema.optional(QueryLimit),
  after: Schema.optional(Schema.String)
}

/** The accesses of an organization without those of its places. */
export const QueryOwn = Schema.Literal("own")

const next = { next: known(Schema.String) }

/** The accesses of an organization; those of its places have a `placeId`. */
export const WireOrganizationAccesses = Schema.Struct({
  accesses: Schema.Array(
    Schema.Struct({ ...WireOrganizationAuthenticatedAccess.fields, placeId: known(WirePlaceId) }).annotate({
      identifier: "RecordedAccess"
    })
  ),
  ...next
}).annotate({ identifier: "OrganizationAccesses" })

export const WirePlaceAccesses = Schema.Struct({
  accesses: Schema.Array(WirePlaceAuthenticatedAccess),
  ...next
}).annotate({ identifier: "PlaceAccesses" })

/** TimePerUserReport of an organization: whole seconds. */
export const WireTimePerUserOfOrganization = Schema.Struct({
  ...ofOrganization,
  orgAuthServerId: Schema.String,
  totalTime: Schema.Int
}).annotate({ identifier: "OrganizationTimePerUserReport" })
