import { HISTORY_STEPS, ORGANIZATION_TIME_ZONE, TimeZoneName } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, WireTimestamp } from "../shared/fields.ts"

/** The steps of a history. */
export const WireHistoryRange = {
  from: WireTimestamp,
  to: WireTimestamp,
  step: Schema.Literals(HISTORY_STEPS),
  /** The name of a time zone, or `organization`: that of the organization's policy. Left out: UTC. */
  timeZone: Schema.optionalKey(Schema.Union([Schema.Literal(ORGANIZATION_TIME_ZONE), TimeZoneName]))
}

/** One step of a history. `averageStay` is in seconds. */
export const WireHistoryRow = Schema.Struct({
  from: WireTimestamp,
  entered: Schema.Int,
  left: Schema.Int,
  least: Schema.Int,
  most: Schema.Int,
  average: Schema.Finite,
  averageStay: known(Schema.Finite)
}).annotate({ identifier: "PresenceHistoryRow" })
