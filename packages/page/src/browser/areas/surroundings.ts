/** The areas around a drawing. */
import type { Organization, Place } from "@sojourn/client"
import { levelOf, lineagesOf } from "../organizations/lineages.ts"
import { type Polygons, readArea } from "../shared/area.ts"
import { leftOutOf, type Misplaced, type NamedArea, outsideOf, overlapsOf } from "./overlaps.ts"
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

/** The areas that an edited one must not overlap, those inside of which it must be, and those that must be inside of it. */
export interface Relations {
  readonly apart: ReadonlyArray<NamedArea>
  /** Undefined for the organization's area. */
  readonly outer: NamedArea | undefined
  readonly parts: ReadonlyArray<NamedArea>
}

/** The relations of a place with this parent on this level; without an id it is not there yet. */
export const relationsOf = (
  organization: Organization,
  places: ReadonlyArray<Place>,
  {
    id,
    parentId,
    level
  }: { readonly id?: number | undefined; readonly parentId: number | null; readonly level: number }
): Relations => {
  const lineages = lineagesOf(places)
  const named = ({ name, trackingArea }: Pick<Place, "name" | "trackingArea">) => ({
    name,
    polygons: readArea(trackingArea)
  })
  const above = new Set((lineages.get(parentId ?? 0) ?? []).map((place) => place.id))
  const isApart = (place: Place) => {
    const lineage = lineages.get(place.id)!
    return levelOf(lineage) === level && !above.has(place.id) && lineage.every((one) => one.id !== id)
  }
  return {
    apart: places.filter(isApart).map(named),
    outer: named(places.find((place) => place.id === parentId) ?? organization),
    parts: places.filter((place) => id !== undefined && place.parentId === id).map(named)
  }
}

/** The relations of the organization's area. */
export const relationsOfWhole = (places: ReadonlyArray<Place>): Relations => ({
  apart: [],
  outer: undefined,
  parts: places
    .filter(({ parentId }) => parentId === undefined)
    .map(({ name, trackingArea }) => ({ name, polygons: readArea(trackingArea) }))
})

/** What is wrong between an area and those that it is related to. */
export const misplacedIn = (area: Polygons, { apart, outer, parts }: Relations) => {
  const isEmpty = area.length === 0
  const found = <A>(find: () => ReadonlyArray<A>) => (isEmpty ? [] : find())
  return {
    overlapped: found(() => overlapsOf(area, apart)),
    outside: found((): ReadonlyArray<Misplaced> => (outer === undefined ? [] : outsideOf(area, [outer]))),
    leftOut: found(() => leftOutOf(area, parts))
  }
}
