/** Finds the pairs of edges of two borders that are near each other, by a sweep from west to east. */
import { type Border, REACH } from "./Border.ts"
import { TOUCHING_DISTANCE } from "./Position.ts"

/** Handles two edges that are near each other, and returns whether the sweep ends. */
type Visit = (e: number, f: number) => boolean

/** An edge in a sweep, and the longitude at which the sweep reaches it. */
interface Entry {
  readonly side: 0 | 1
  readonly edge: number
  readonly west: number
}

/** The edges of a border whose boxes come near another border's. */
const entriesOf = ({ count, ax, ay, bx, by }: Border, { bounds }: Border, side: 0 | 1): ReadonlyArray<Entry> => {
  const [west, east] = [bounds.west - REACH, bounds.east + REACH]
  const [south, north] = [bounds.south - REACH, bounds.north + REACH]
  const entries: Array<Entry> = []
  for (let e = 0; e < count; e++) {
    if ((ax[e]! < west && bx[e]! < west) || (ax[e]! > east && bx[e]! > east)) continue
    if ((ay[e]! < south && by[e]! < south) || (ay[e]! > north && by[e]! > north)) continue
    entries.push({ side, edge: e, west: Math.min(ax[e]!, bx[e]!) - TOUCHING_DISTANCE })
  }
  return entries
}

/**
 * Whether two edges are apart for certain: their boxes are, or both ends of one lie on the same side of the other's line, by
 * more than {@link REACH}. Rounding hides no pair that touches or crosses.
 *
 * For the distances `r` and `s` of two ends from a line, `|r + s| - |r - s|` is twice the smaller one when they lie on the
 * same side, and negative when they do not.
 */
const areApart = (one: Border, e: number, other: Border, f: number): boolean => {
  const [px, py, qx, qy] = [one.ax[e]!, one.ay[e]!, one.bx[e]!, one.by[e]!]
  const [rx, ry, sx, sy] = [other.ax[f]!, other.ay[f]!, other.bx[f]!, other.by[f]!]
  const r = one.nx[e]! * rx + one.ny[e]! * ry - one.offset[e]!
  const s = one.nx[e]! * sx + one.ny[e]! * sy - one.offset[e]!
  if (Math.abs(r + s) - Math.abs(r - s) > 2 * REACH) return true
  const p = other.nx[f]! * px + other.ny[f]! * py - other.offset[f]!
  const q = other.nx[f]! * qx + other.ny[f]! * qy - other.offset[f]!
  if (Math.abs(p + q) - Math.abs(p - q) > 2 * REACH) return true
  if (Math.max(px, qx) + REACH < Math.min(rx, sx) || Math.max(rx, sx) + REACH < Math.min(px, qx)) return true
  return Math.max(py, qy) + REACH < Math.min(ry, sy) || Math.max(ry, sy) + REACH < Math.min(py, qy)
}

/**
 * Visits the pairs of edges that may touch or cross until a visit ends the sweep, and returns whether one did: pairs within
 * `one`, or, when another border is given, between the two (first an edge of `one`).
 *
 * Pairs are ordered by the western end of their later edge, then of the earlier one: faults name the first pair. A pair that
 * overlaps in longitude is tried, at most every pair, in a few nanoseconds each.
 */
export const visitNearPairs = (one: Border, other: Border | undefined, visit: Visit): boolean => {
  const borders = [one, other ?? one]
  const entries = [...entriesOf(one, other ?? one, 0), ...(other === undefined ? [] : entriesOf(other, one, 1))]
  /** The edges of each border that the sweep has reached and not passed. */
  const open = borders.map(({ count }) => ({ edges: new Int32Array(count), count: 0 }))
  for (const { side, edge, west } of entries.sort((a, b) => a.west - b.west)) {
    const facing = other === undefined ? 0 : 1 - side
    const [border, others, opposite] = [borders[side]!, open[facing]!, borders[facing]!]
    const { ax, bx } = opposite
    let kept = 0
    for (let i = 0; i < others.count; i++) {
      const f = others.edges[i]!
      if (ax[f]! + REACH < west && bx[f]! + REACH < west) continue
      others.edges[kept++] = f
      if (areApart(border, edge, opposite, f)) continue
      if (side === 0 ? visit(edge, f) : visit(f, edge)) return true
    }
    others.count = kept
    open[side]!.edges[open[side]!.count++] = edge
  }
  return false
}
