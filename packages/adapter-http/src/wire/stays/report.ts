/** The JSON of reports. */
import * as Schema from "effect/Schema"
import { ofPlace } from "../shared/fields.ts"

/** TimePerUserReport: whole seconds. */
export const WireTimePerUser = Schema.Struct({
  ...ofPlace,
  orgAuthServerId: Schema.String,
  totalTime: Schema.Int
}).annotate({ identifier: "TimePerUserReport" })
