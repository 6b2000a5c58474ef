import { type AnonymousAccess, formatTimestamp, type Premises, premisesId, type PresenceCounter } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { premisesName, WireAccessId, WireOrganizationId, WirePlaceId, WireTimestamp } from "./fields.ts"

const stay = { id: WireAccessId, entranceTimestamp: WireTimestamp, exitTimestamp: WireTimestamp }
const anonymous = { ...stay, exitToken: Schema.String }
const authenticated = { ...stay, orgAuthServerId: Schema.String }

/** OrganizationAccess and PlaceAccess, by tokens and by people (contract, section 2). */
export const WireOrganizationAccess = Schema.Struct({ organizationId: WireOrganizationId, ...anonymous }).annotate({
  identifier: "OrganizationAccess"
})
export const WirePlaceAccess = Schema.Struct({ placeId: WirePlaceId, ...anonymous }).annotate({
  identifier: "PlaceAccess"
})
export const WireOrganizationAuthenticatedAccess = Schema.Struct({
  organizationId: WireOrganizationId,
  ...authenticated
}).annotate({ identifier: "OrganizationAuthenticatedAccess" })
export const WirePlaceAuthenticatedAccess = Schema.Struct({ placeId: WirePlaceId, ...authenticated }).annotate({
  identifier: "PlaceAuthenticatedAccess"
})

type Stay = { readonly [Field in keyof typeof stay]: (typeof stay)[Field]["Type"] }

/** What an access says of its stay, as the schemas above write it: for lists, where that is most of the work. */
export const stayAsJson = ({ id, entranceTimestamp, exitTimestamp }: Stay) => ({
  id: Number(id),
  entranceTimestamp: formatTimestamp(entranceTimestamp),
  exitTimestamp: formatTimestamp(exitTimestamp)
})

/** Accesses by tokens of some premises, letter by letter as the schemas above and `JSON.stringify` write them. */
export const anonymousAsJson = (premises: Premises, accesses: ReadonlyArray<AnonymousAccess>): string => {
  const where = `{"${premisesName(premises)}":${Number(premisesId(premises))},"id":`
  let text = "["
  // Of the characters of instants and tokens JSON escapes none.
  for (const { id, stay, exitToken } of accesses) {
    text += `${text === "[" ? "" : ","}${where}${Number(id)},"entranceTimestamp":"${formatTimestamp(stay.entrance)}","exitTimestamp":"${formatTimestamp(stay.exit)}","exitToken":"${exitToken}"}`
  }
  return `${text}]`
}

/** OrganizationPresenceCounter and PlacePresenceCounter. */
export const WireOrganizationCounter = Schema.Struct({
  organizationId: WireOrganizationId,
  counter: Schema.Int
}).annotate({ identifier: "OrganizationPresenceCounter" })
export const WirePlaceCounter = Schema.Struct({ placeId: WirePlaceId, counter: Schema.Int }).annotate({
  identifier: "PlacePresenceCounter"
})

/** A counter, letter by letter as the schemas above and `JSON.stringify` write it. */
export const counterAsJson = ({ premises, counter }: PresenceCounter): string =>
  `{"${premisesName(premises)}":${Number(premisesId(premises))},"counter":${counter}}`

/** TimePerUserReport: whole seconds. */
export const WireTimePerUser = Schema.Struct({
  placeId: WirePlaceId,
  orgAuthServerId: Schema.String,
  totalTime: Schema.Int
}).annotate({ identifier: "TimePerUserReport" })
