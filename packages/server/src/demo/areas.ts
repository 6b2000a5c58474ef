/** GeoJSON of simple tracking areas, for the demo and for tests. */

type Corner = readonly [longitude: number, latitude: number]

/** The closed ring of a rectangle, longitude first. */
export const ring = (west: number, south: number, east: number, north: number): ReadonlyArray<Corner> => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south]
]

/** A polygon of an outer ring and its holes. */
export const polygon = (...rings: ReadonlyArray<unknown>): string =>
  JSON.stringify({ type: "Polygon", coordinates: rings })

/** A rectangle in degrees. */
export const rectangle = (west: number, south: number, east: number, north: number): string =>
  polygon(ring(west, south, east, north))
