/** The areas around a drawing. */
import type { Organization, Place } from "@sojourn/client"
import { levelOf, lineagesOf } from "../organizations/lineages.ts"
import { readArea } from "../shared/area.ts"
import type { RelatedArea } from "./overlaps.ts"
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

interface EditedPlace {
  /** Undefined while it is not there yet. */
  readonly id: number | undefined
  readonly parentId: number | null
  readonly level: number
}

/** The areas that the one of a place is related to; without a place the areas that the organization's is around. */
export const relatedTo = (
  organization: Organization,
  places: ReadonlyArray<Place>,
  edited: EditedPlace | undefined
): ReadonlyArray<RelatedArea> => {
  const related = (of: ReadonlyArray<Place | Organization>, relation: RelatedArea["relation"]) =>
    of.map(({ name, trackingArea }) => ({ name, polygons: readArea(trackingArea), relation }))
  const partsOf = (parentId: number | undefined) => places.filter((place) => place.parentId === parentId)
  if (edited === undefined) return related(partsOf(undefined), "around")
  const { id, parentId, level } = edited
  const lineages = lineagesOf(places)
  const above = new Set((lineages.get(parentId ?? 0) ?? []).map((place) => place.id))
  const isApart = (place: Place) => {
    const lineage = lineages.get(place.id)!
    return levelOf(lineage) === level && !above.has(place.id) && lineage.every((one) => one.id !== id)
  }
  return [
    ...related(places.filter(isApart), "apart"),
    ...related([places.find((place) => place.id === parentId) ?? organization], "within"),
    ...related(id === undefined ? [] : partsOf(id), "around")
  ]
}
