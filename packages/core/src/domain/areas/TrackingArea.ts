/** Tracking areas, from their text to the questions that the rules ask of them. The geometry itself is in `geometry/`. */
import * as Result from "effect/Result"
import * as Area from "./geometry/Area.ts"
import * as Bounds from "./geometry/Bounds.ts"
import type { TrackingAreaFault } from "./geometry/Fault.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import type { Polygons } from "./geometry/Position.ts"
import { readArea, readShape } from "./geometry/readArea.ts"
import * as Shape from "./geometry/Shape.ts"

export { type Bounds, boundsMeet } from "./geometry/Bounds.ts"
export {
  describeFault,
  type NotInside,
  type Overlap,
  type RelationFault,
  type TrackingAreaFault
} from "./geometry/Fault.ts"
export {
  type EdgeAt,
  type Polygons,
  type Position,
  type PositionAt,
  type RingAt,
  SHARED_DISTANCE,
  TOUCHING_DISTANCE
} from "./geometry/Position.ts"
export { MAX_POINTS, MAX_TEXT_BYTES } from "./geometry/Shape.ts"

/** A tracking area: the text exactly as it was given, and the polygons it stands for (spec: areas#well-formed). */
export interface TrackingArea {
  readonly text: string
  /** Parts > rings > closed positions, longitude first, without altitudes. */
  readonly polygons: Polygons
}

/** A text is not a well-formed tracking area. The fault says why, and where. */
export class TrackingAreaMalformed extends TaggedError(
  "TrackingAreaMalformed",
  "the text is no well-formed tracking area"
)<{ readonly fault: TrackingAreaFault }> {}

/**
 * Reads a tracking area from its text: GeoJSON (RFC 7946) of a Polygon, a MultiPolygon, a Feature of one, or a collection of exactly one, also
 * after a byte order mark; or the older clients' `{"Organizzazioni": [{"lat", "long"}, ...]}`.
 *
 * The area is well-formed: positions in range, at most {@link MAX_POINTS} of them as written; rings closed, and neither
 * crossing nor touching themselves or each other; holes inside their shell, parts apart; no edge spanning 180 degrees of
 * longitude. The text has at most {@link MAX_TEXT_BYTES} bytes. What is nearer than {@link TOUCHING_DISTANCE} touches; other areas share borders up to {@link SHARED_DISTANCE}. Never throws, whatever the text.
 */
export const parseTrackingArea = (text: string): Result.Result<TrackingArea, TrackingAreaMalformed> =>
  areaOf(text, readArea(text))

/** The same without the check of its borders, which takes long: they may cross or touch each other. */
export const readTrackingArea = (text: string): Result.Result<TrackingArea, TrackingAreaMalformed> =>
  areaOf(text, readShape(text))

const areaOf = (text: string, polygons: Shape.Read<Polygons>): Result.Result<TrackingArea, TrackingAreaMalformed> =>
  Shape.isFault(polygons)
    ? Result.fail(new TrackingAreaMalformed({ fault: polygons }))
    : Result.succeed({ text, polygons })

/**
 * The area of a text that was read before and kept: what a store hands out. Its polygons are read when they are first
 * asked for, since most who ask for an area want its text alone.
 */
export const keptTrackingArea = (text: string): TrackingArea => {
  let polygons: Polygons | undefined
  return {
    text,
    get polygons() {
      if (polygons) return polygons
      const read = Shape.readPolygons(text)
      if (Shape.isFault(read)) throw new TrackingAreaMalformed({ fault: read })
      return (polygons = read)
    }
  }
}

/**
 * The geodesic area in square metres (WGS84, edges straight in longitude and latitude), holes left out, parts added up.
 */
export const squareMetres = (area: TrackingArea): number => Area.squareMetres(area.polygons)

/** How many points the area has as it was written, over all its rings: what {@link MAX_POINTS} bounds. */
export const pointsOf = (area: TrackingArea): number => Shape.pointsOf(area.polygons)

/** The smallest box around the area. Areas whose bounds do not meet cannot overlap. */
export const boundsOf = (area: TrackingArea): Bounds.Bounds => Bounds.boundsOf(area.polygons)
