import * as Schema from "effect/Schema"

/** Whether an organization knows the people whom it tracks (spec: stays#anonymous-entrance). */
export const TrackingMode = Schema.Literals(["anonymous", "authenticated"])
export type TrackingMode = typeof TrackingMode.Type
