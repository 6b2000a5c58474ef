/**
 * The tracking areas of model runs: rectangles on a small grid, whose relations (inside, overlapping) and sizes are
 * computed with whole numbers, without geometry.
 */
import { type AreaLimits, DEFAULT_AREA_LIMITS } from "@sojourn/core"
import { CELL, cornersOf, type GridRectangle, polygonOf, rectanglesOverlap, SOUTH } from "../arbitraries/areas.ts"

/** How many cells the grid has to a side. */
export const GRID = 8

/** A tracking area as a command draws it: a rectangle in one of the forms that are accepted, or text that is none. */
export type Drawing =
  | { readonly rectangle: GridRectangle; readonly form: "polygon" | "feature" | "older" }
  | { readonly malformed: string }

/** The text of a drawing, as it is sent and answered. */
export const textOfDrawing = (drawing: Drawing): string => {
  if ("malformed" in drawing) return drawing.malformed
  if (drawing.form === "older") {
    const corners = cornersOf(drawing.rectangle).map(([long, lat]) => ({ lat: String(lat), long }))
    return JSON.stringify({ Organizzazioni: corners })
  }
  const polygon = polygonOf(drawing.rectangle)
  return JSON.stringify(
    drawing.form === "polygon" ? polygon : { type: "Feature", properties: { floor: 1 }, geometry: polygon }
  )
}

/** Texts that draw no area: no JSON, no geometry, a border that crosses itself, and one that is not closed. */
export const MALFORMED: ReadonlyArray<string> = [
  "the old town",
  '{"type":"Point","coordinates":[11.87,45.41]}',
  '{"type":"Polygon","coordinates":[[[11.87,45.41],[11.88,45.42],[11.88,45.41],[11.87,45.42],[11.87,45.41]]]}',
  '{"type":"Polygon","coordinates":[[[11.87,45.41],[11.88,45.41],[11.88,45.42],[11.87,45.42]]]}'
]

/** Do they share a border and no cell? */
export const touch = (one: GridRectangle, other: GridRectangle): boolean =>
  !rectanglesOverlap(one, other) &&
  Math.max(one.left, other.left) <= Math.min(one.right, other.right) &&
  Math.max(one.bottom, other.bottom) <= Math.min(one.top, other.top)

/** One cell in square metres: the ellipsoid's radii of curvature at the grid's latitude. */
const SQUARE_METRES = (() => {
  const [a, e2, phi] = [6378137, 0.00669437999014, ((SOUTH + (GRID / 2) * CELL) * Math.PI) / 180]
  const w2 = 1 - e2 * Math.sin(phi) ** 2
  return ((a * (1 - e2)) / w2 ** 1.5) * (a / Math.sqrt(w2)) * Math.cos(phi) * ((CELL * Math.PI) / 180) ** 2
})()

/** A largest area that so many cells respect and one more does not, in square metres. */
export const maxAreaOfCells = (cells: number): number => (cells + 0.5) * SQUARE_METRES

/** What an organization of the model may hold: so little that histories come up against it. */
export const MODEL_AREA_LIMITS: AreaLimits = { ...DEFAULT_AREA_LIMITS, places: 3 }
