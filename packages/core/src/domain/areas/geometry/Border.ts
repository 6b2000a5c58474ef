/** The edges of an area's border, with the predicates on them that the comparison of two areas uses. */
import { type Bounds, boundsAround } from "./Bounds.ts"
import { keptWith } from "./keptWith.ts"
import {
  type EdgeAt,
  type Polygons,
  type Position,
  type RingAt,
  sideOf,
  TOUCHING_DISTANCE,
  touches,
  touchesSegment
} from "./Position.ts"

/** The edges `from` up to, and without, `to` of a border: one ring, without its repeated points. */
export interface Ring {
  readonly from: number
  readonly to: number
  readonly at: RingAt
  /** The ring was drawn the other way round: faults still name its edges as they were drawn. */
  readonly reversed: boolean
}

/**
 * The edges of an area, ring after ring and part after part, in columns: relations read them millions of times.
 * Edge `e` leaves corner `e`, and has the area's inside on its left: shells run counterclockwise and holes clockwise.
 */
export interface Border {
  readonly count: number
  readonly ax: Float64Array
  readonly ay: Float64Array
  readonly bx: Float64Array
  readonly by: Float64Array
  /** The edge's line: a position `x, y` is `nx * x + ny * y - offset` degrees to the left of it. */
  readonly nx: Float64Array
  readonly ny: Float64Array
  readonly offset: Float64Array
  /** The corner that an edge leads to. */
  readonly next: Int32Array
  /** A box around all edges. */
  readonly bounds: Bounds
  /** Parts > rings. */
  readonly parts: ReadonlyArray<ReadonlyArray<Ring>>
  /** Where a corner stands in its ring, as it was drawn. */
  readonly drawnAt: Int32Array
}

/** Twice the signed area in square degrees, seen from the first corner so that small rings keep their digits. */
const doubleArea = (corners: ReadonlyArray<Position>): number => {
  const [x, y] = corners[0]!
  return corners.reduce((sum, [ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length]!
    return sum + (ax - x) * (by - y) - (bx - x) * (ay - y)
  }, 0)
}

/** Which positions of a ring are its corners: of consecutive ones that touch only the first. */
const cornersOf = (ring: ReadonlyArray<Position>): Array<number> => {
  const corners: Array<number> = []
  const same = (i: number, j: number) => touches(ring[i]![0], ring[i]![1], ring[j]![0], ring[j]![1], TOUCHING_DISTANCE)
  for (let i = 0; i < ring.length; i++) {
    if (corners.length === 0 || !same(i, corners.at(-1)!)) corners.push(i)
  }
  while (corners.length > 1 && same(corners[0]!, corners.at(-1)!)) corners.pop()
  return corners
}

/**
 * The border of an area. Consecutive points that touch count as one, so that a ring may come out with fewer than 3 edges,
 * and a point that is left out may lie as much as the touching distance off the border that is compared.
 */
const makeBorder = (polygons: Polygons): Border => {
  const most = polygons.reduce((sum, rings) => rings.reduce((points, ring) => points + ring.length, sum), 0)
  const column = () => new Float64Array(most)
  const [ax, ay, bx, by] = [column(), column(), column(), column()]
  const [nx, ny, offset] = [column(), column(), column()]
  const [next, drawnAt] = [new Int32Array(most), new Int32Array(most)]
  let count = 0
  const parts = polygons.map((rings, part) =>
    rings.map((ring, index): Ring => {
      const corners = cornersOf(ring)
      const reversed = doubleArea(corners.map((i) => ring[i]!)) > 0 !== (index === 0)
      if (reversed) corners.reverse()
      const from = count
      for (let i = 0; i < corners.length; i++, count++) {
        const [a, b] = [ring[corners[i]!]!, ring[corners[(i + 1) % corners.length]!]!]
        ax[count] = a[0]
        ay[count] = a[1]
        bx[count] = b[0]
        by[count] = b[1]
        next[count] = from + ((i + 1) % corners.length)
        const length = Math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2)
        nx[count] = (a[1] - b[1]) / length
        ny[count] = (b[0] - a[0]) / length
        offset[count] = nx[count]! * a[0] + ny[count]! * a[1]
        drawnAt[count] = corners[i]!
      }
      return { from, to: count, at: [part, index], reversed }
    })
  )
  return { count, ax, ay, bx, by, nx, ny, offset, next, drawnAt, parts, bounds: boundsAround(polygons.flat()) }
}

/** The border of an area, made when it is first asked for and kept with the polygons: a place is compared with many. */
export const borderOf = keptWith(makeBorder)

/** What a fault calls an edge. */
export const nameOf = ({ parts, drawnAt, next }: Border, edge: number): EdgeAt => {
  const { at, reversed } = parts.flat().find(({ to }) => edge < to)!
  const [from, to] = reversed ? [next[edge]!, edge] : [edge, next[edge]!]
  return { from: [...at, drawnAt[from]!], to: [...at, drawnAt[to]!] }
}

/** Is a corner of a border nearer than a distance to an edge of another? */
export const cornerTouches = (of: Border, corner: number, border: Border, edge: number, distance: number): boolean =>
  touchesSegment(
    of.ax[corner]!,
    of.ay[corner]!,
    border.ax[edge]!,
    border.ay[edge]!,
    border.bx[edge]!,
    border.by[edge]!,
    distance
  )

/** Do two edges cross in a point that is an end of neither? Exact. */
export const crosses = (one: Border, e: number, other: Border, f: number): boolean => {
  const [ax, ay, bx, by] = [one.ax[e]!, one.ay[e]!, one.bx[e]!, one.by[e]!]
  const [cx, cy, dx, dy] = [other.ax[f]!, other.ay[f]!, other.bx[f]!, other.by[f]!]
  return (
    sideOf(ax, ay, bx, by, cx, cy) * sideOf(ax, ay, bx, by, dx, dy) < 0 &&
    sideOf(cx, cy, dx, dy, ax, ay) * sideOf(cx, cy, dx, dy, bx, by) < 0
  )
}

/** Do the edges `from` up to `to` enclose a position, which is on none of them? Even-odd, with exact signs. */
export const encloses = (
  { ax, ay, bx, by, bounds }: Border,
  from: number,
  to: number,
  x: number,
  y: number
): boolean => {
  if (x < bounds.west || x > bounds.east || y < bounds.south || y > bounds.north) return false
  let inside = false
  for (let e = from; e < to; e++) {
    const rises = by[e]! > y
    if (ay[e]! > y === rises || (ax[e]! < x && bx[e]! < x)) continue
    // The edge passes in the east when the position is left of it while it rises, or right of it while it falls.
    if ((ax[e]! > x && bx[e]! > x) || sideOf(ax[e]!, ay[e]!, bx[e]!, by[e]!, x, y) > 0 === rises) inside = !inside
  }
  return inside
}
