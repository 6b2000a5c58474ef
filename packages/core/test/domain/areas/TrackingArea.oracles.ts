/** The kernel's questions, put to JTS. */
import GeometryFactory from "jsts/org/locationtech/jts/geom/GeometryFactory.js"
import GeoJSONReader from "jsts/org/locationtech/jts/io/GeoJSONReader.js"
import DistanceOp from "jsts/org/locationtech/jts/operation/distance/DistanceOp.js"
import RelateOp from "jsts/org/locationtech/jts/operation/relate/RelateOp.js"
import IsValidOp from "jsts/org/locationtech/jts/operation/valid/IsValidOp.js"
import type { Polygons, Position } from "../../../src/domain/areas/TrackingArea.ts"

type Line = ReadonlyArray<Position>

const reader = new GeoJSONReader(new GeometryFactory())
const areaIn = (polygons: Polygons) => ({ type: "MultiPolygon", coordinates: polygons })
const lineIn = (line: Line) => ({ type: "LineString", coordinates: line })

const jtsArea = (polygons: Polygons) => reader.read(areaIn(polygons))
const jtsLine = (line: Line) => reader.read(lineIn(line))

export const jts = {
  isValid: (polygons: Polygons): boolean => IsValidOp.isValid(jtsArea(polygons)),
  /** Does the first area cover the other one, and do their insides meet? */
  relation: (one: Polygons, other: Polygons): { readonly covers: boolean; readonly overlap: boolean } => {
    const relation = RelateOp.relate(jtsArea(one), jtsArea(other))
    return { covers: relation.isCovers(), overlap: relation.matches("T********") }
  },
  coversLine: (outer: Polygons, line: Line): boolean => RelateOp.covers(jtsArea(outer), jtsLine(line)),
  entersInside: (area: Polygons, line: Line): boolean =>
    RelateOp.relate(jtsArea(area), jtsLine(line)).matches("T********"),
  distance: (one: Line, other: Line): number => DistanceOp.distance(jtsLine(one), jtsLine(other))
}

/** The specification is stricter than the OGC: no two rings of an area have a point in common. */
export const ringsApart = (polygons: Polygons): boolean => {
  const rings = polygons.flat()
  return rings.every((ring, i) => rings.slice(i + 1).every((other) => jts.distance(ring, other) > 0))
}
