/** The JSON of ends of stays that no exit ended. */
import { EndedPeople } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { leftOut, WireTimestamp } from "../shared/fields.ts"

const people = { orgAuthServerIds: EndedPeople, exitTimestamp: leftOut(WireTimestamp) }

/** The people whose stays in a place end, and when: left out, now. */
export const WirePlaceEnd = Schema.Struct(people).annotate({ identifier: "PlaceEnd" })

/** The same of an organization. `places`: whether those in its places end as well. */
export const WireOrganizationEnd = Schema.Struct({ ...people, places: leftOut(Schema.Boolean) }).annotate({
  identifier: "OrganizationEnd"
})

/** How many stays ended. */
export const WireEnded = Schema.Struct({ ended: Schema.Int }).annotate({ identifier: "EndedStays" })

/** Whether the places of an organization are cleared as well. */
export const WireOrganizationClear = Schema.Struct({ places: Schema.Boolean }).annotate({
  identifier: "OrganizationClear"
})

/** How many stays ended, and how many people counted were taken off. */
export const WireCleared = Schema.Struct({ ended: Schema.Int, counted: Schema.Int }).annotate({ identifier: "Cleared" })
