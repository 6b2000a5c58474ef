import { formatTimestamp, premisesId, Text, type TrackedMovement } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, leftOut, premisesName, WireOrganizationId, WirePlaceId, WireTimestamp } from "./fields.ts"

const sent = { timestamp: leftOut(WireTimestamp), orgAuthServerId: leftOut(Text) }
const tracked = { timestamp: WireTimestamp, exitToken: Schema.String, orgAuthServerId: known(Schema.String) }

const ENTRANCE = Schema.Literals([1, "entrance"])
const EXIT = Schema.Literals([-1, "exit"])

/**
 * What is sent to track a movement. An exit without its token is not a movement at all: it cannot be decoded (interface,
 * section 4.6, rule 1). A token sent with an entrance is no token of it: it is text, and else not looked at.
 */
const movement = <Premises extends Schema.Struct.Fields>(name: string, premises: Premises) =>
  Schema.Union([
    Schema.Struct({ movementType: ENTRANCE, ...premises, ...sent, exitToken: leftOut(Text) }).annotate({
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

export const WireOrganizationMovement = movement("OrganizationMovement", { organizationId: WireOrganizationId })
export const WirePlaceMovement = movement("PlaceMovement", { placeId: WirePlaceId })

export const WireOrganizationEntrance = trackedMovement(
  "OrganizationEntrance",
  { organizationId: WireOrganizationId },
  1
)
export const WireOrganizationExit = trackedMovement("OrganizationExit", { organizationId: WireOrganizationId }, -1)
export const WirePlaceEntrance = trackedMovement("PlaceEntrance", { placeId: WirePlaceId }, 1)
export const WirePlaceExit = trackedMovement("PlaceExit", { placeId: WirePlaceId }, -1)

/** A movement that was tracked, letter by letter as the schemas above and `JSON.stringify` write it, at a sixth of the cost. */
export const trackedAsJson = ({ _tag, premises, timestamp, exitToken, orgAuthServerId }: TrackedMovement): string => {
  const movementType = _tag === "Entrance" ? 1 : -1
  const person = orgAuthServerId === undefined ? "" : `,"orgAuthServerId":${JSON.stringify(orgAuthServerId)}`
  // Of the characters of instants and tokens JSON escapes none.
  return `{"movementType":${movementType},"${premisesName(premises)}":${Number(premisesId(premises))},"timestamp":"${formatTimestamp(timestamp)}","exitToken":"${exitToken}"${person}}`
}
