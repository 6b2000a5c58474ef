/** Where a drawing overlaps other areas, or lies outside of those that it is a part of. The server judges; this marks all places at once. */
import { boundsOf, labelOf, type Polygons, type Position, type Ring } from "../shared/area.ts"
import { type Edge, edgesOf, nearestOn, type Side, sideOf } from "./edges.ts"

/** How near borders are to touch, in degrees: a little more than for the server, so that nothing is marked that it accepts. */
const TOUCH_DEGREES = 3e-7

/** Where along the first edge it meets the second one. */
const meetings = (one: Edge, other: Edge): ReadonlyArray<number> => {
  const [[[x1, y1], [x2, y2]], [[x3, y3], [x4, y4]]] = [one, other]
  const touching = other.flatMap((end) => {
    const [t, distance] = nearestOn(one, end)
    return distance <= TOUCH_DEGREES ? [t] : []
  })
  const cross = (x2 - x1) * (y4 - y3) - (y2 - y1) * (x4 - x3)
  if (cross === 0) return touching
  const t = ((x3 - x1) * (y4 - y3) - (y3 - y1) * (x4 - x3)) / cross
  const u = ((x3 - x1) * (y2 - y1) - (y3 - y1) * (x2 - x1)) / cross
  return t > 0 && t < 1 && u >= 0 && u <= 1 ? [...touching, t] : touching
}

const areApart = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean =>
  one[0]! > other[2]! + TOUCH_DEGREES ||
  other[0]! > one[2]! + TOUCH_DEGREES ||
  one[1]! > other[3]! + TOUCH_DEGREES ||
  other[1]! > one[3]! + TOUCH_DEGREES

/** The pieces of the first border that are on this side of the second one. */
const piecesOf = (edges: ReadonlyArray<Edge>, others: ReadonlyArray<Edge>, side: Side): ReadonlyArray<Ring> => {
  const bounded = others.map((edge) => [edge, boundsOf(edge)] as const)
  return edges.flatMap((edge) => {
    const [[x1, y1], [x2, y2]] = edge
    const bounds = boundsOf(edge)
    const at = (t: number): Position => [x1 + t * (x2 - x1), y1 + t * (y2 - y1)]
    const cuts = [0, 1, ...bounded.flatMap(([other, box]) => (areApart(bounds, box) ? [] : meetings(edge, other)))]
    return cuts
      .sort((a, b) => a - b)
      .flatMap((to, nth, all) => {
        const from = all[nth - 1] ?? to
        return from < to && sideOf(others, at((from + to) / 2), TOUCH_DEGREES) === side ? [[at(from), at(to)]] : []
      })
  })
}

/** The pieces of both borders that show that the first area is not on this side of the second one; the whole first border where both run together. */
const faultsOf = (area: Polygons, other: Polygons, wrong: "inside" | "outside"): ReadonlyArray<Ring> => {
  const [edges, others] = [edgesOf(area), edgesOf(other)]
  const pieces = [...piecesOf(edges, others, wrong), ...piecesOf(others, edges, "inside")]
  if (pieces.length > 0) return pieces
  const { x, y } = labelOf(area, ([x, y]) => [x, y])
  return sideOf(others, [x, y], TOUCH_DEGREES) === wrong ? area.flat() : []
}

/** An area, and how the drawn one has to lie to it: apart from it, within it, or around it as a part. */
export interface RelatedArea {
  readonly name: string
  readonly polygons: Polygons
  readonly relation: "apart" | "within" | "around"
}

/** An area that the drawn one overlaps, is outside of or leaves out, and where. */
interface Misplaced extends RelatedArea {
  readonly lines: ReadonlyArray<Ring>
}

/** Those of other areas to which an area does not lie as it has to. Areas whose borders touch are apart. */
export const misplacedIn = (area: Polygons, others: ReadonlyArray<RelatedArea>): ReadonlyArray<Misplaced> => {
  if (area.length === 0) return []
  const bounds = boundsOf(area.flat(2))
  const linesOf = ({ polygons, relation }: RelatedArea) => {
    if (relation === "within") return faultsOf(area, polygons, "outside")
    if (relation === "around") return faultsOf(polygons, area, "outside")
    return areApart(bounds, boundsOf(polygons.flat(2))) ? [] : faultsOf(area, polygons, "inside")
  }
  return others.map((other) => ({ ...other, lines: linesOf(other) })).filter(({ lines }) => lines.length > 0)
}
