import { Text } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, leftOut, ofOrganization, ofPlace, WireTimestamp } from "../shared/fields.ts"

const sent = { timestamp: leftOut(WireTimestamp), orgAuthServerId: leftOut(Text) }
const tracked = { timestamp: WireTimestamp, exitToken: Schema.String, orgAuthServerId: known(Schema.String) }

const ENTRANCE = Schema.Literals([1, "entrance"])
const EXIT = Schema.Literals([-1, "exit"])

/**
 * What is sent to track a movement. An exit without its token is not a movement at all: it cannot be decoded (spec:
 * stays#exit-without-token). A token sent with an entrance is no token of it: it is text, and ignored otherwise.
 */
const movement = <Premises extends Schema.Struct.Fields>(name: string, premises: Premises) =>
  Schema.Union([
    Schema.Struct({
      movementType: ENTRANCE,
      ...premises,
      ...sent,
      exitToken: leftOut(Text),
      leaves: leftOut(Schema.Array(Text).check(Schema.isMinLength(1), Schema.isMaxLength(8)))
    }).annotate({
      identifier: `${name}Entrance`
    }),
    Schema.Struct({ movementType: EXIT, ...premises, ...sent, exitToken: Text }).annotate({ identifier: `${name}Exit` })
  ])

/** A movement that was tracked: its kind is answered as 1 entrance or -1 exit, and carries 201 or 202. */
const trackedMovement = <Premises extends Schema.Struct.Fields, Type extends 1 | -1>(
  name: string,
  premises: Premises,
  type: Type
) => Schema.Struct({ movementType: Schema.Literal(type), ...premises, ...tracked }).annotate({ identifier: name })

export const WireOrganizationMovement = movement("OrganizationMovement", ofOrganization)
export const WirePlaceMovement = movement("PlaceMovement", ofPlace)

export const WireOrganizationEntrance = trackedMovement("OrganizationEntrance", ofOrganization, 1)
export const WireOrganizationExit = trackedMovement("OrganizationExit", ofOrganization, -1)
export const WirePlaceEntrance = trackedMovement("PlaceEntrance", ofPlace, 1)
export const WirePlaceExit = trackedMovement("PlaceExit", ofPlace, -1)
