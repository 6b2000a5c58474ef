/** Boxes around areas: a cheap first answer to whether two areas can meet at all. */
import { keptWith } from "./keptWith.ts"
import type { Polygons } from "./Position.ts"

/** The smallest box around an area, in degrees. */
export interface Bounds {
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
}

/** The bounds of some rings. */
export const boundsAround = (rings: Polygons[number]): Bounds => {
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const ring of rings) {
    for (const [lng, lat] of ring) {
      if (lng < west) west = lng
      if (lng > east) east = lng
      if (lat < south) south = lat
      if (lat > north) north = lat
    }
  }
  return { west, east, south, north }
}

/** The bounds of an area: those of its shells, since holes lie inside them. */
export const boundsOf = keptWith((polygons: Polygons) => boundsAround(polygons.map(([shell = []]) => shell)))

/** Whether two bounds have a point in common. Areas whose bounds do not meet cannot overlap. */
export const boundsMeet = (a: Bounds, b: Bounds): boolean =>
  a.east >= b.west && b.east >= a.west && a.north >= b.south && b.north >= a.south
