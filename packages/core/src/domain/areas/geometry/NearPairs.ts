/** A plane sweep that finds the pairs of edges of two borders that are near each other. */
import { type Border, REACH } from "./Border.ts"
import { TOUCHING_DISTANCE } from "./Position.ts"
import type { WorkMeter } from "./Work.ts"

/**
 * The order in which near pairs are found. Any order is the quickest. From west to east is the order in which faults are
 * named: by the western end of the later edge of a pair, then of the earlier one.
 */
export type PairOrder = "any" | "west to east"

/** Looks at two edges that are near each other, and says whether it has seen enough. */
type Visit = (e: number, f: number) => boolean

/** Up to so many pairs are all tried, which takes less time than to sort their edges. */
const FEW_PAIRS = 2048

/** What it costs to sort an edge into a sweep, and to look at a near pair, in units of work. */
const SORTED = 32
const LOOKED_AT = 32

/**
 * Tries an edge with the first `count` of some others, and says whether a visit of a near pair has seen enough.
 *
 * Two edges are apart when both ends of one lie on the same side of the other's line, or their boxes are apart, by more
 * than {@link REACH}: rounding hides no pair that touches or crosses. For the distances `r` and `s` of two ends from a
 * line, `|r + s| - |r - s|` is twice the smaller one when they lie on the same side, and negative when they do not.
 */
const tryEdge = (one: Border, e: number, other: Border, others: Int32Array, count: number, visit: Visit): boolean => {
  const { ax, ay, bx, by, nx, ny, offset } = other
  const [px, py, qx, qy] = [one.ax[e]!, one.ay[e]!, one.bx[e]!, one.by[e]!]
  const [ux, uy, from] = [one.nx[e]!, one.ny[e]!, one.offset[e]!]
  for (let i = 0; i < count; i++) {
    const f = others[i]!
    const rx = ax[f]!
    const ry = ay[f]!
    const sx = bx[f]!
    const sy = by[f]!
    const r = ux * rx + uy * ry - from
    const s = ux * sx + uy * sy - from
    if (Math.abs(r + s) - Math.abs(r - s) > 2 * REACH) continue
    const p = nx[f]! * px + ny[f]! * py - offset[f]!
    const q = nx[f]! * qx + ny[f]! * qy - offset[f]!
    if (Math.abs(p + q) - Math.abs(p - q) > 2 * REACH) continue
    if (Math.max(px, qx) + REACH < Math.min(rx, sx) || Math.max(rx, sx) + REACH < Math.min(px, qx)) continue
    if (Math.max(py, qy) + REACH < Math.min(ry, sy) || Math.max(ry, sy) + REACH < Math.min(py, qy)) continue
    if (visit(e, f)) return true
  }
  return false
}

/** One of two borders that are compared. Corners and edges are numbered over both: its own begin at `base`. */
export interface Side {
  readonly border: Border
  readonly base: number
}

/** Some edges of a border. */
interface SideEdges extends Side {
  readonly edges: Int32Array
}

const allEdges = ({ count }: Border): Int32Array => {
  const edges = new Int32Array(count)
  for (let e = 0; e < count; e++) edges[e] = e
  return edges
}

/** The edges of a border whose boxes come near another border's. */
const edgesNear = ({ count, ax, ay, bx, by }: Border, { bounds }: Border): Int32Array => {
  const [west, east] = [bounds.west - REACH, bounds.east + REACH]
  const [south, north] = [bounds.south - REACH, bounds.north + REACH]
  const edges = new Int32Array(count)
  let kept = 0
  for (let e = 0; e < count; e++) {
    if ((ax[e]! < west && bx[e]! < west) || (ax[e]! > east && bx[e]! > east)) continue
    if ((ay[e]! < south && by[e]! < south) || (ay[e]! > north && by[e]! > north)) continue
    edges[kept++] = e
  }
  return edges.subarray(0, kept)
}

type Direction = readonly [x: number, y: number]

/** The direction that most edges run across: the main axis of their normals, longer edges counting for more. */
const acrossMost = (sides: ReadonlyArray<SideEdges>): Direction => {
  let sine = 0
  let cosine = 0
  for (const { border, edges } of sides) {
    const { ax, ay, bx, by, nx, ny } = border
    for (let i = 0; i < edges.length; i++) {
      const e = edges[i]!
      const length = Math.abs(bx[e]! - ax[e]!) + Math.abs(by[e]! - ay[e]!)
      sine += 2 * nx[e]! * ny[e]! * length
      cosine += (nx[e]! ** 2 - ny[e]! ** 2) * length
    }
  }
  const axis = Math.atan2(sine, cosine) / 2
  return [Math.cos(axis), Math.sin(axis)]
}

/** Where edges begin and end along a direction. */
interface Spans {
  readonly begins: Float64Array
  readonly ends: Float64Array
  readonly least: number
  readonly most: number
}

const spansAlong = (sides: ReadonlyArray<SideEdges>, count: number, [x, y]: Direction): Spans => {
  const [begins, ends] = [new Float64Array(count), new Float64Array(count)]
  let least = Infinity
  let most = -Infinity
  for (const { border, base, edges } of sides) {
    const { ax, ay, bx, by } = border
    for (let i = 0; i < edges.length; i++) {
      const e = edges[i]!
      const a = x * ax[e]! + y * ay[e]!
      const b = x * bx[e]! + y * by[e]!
      const begin = (a < b ? a : b) - REACH
      const end = (a < b ? b : a) + REACH
      begins[base + e] = begin
      ends[base + e] = end
      if (begin < least) least = begin
      if (end > most) most = end
    }
  }
  return { begins, ends, least, most }
}

const CELLS = 256

/** About how many pairs of edges a sweep has open at once. */
const crowding = (sides: ReadonlyArray<SideEdges>, { begins, ends, least, most }: Spans): number => {
  const [begun, ended] = [new Int32Array(CELLS), new Int32Array(CELLS)]
  const cells = (CELLS - 1) / (most - least)
  for (const { base, edges } of sides) {
    for (let i = 0; i < edges.length; i++) {
      const j = base + edges[i]!
      begun[Math.floor((begins[j]! - least) * cells)]!++
      ended[Math.floor((ends[j]! - least) * cells)]!++
    }
  }
  let [open, pairs] = [0, 0]
  for (let cell = 0; cell < CELLS; cell++) {
    open += begun[cell]!
    pairs += begun[cell]! * open
    open -= ended[cell]!
  }
  return pairs
}

/** In which order a sweep meets edges, and where each begins and ends along the sweep. */
interface Schedule {
  readonly order: Iterable<number>
  readonly begins: Float64Array
  readonly ends: Float64Array
}

/**
 * A sweep in the direction of three in which it has the fewest edges open at once: along the axes alone it would not
 * separate slanted edges. Begins and ends are rounded down to whole steps, so that plain numbers are sorted.
 */
const quickSchedule = (sides: ReadonlyArray<SideEdges>, count: number): Schedule => {
  const tried = [[1, 0] as const, [0, 1] as const, acrossMost(sides)].map((way) => spansAlong(sides, count, way))
  const crowded = tried.map((spans) => crowding(sides, spans))
  const { begins, ends, least, most } = tried[crowded.indexOf(Math.min(...crowded))]!
  const steps = 2 ** 32 / (most - least)
  const keys = new Float64Array(sides.reduce((sum, { edges }) => sum + edges.length, 0))
  let i = 0
  for (const { base, edges } of sides) {
    for (const e of edges) {
      const j = base + e
      begins[j] = Math.floor((begins[j]! - least) * steps)
      ends[j] = Math.floor((ends[j]! - least) * steps)
      keys[i++] = begins[j]! * 2 ** 20 + j
    }
  }
  return { order: Int32Array.from(keys.sort(), (key) => key % 2 ** 20), begins, ends }
}

/** The sweep by which faults are named. */
const scheduleFromWest = (sides: ReadonlyArray<SideEdges>, count: number): Schedule => {
  const { begins, ends } = spansAlong(sides, count, [1, 0])
  const order = sides.flatMap(({ border: { ax, bx }, base, edges }) =>
    Array.from(edges, (e) => {
      begins[base + e] = Math.min(ax[e]!, bx[e]!) - TOUCHING_DISTANCE
      return base + e
    })
  )
  return { order: order.sort((i, j) => begins[i]! - begins[j]!), begins, ends }
}

/** Drops the edges that a sweep has passed, and says how many are left. */
const dropPassed = (open: Int32Array, count: number, base: number, ends: Float64Array, at: number): number => {
  let kept = 0
  for (let i = 0; i < count; i++) {
    const e = open[i]!
    if (ends[base + e]! >= at) open[kept++] = e
  }
  return kept
}

/**
 * Visits the pairs of edges that may touch or cross until a visit has seen enough, and says whether one has: pairs within
 * `one`, or, when another border is given, between the two (first an edge of `one`).
 *
 * It tries at most every pair, in a few nanoseconds each, and in a sweep only those that are open at once.
 */
export const visitNearPairs = (
  one: Border,
  other: Border | undefined,
  pairs: PairOrder,
  meter: WorkMeter,
  visit: Visit
): boolean => {
  const count = one.count + (other?.count ?? 0)
  meter.work += count
  const sides: ReadonlyArray<SideEdges> =
    other === undefined
      ? [{ border: one, base: 0, edges: allEdges(one) }]
      : [
          { border: one, base: 0, edges: edgesNear(one, other) },
          { border: other, base: one.count, edges: edgesNear(other, one) }
        ]
  const [first, met] = [sides[0]!, sides.at(-1)!]
  if (first.edges.length === 0 || met.edges.length === 0) return false
  const look: Visit = (e, f) => {
    meter.work += LOOKED_AT
    return visit(e, f)
  }

  if (pairs === "any" && first.edges.length * met.edges.length <= FEW_PAIRS) {
    meter.work += first.edges.length * met.edges.length
    return first.edges.some((e, i) =>
      tryEdge(first.border, e, met.border, met.edges, first === met ? i : met.edges.length, look)
    )
  }

  meter.work += count * SORTED
  const { order, begins, ends } = pairs === "any" ? quickSchedule(sides, count) : scheduleFromWest(sides, count)
  const lookBack: Visit = (f, e) => look(e, f)
  const open = sides.map(({ edges }) => ({ edges: new Int32Array(edges.length), count: 0 }))
  for (const i of order) {
    const own = i < one.count ? 0 : 1
    const facing = sides.length - 1 - own
    const { border, base } = sides[facing]!
    const { edges } = open[facing]!
    const kept = dropPassed(edges, open[facing]!.count, base, ends, begins[i]!)
    open[facing]!.count = kept
    meter.work += kept
    const e = i - sides[own]!.base
    if (tryEdge(sides[own]!.border, e, border, edges, kept, own === 0 ? look : lookBack)) return true
    open[own]!.edges[open[own]!.count++] = e
  }
  return false
}
