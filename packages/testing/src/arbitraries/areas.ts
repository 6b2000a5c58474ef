/** Random tracking areas: rectangles on a grid, whose relations are known without geometry. */
import { type TrackingArea, parseTrackingArea } from "@sojourn/core"
import { Arbitrary, Result } from "effect"
import { integer } from "./choice.ts"

/** A rectangle of whole grid cells. */
export interface GridRectangle {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

/** The side of a cell in degrees, and the latitude of the grid's lower border. */
export const CELL = 0.001
export const SOUTH = 45.41
const WEST = 11.87

const at = (origin: number, cells: number): number => Number((origin + cells * CELL).toFixed(6))

/** The corners of a rectangle as longitudes and latitudes, counterclockwise from the southwest. */
export const cornersOf = ({ left, bottom, right, top }: GridRectangle) => {
  const [west, south, east, north] = [at(WEST, left), at(SOUTH, bottom), at(WEST, right), at(SOUTH, top)]
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north]
  ] as const
}

/** A rectangle as a GeoJSON Polygon. */
export const polygonOf = (rectangle: GridRectangle) => {
  const corners = cornersOf(rectangle)
  return { type: "Polygon", coordinates: [[...corners, corners[0]]] }
}

/** The tracking area of a rectangle. */
export const rectangleArea = (rectangle: GridRectangle): TrackingArea =>
  Result.getOrThrow(parseTrackingArea(JSON.stringify(polygonOf(rectangle))))

/** Whether a rectangle lies inside another one, by comparing coordinates; a common border is allowed. */
export const rectangleInside = (outer: GridRectangle, inner: GridRectangle): boolean =>
  inner.left >= outer.left && inner.right <= outer.right && inner.bottom >= outer.bottom && inner.top <= outer.top

/** Whether two rectangles share more than a border, by comparing coordinates. */
export const rectanglesOverlap = (one: GridRectangle, other: GridRectangle): boolean =>
  one.left < other.right && other.left < one.right && one.bottom < other.top && other.bottom < one.top

/** A rectangle with sides of 1 to `size` cells on a grid of `size` cells. On small grids all kinds of contact occur. */
export const rectangle = (size: number): Arbitrary.Arbitrary<GridRectangle> =>
  Arbitrary.map(
    Arbitrary.all([integer(0, size - 1), integer(0, size - 1), integer(1, size), integer(1, size)]),
    ([left, bottom, width, height]) => ({
      left,
      bottom,
      right: Math.min(size, left + width),
      top: Math.min(size, bottom + height)
    })
  )

/** The whole grid of `size` cells. */
export const wholeGrid = (size: number): GridRectangle => ({ left: 0, bottom: 0, right: size, top: size })
