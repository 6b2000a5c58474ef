/** Texts of tracking areas, and what is read from them. */
import { Result } from "effect"
import { type AreaRelation, checkAreas } from "../../../src/domain/areas/AreaChecks.ts"
import * as Area from "../../../src/domain/areas/TrackingArea.ts"
import * as Relation from "../../../src/domain/areas/geometry/Relation.ts"
import type { Position, TrackingArea, TrackingAreaFault } from "../../../src/domain/areas/TrackingArea.ts"

export type Ring = ReadonlyArray<Position>

export const polygon = (...rings: ReadonlyArray<ReadonlyArray<ReadonlyArray<unknown>>>) =>
  JSON.stringify({ type: "Polygon", coordinates: rings })
export const multi = (...parts: ReadonlyArray<ReadonlyArray<Ring>>) =>
  JSON.stringify({ type: "MultiPolygon", coordinates: parts })
export const older = (...points: ReadonlyArray<readonly [lat: unknown, long: unknown]>) =>
  JSON.stringify({ Organizzazioni: points.map(([lat, long]) => ({ lat, long })) })

/** The positions of a ring as they are given, closed or not. */
export const points = (...positions: ReadonlyArray<ReadonlyArray<unknown>>) => positions

/** A closed ring of the corners given. */
export const ring = (...corners: ReadonlyArray<Position>): Ring => [...corners, corners[0]!]
export const rect = (x0: number, y0: number, x1: number, y1: number): Ring =>
  ring([x0, y0], [x1, y0], [x1, y1], [x0, y1])

export const areaOf = (text: string) => Result.getOrThrow(Area.parseTrackingArea(text))
export const faultOf = (text: string): TrackingAreaFault | undefined => {
  const result = Area.parseTrackingArea(text)
  return Result.isFailure(result) ? result.failure.fault : undefined
}

export const whyNotInside = (outer: TrackingArea, inner: TrackingArea) =>
  Relation.whyNotInside(outer.polygons, inner.polygons)
export const whyOverlap = (one: TrackingArea, other: TrackingArea) => Relation.whyOverlap(one.polygons, other.polygons)

/** The conflict of a stored area with the first of others to which it does not have the relation. */
export const firstConflict = (area: string, relation: AreaRelation, others: ReadonlyArray<string>) => {
  const relations = others.map((_, index) => ({ relation, subject: 0, other: index + 1 }))
  const steps = checkAreas({ area: undefined, stored: [area, ...others], relations })
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value?._tag === "Conflict" ? step.value : undefined
}

/** A circle of `count` positions, the closing one among them. */
export const circle = (count: number): Ring =>
  ring(
    ...Array.from({ length: count - 1 }, (_, i): Position => {
      const direction = (2 * Math.PI * i) / (count - 1)
      return [11.87 + 0.02 * Math.cos(direction), 45.4 + 0.02 * Math.sin(direction)]
    })
  )

export const SQUARE = rect(0, 0, 4, 4)
