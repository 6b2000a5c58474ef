/** Finds the pairs of edges of two borders that are near each other, by a sweep from west to east. */
import type { Border } from "./Border.ts"

/**
 * Edges whose distance is more than this above a distance are not nearer than it, whatever rounding does: on coordinates of up to 360 degrees it
 * comes to less than 1e-12, here and in `touchesSegment`.
 */
const ROUNDING = 1e-10

/** Handles two edges that are near each other, and returns whether the sweep ends. */
type Visit = (e: number, f: number) => boolean

/** An edge in a sweep, and the longitude at which the sweep reaches it. */
interface Entry {
  readonly side: number
  readonly edge: number
  readonly west: number
}

/** The edges of a border whose boxes come near another border's. */
const entriesOf = (
  { count, ax, ay, bx, by }: Border,
  { bounds }: Border,
  side: number,
  distance: number
): ReadonlyArray<Entry> => {
  const reach = distance + ROUNDING
  const [west, east] = [bounds.west - reach, bounds.east + reach]
  const [south, north] = [bounds.south - reach, bounds.north + reach]
  const entries: Array<Entry> = []
  for (let e = 0; e < count; e++) {
    if ((ax[e]! < west && bx[e]! < west) || (ax[e]! > east && bx[e]! > east)) continue
    if ((ay[e]! < south && by[e]! < south) || (ay[e]! > north && by[e]! > north)) continue
    entries.push({ side, edge: e, west: Math.min(ax[e]!, bx[e]!) - distance })
  }
  return entries
}

/** The edges of a border that the sweep has reached and not passed. */
interface OpenEdges {
  readonly border: Border
  readonly edges: Int32Array
  count: number
}

/**
 * Visits the open edges that are near an edge, drops those that end west of `west`, and returns whether a visit ended the sweep.
 *
 * Two edges are apart for certain when their boxes are, or both ends of one lie on the same side of the other's line, by more than
 * `reach`: rounding hides no pair that touches or crosses. For the distances `r` and `s` of two ends from a line,
 * `|r + s| - |r - s|` is twice the smaller one when they lie on the same side, and negative when they do not.
 */
const visitNear = (
  one: Border,
  e: number,
  west: number,
  reach: number,
  open: OpenEdges,
  visit: (f: number) => boolean
): boolean => {
  const { ax, ay, bx, by, nx, ny, offset } = open.border
  const { edges, count } = open
  const [px, py, qx, qy] = [one.ax[e]!, one.ay[e]!, one.bx[e]!, one.by[e]!]
  const [ux, uy, from] = [one.nx[e]!, one.ny[e]!, one.offset[e]!]
  let kept = 0
  for (let i = 0; i < count; i++) {
    const f = edges[i]!
    const rx = ax[f]!
    const sx = bx[f]!
    if (rx + reach < west && sx + reach < west) continue
    edges[kept++] = f
    const ry = ay[f]!
    const sy = by[f]!
    const r = ux * rx + uy * ry - from
    const s = ux * sx + uy * sy - from
    if (Math.abs(r + s) - Math.abs(r - s) > 2 * reach) continue
    const p = nx[f]! * px + ny[f]! * py - offset[f]!
    const q = nx[f]! * qx + ny[f]! * qy - offset[f]!
    if (Math.abs(p + q) - Math.abs(p - q) > 2 * reach) continue
    if (Math.max(px, qx) + reach < Math.min(rx, sx) || Math.max(rx, sx) + reach < Math.min(px, qx)) continue
    if (Math.max(py, qy) + reach < Math.min(ry, sy) || Math.max(ry, sy) + reach < Math.min(py, qy)) continue
    if (visit(f)) return true
  }
  open.count = kept
  return false
}

/**
 * Visits the pairs of edges that may touch or cross until a visit ends the sweep, and returns whether one did. What is nearer than `distance` touches: pairs within
 * `one`, or, when another border is given, between the two (first an edge of `one`).
 *
 * Pairs are ordered by the western end of their later edge, then of the earlier one: faults name the first pair. All pairs that
 * overlap in longitude are tried, at most every pair, in a few nanoseconds each.
 */
export const visitNearPairs = (one: Border, other: Border | undefined, distance: number, visit: Visit): boolean => {
  const borders = other === undefined ? [one] : [one, other]
  const open = borders.map((border): OpenEdges => ({ border, edges: new Int32Array(border.count), count: 0 }))
  const entries = borders.flatMap((border, side) => entriesOf(border, borders.at(-1 - side)!, side, distance))
  for (const { side, edge, west } of entries.sort((a, b) => a.west - b.west)) {
    const own = open[side]!
    const visitPair = (f: number) => (side === 0 ? visit(edge, f) : visit(f, edge))
    if (visitNear(own.border, edge, west, distance + ROUNDING, open.at(-1 - side)!, visitPair)) return true
    own.edges[own.count++] = edge
  }
  return false
}
