/** Floor plans: images that the map shows below the areas, and where they lie. */
import type { FloorPlan } from "@sojourn/client"
import type { Point, Position, Projection } from "../shared/area.ts"

/** The levels that the interface knows. */
export const [MIN_LEVEL, MAX_LEVEL] = [-100, 300]

/** Where an image lies: a box, and how far it is turned around its middle, in degrees clockwise. */
export type Placement = Pick<FloorPlan, "west" | "south" | "east" | "north" | "rotation">

/** A placement in a drawing, in pixels. */
export interface PlacedBox {
  readonly center: Point
  readonly width: number
  readonly height: number
  readonly rotation: number
}

/** The box of a placement in a drawing whose areas are near a position: they may lie beyond the antimeridian. */
export const boxOf = (
  { west, south, east, north, rotation }: Placement,
  project: Projection,
  [longitude]: Position
): PlacedBox => {
  const turns = 360 * Math.round((longitude - (west + east) / 2) / 360)
  const [left, top] = project([west + turns, north])
  const [right, bottom] = project([east + turns, south])
  return { center: [(left + right) / 2, (top + bottom) / 2], width: right - left, height: bottom - top, rotation }
}

const rotated = ([x, y]: Point, degrees: number): Point => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  return [x * cos - y * sin, x * sin + y * cos]
}

export const moved = (box: PlacedBox, [dx, dy]: Point): PlacedBox => ({
  ...box,
  center: [box.center[0] + dx, box.center[1] + dy]
})

/** A point around the middle of a box, of which `x` and `y` are -1 to 1 between its edges. */
export const pointOf = (box: PlacedBox, [x, y]: Point): Point =>
  moved(box, rotated([(x * box.width) / 2, (y * box.height) / 2], box.rotation)).center

/** The least width and height of a plan, in pixels. */
const MIN_SIDE_PX = 8

/** The box after one of its corners was dragged to a point: the opposite corner stays, and the sides keep their ratio. */
export const resized = (box: PlacedBox, [x, y]: Point, to: Point): PlacedBox => {
  const still = pointOf(box, [-x, -y])
  const [along, across] = rotated([to[0] - still[0], to[1] - still[1]], -box.rotation)
  const least = MIN_SIDE_PX / Math.min(box.width, box.height)
  const by = Math.max((x * along) / box.width, (y * across) / box.height, least)
  const grown = { ...box, width: box.width * by, height: box.height * by }
  const [stillX, stillY] = pointOf(grown, [-x, -y])
  return moved(grown, [still[0] - stillX, still[1] - stillY])
}

/** Rotations are from -180 to 180 degrees, in tenths. */
export const turned = (box: PlacedBox, degrees: number): PlacedBox => {
  const tenths = Math.round(degrees * 10) / 10
  return { ...box, rotation: ((((tenths + 180) % 360) + 360) % 360) - 180 }
}

/** The placement of a box. */
export const placementOf = (
  { center: [x, y], width, height, rotation }: PlacedBox,
  unproject: (point: Point) => Position
): Placement => {
  const [west, north] = unproject([x - width / 2, y - height / 2])
  const [east, south] = unproject([x + width / 2, y + height / 2])
  return { west, south, east, north, rotation }
}
