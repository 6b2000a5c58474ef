/** The areas around a drawing. */
import type { Organization, Place } from "@sojourn/client"
import { levelOf, lineagesOf } from "../organizations/lineages.ts"
import { readArea } from "../shared/area.ts"
import type { SurroundingArea } from "./useDrawing.ts"

/** The organization's area, and those of the places that are near. */
export const surroundingsOf = (
  organization: Organization,
  places: ReadonlyArray<Place>,
  isNear: (place: Place, level: number) => boolean
): ReadonlyArray<SurroundingArea> => {
  const lineages = lineagesOf(places)
  const near = places.filter((place) => isNear(place, levelOf(lineages.get(place.id)!)))
  const parts = Map.groupBy(near, ({ parentId }) => parentId)
  return [
    { name: organization.name, polygons: readArea(organization.trackingArea) },
    ...near.map(({ id, name, trackingArea }) => ({
      name,
      polygons: readArea(trackingArea),
      parts: (parts.get(id) ?? []).flatMap((part) => readArea(part.trackingArea))
    }))
  ]
}
