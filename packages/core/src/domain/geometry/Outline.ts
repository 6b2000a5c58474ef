import {
  type EdgeAt,
  type Polygons,
  type Position,
  type PositionAt,
  sideOf,
  TOUCHING_DISTANCE,
  touches
} from "./Position.ts"

/** A corner of a ring. */
export interface Vertex {
  readonly position: Position
  readonly at: PositionAt
}

/** A side of a ring, with the area's inside on its left. */
export interface Edge {
  readonly from: Vertex
  readonly to: Vertex
  /** The ring was drawn the other way round: faults still name the edge as it was drawn. */
  readonly reversed: boolean
}

/** One ring, without its repeated points. */
export type Outline = ReadonlyArray<Edge>

/** What a fault calls an edge. */
export const nameOf = ({ from, to, reversed }: Edge): EdgeAt =>
  reversed ? { from: to.at, to: from.at } : { from: from.at, to: to.at }

/** Twice the signed area in square degrees, seen from the first corner so that small rings keep their digits. */
const doubleArea = (vertices: ReadonlyArray<Vertex>): number => {
  const [x, y] = vertices[0]?.position ?? [0, 0]
  return vertices.reduce((sum, { position: [ax, ay] }, i) => {
    const [bx, by] = vertices[(i + 1) % vertices.length]!.position
    return sum + (ax - x) * (by - y) - (bx - x) * (ay - y)
  }, 0)
}

const verticesOf = (ring: ReadonlyArray<Position>, part: number, index: number): Array<Vertex> => {
  const vertices: Array<Vertex> = []
  ring.forEach((position, i) => {
    const last = vertices.at(-1)
    if (last === undefined || !touches(position, last.position)) vertices.push({ position, at: [part, index, i] })
  })
  while (vertices.length > 1 && touches(vertices[0]!.position, vertices.at(-1)!.position)) vertices.pop()
  return vertices
}

/**
 * A ring as edges. Consecutive points that touch count as one, so that a ring may come out with fewer than 3 edges, and
 * a point that is left out may lie as much as the touching distance off the border that is compared.
 */
const outlineOf = (ring: ReadonlyArray<Position>, part: number, index: number): Outline => {
  const vertices = verticesOf(ring, part, index)
  const reversed = doubleArea(vertices) > 0 !== (index === 0)
  if (reversed) vertices.reverse()
  return vertices.map((from, i) => ({ from, to: vertices[(i + 1) % vertices.length]!, reversed }))
}

/** Parts > rings, all with the inside of the area on the left: shells run counterclockwise and holes clockwise. */
export const outlinesOf = (polygons: Polygons): ReadonlyArray<ReadonlyArray<Outline>> =>
  polygons.map((rings, part) => rings.map((ring, index) => outlineOf(ring, part, index)))

/** Do two edges cross in a point that is an end of neither? Exact. */
export const crosses = (e: Edge, f: Edge): boolean => {
  const a = e.from.position
  const b = e.to.position
  const c = f.from.position
  const d = f.to.position
  return sideOf(a, b, c) * sideOf(a, b, d) < 0 && sideOf(c, d, a) * sideOf(c, d, b) < 0
}

/** An edge's box, grown so that the boxes of edges that touch meet. */
const boxOf = (edge: Edge, ofOther: boolean) => {
  const [a, b] = [edge.from.position, edge.to.position]
  return {
    edge,
    ofOther,
    west: Math.min(a[0], b[0]) - TOUCHING_DISTANCE,
    east: Math.max(a[0], b[0]),
    south: Math.min(a[1], b[1]) - TOUCHING_DISTANCE,
    north: Math.max(a[1], b[1])
  }
}

/**
 * The pairs of edges that may touch or cross, found by one sweep from west to east: within `one`, or, when `other` is
 * given, between the two (first an edge of `one`).
 */
export function* nearPairs(one: Outline, other?: Outline): Generator<readonly [Edge, Edge]> {
  const boxes = [...one.map((edge) => boxOf(edge, false)), ...(other ?? []).map((edge) => boxOf(edge, true))]
  const openOfOne: typeof boxes = []
  const openOfOther: typeof boxes = []
  for (const box of boxes.sort((a, b) => a.west - b.west)) {
    const own = box.ofOther ? openOfOther : openOfOne
    const open = other === undefined || box.ofOther ? openOfOne : openOfOther
    let kept = 0
    for (const met of open) {
      if (met.east < box.west) continue // The sweep has passed it: it is not kept.
      open[kept++] = met
      if (met.south <= box.north && box.south <= met.north) {
        yield met.ofOther ? [box.edge, met.edge] : [met.edge, box.edge]
      }
    }
    open.length = kept
    own.push(box)
  }
}

/** Do the outlines enclose a position, which is on none of them? Even-odd, with exact signs. */
export const encloses = (outlines: ReadonlyArray<Outline>, p: Position): boolean => {
  let inside = false
  for (const outline of outlines) {
    for (const { from, to } of outline) {
      const a = from.position
      const b = to.position
      const rises = b[1] > p[1]
      if (a[1] > p[1] === rises || (a[0] < p[0] && b[0] < p[0])) continue
      // The edge passes p in the east when p is left of it while it rises, or right of it while it falls.
      if (sideOf(a, b, p) > 0 === rises) inside = !inside
    }
  }
  return inside
}
