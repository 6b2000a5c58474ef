/** Decides whether polygons are an area: no border crosses another, and every hole lies inside of its shell. */
import { type Border, borderOf, cornerTouches as cornerIsNear, crosses, encloses, nameOf, type Ring } from "./Border.ts"
import type { TrackingAreaFault } from "./Fault.ts"
import { visitNearPairs } from "./NearPairs.ts"
import { type EdgeAt, type Polygons, TOUCHING_DISTANCE } from "./Position.ts"

const cornerTouches = (border: Border, corner: number, edge: number): boolean =>
  cornerIsNear(border, corner, border, edge, TOUCHING_DISTANCE)

/** An edge of 180 degrees or more could as well run the other way round the earth. */
const LONGEST_EDGE = 180

const edgeTooLong = (polygons: Polygons): TrackingAreaFault | undefined => {
  for (const [part, rings] of polygons.entries()) {
    for (const [index, ring] of rings.entries()) {
      const to = ring.findIndex(([lng], i) => i > 0 && Math.abs(lng - ring[i - 1]![0]) >= LONGEST_EDGE)
      if (to > 0) return { _tag: "EdgeTooLong", edge: { from: [part, index, to - 1], to: [part, index, to] } }
    }
  }
  return undefined
}

const ringWithoutArea = (border: Border): TrackingAreaFault | undefined => {
  const ring = border.parts.flat().find(({ from, to }) => to - from < 3)
  return ring && { _tag: "RingWithoutArea", ring: ring.at }
}

const inDrawnOrder = (one: EdgeAt, other: EdgeAt) => {
  const [a, b] = [one.from, other.from]
  const order = a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
  return order <= 0 ? { edge: one, otherEdge: other } : { edge: other, otherEdge: one }
}

/** Edges that share a corner may meet there and nowhere else. */
const spike = (border: Border): TrackingAreaFault | undefined => {
  const { next, drawnAt } = border
  for (const { from, to, at } of border.parts.flat()) {
    for (let before = to - 1, edge = from; edge < to; before = edge++) {
      if (cornerTouches(border, before, edge) || cornerTouches(border, next[edge]!, before)) {
        return { _tag: "Spike", at: [...at, drawnAt[edge]!] }
      }
    }
  }
  return undefined
}

/** Two segments that do not cross are nearest to each other at an end of one of them. */
const edgesTouch = (border: Border, e: number, f: number): boolean =>
  cornerTouches(border, e, f) ||
  cornerTouches(border, border.next[e]!, f) ||
  cornerTouches(border, f, e) ||
  cornerTouches(border, border.next[f]!, e)

const edgesMeet = (border: Border): TrackingAreaFault | undefined => {
  const { next } = border
  let fault: TrackingAreaFault | undefined
  visitNearPairs(border, undefined, TOUCHING_DISTANCE, (e, f) => {
    if (next[e] === f || next[f] === e) return false
    const _tag = crosses(border, e, border, f) ? "EdgesCross" : edgesTouch(border, e, f) ? "EdgesTouch" : undefined
    if (_tag === undefined) return false
    fault = { _tag, ...inDrawnOrder(nameOf(border, e), nameOf(border, f)) }
    return true
  })
  return fault
}

/** Once no two rings meet, one corner says whether a ring lies within others: those of the edges `from` up to `to`. */
const liesInside = (border: Border, ring: Ring, from: number, to: number): boolean =>
  encloses(border, from, to, border.ax[ring.from]!, border.ay[ring.from]!)

const misplacedHole = (border: Border): TrackingAreaFault | undefined => {
  for (const [shell, ...holes] of border.parts) {
    for (const hole of holes) {
      if (!liesInside(border, hole, shell!.from, shell!.to)) return { _tag: "HoleOutsideShell", hole: hole.at }
      const around = holes.find((other) => other !== hole && liesInside(border, hole, other.from, other.to))
      if (around) return { _tag: "HoleInsideHole", hole: hole.at, otherHole: around.at }
    }
  }
  return undefined
}

/** A part in another part's hole is apart from it. */
const misplacedPart = (border: Border): TrackingAreaFault | undefined => {
  for (const [part, [shell]] of border.parts.entries()) {
    const otherPart = border.parts.findIndex(
      (rings, i) => i !== part && liesInside(border, shell!, rings[0]!.from, rings.at(-1)!.to)
    )
    if (otherPart >= 0) return { _tag: "PartInsidePart", part, otherPart }
  }
  return undefined
}

/**
 * Why closed rings of positions in range do not enclose an area: an edge is too long, a ring crosses or touches itself or
 * another, a hole is outside its shell or inside another hole, or a part is inside another.
 *
 * Stricter than the OGC's rules, which let a hole touch its shell, and parts each other, in single points.
 */
export const whyInvalid = (polygons: Polygons): TrackingAreaFault | undefined => {
  const tooLong = edgeTooLong(polygons)
  if (tooLong !== undefined) return tooLong
  const border = borderOf(polygons)
  return ringWithoutArea(border) ?? spike(border) ?? edgesMeet(border) ?? misplacedHole(border) ?? misplacedPart(border)
}
