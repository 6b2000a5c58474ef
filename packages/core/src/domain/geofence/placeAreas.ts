/** The areas of an organization's places, with the level and the depth that the hierarchy of places gives them. */
import { floorOf } from "../organizations/Floor.ts"
import type { GeofenceArea, GeofencePlace } from "./types.ts"

/**
 * The areas of the places of an organization, as the server lists them: each with its level in effect and the number of places that lie
 * above one another down to it.
 */
export const placeAreas = (places: ReadonlyArray<GeofencePlace>): ReadonlyArray<GeofenceArea> => {
  const byId = new Map<number | undefined, GeofencePlace>(places.map((place) => [place.id, place]))
  return places.map((place) => {
    // The place and its ancestors, the outermost first. A list that is not from the server may have a cycle.
    const line: Array<GeofencePlace> = []
    for (let next = byId.get(place.id); next && !line.includes(next); next = byId.get(next.parentId)) line.unshift(next)
    const level = line.reduce<number | undefined>((floor, { level }) => floorOf(level, floor), undefined)
    return { placeId: place.id, trackingArea: place.trackingArea, level, depth: line.length }
  })
}
