import { CapacityNumber, WarnAt } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, leftOut, ofOrganization, ofPlace } from "../shared/fields.ts"

/** A capacity, as a manager sets it; `null` lifts it. */
export const WireCapacityChange = Schema.Struct({
  capacity: Schema.NullOr(CapacityNumber),
  warnAt: leftOut(WarnAt)
}).annotate({ identifier: "CapacityChange" })

export const WireCapacityLevel = Schema.Literals(["none", "normal", "warning", "full", "over"])

const capacity = { capacity: known(CapacityNumber), warnAt: known(WarnAt) }

/** The capacity as it was set. */
const set = <Premises extends Schema.Struct.Fields>(name: string, premises: Premises) =>
  Schema.Struct({ ...premises, ...capacity }).annotate({ identifier: name })

/** The capacity, how many people are inside, and how full that is. */
const reading = <Premises extends Schema.Struct.Fields>(name: string, premises: Premises) =>
  Schema.Struct({ ...premises, inside: Schema.Int, ...capacity, level: WireCapacityLevel }).annotate({
    identifier: name
  })

export const WireOrganizationCapacity = set("OrganizationCapacity", ofOrganization)
export const WirePlaceCapacity = set("PlaceCapacity", ofPlace)
export const WireOrganizationCapacityReading = reading("OrganizationCapacityReading", ofOrganization)
export const WirePlaceCapacityReading = reading("PlaceCapacityReading", ofPlace)
