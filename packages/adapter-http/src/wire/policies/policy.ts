import { EventGrain, LongestStay, Retention, SilentAfter, SmallestCount, TimeOfDay, TimeZoneName } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, leftOut, WireOrganizationId } from "../shared/fields.ts"

/** A change of a stay policy, times in seconds: the fields that are present count, and `null` lifts one. One is there at least. */
export const WireStayPolicyChange = Schema.Struct({
  longestStay: leftOut(LongestStay),
  retention: leftOut(Retention),
  eventGrain: leftOut(EventGrain),
  smallestCount: leftOut(SmallestCount),
  countedResetAt: leftOut(TimeOfDay),
  staysEndAt: leftOut(TimeOfDay),
  timeZone: leftOut(TimeZoneName),
  deviceSilentAfter: leftOut(SilentAfter),
  exclusivePlaces: leftOut(Schema.Boolean)
})
  .check(
    Schema.makeFilter((change: object) => Object.keys(change).length > 0, {
      expected: "one member of the policy at least"
    })
  )
  .annotate({ identifier: "StayPolicyChange" })

/** The stay policy as it is in force, times in seconds. */
export const WireStayPolicy = Schema.Struct({
  organizationId: WireOrganizationId,
  longestStay: known(LongestStay),
  retention: known(Retention),
  eventGrain: known(EventGrain),
  smallestCount: known(SmallestCount),
  countedResetAt: known(TimeOfDay),
  staysEndAt: known(TimeOfDay),
  timeZone: known(TimeZoneName),
  deviceSilentAfter: known(SilentAfter),
  exclusivePlaces: known(Schema.Boolean)
}).annotate({ identifier: "StayPolicy" })
