import { PlaceName, Text } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { ifPresent, known, leftOut, namesOneId, WireLevel, WireOrganizationId, WirePlaceId } from "../shared/fields.ts"

/** Place, as it is answered (spec: http#shapes). */
export const WirePlace = Schema.Struct({
  id: WirePlaceId,
  organizationId: WireOrganizationId,
  name: Schema.String,
  trackingArea: Schema.String,
  level: known(WireLevel),
  parentId: known(WirePlaceId)
}).annotate({ identifier: "Place" })

/** Place, as a manager creates it. */
export const WirePlaceDraft = Schema.Struct({
  organizationId: WireOrganizationId,
  name: leftOut(PlaceName),
  trackingArea: Text,
  level: leftOut(WireLevel),
  parentId: leftOut(WirePlaceId)
}).annotate({ identifier: "PlaceDraft" })

/** Place, as a manager changes it: the fields that are present count, a `null` name gives back the name by id, and `null` clears the others. */
export const WirePlaceEdit = Schema.Struct({
  id: leftOut(WirePlaceId),
  placeId: leftOut(WirePlaceId),
  organizationId: leftOut(WireOrganizationId),
  name: leftOut(PlaceName),
  trackingArea: ifPresent(Text),
  level: leftOut(WireLevel),
  parentId: leftOut(WirePlaceId)
})
  .check(namesOneId("placeId"))
  .annotate({ identifier: "PlaceEdit" })
