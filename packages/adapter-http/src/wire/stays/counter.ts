/** The JSON of presence counters. */
import * as Schema from "effect/Schema"
import { ofOrganization, ofPlace } from "../shared/fields.ts"

const presenceCounter = <Premises extends Schema.Struct.Fields>(name: string, premises: Premises) =>
  Schema.Struct({ ...premises, counter: Schema.Int }).annotate({ identifier: name })

/** OrganizationPresenceCounter and PlacePresenceCounter. */
export const WireOrganizationCounter = presenceCounter("OrganizationPresenceCounter", ofOrganization)
export const WirePlaceCounter = presenceCounter("PlacePresenceCounter", ofPlace)
