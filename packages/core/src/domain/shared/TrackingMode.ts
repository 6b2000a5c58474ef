import * as Schema from "effect/Schema"

/** Whether an organization knows the people whom it tracks (interface, section 1). */
export const TrackingMode = Schema.Literals(["anonymous", "authenticated"])
export type TrackingMode = typeof TrackingMode.Type
