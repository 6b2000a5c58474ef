/** Why a text is no area, or two areas do not relate as they must: as values, and as sentences for the caller. */
import type { EdgeAt, PositionAt, RingAt } from "./Position.ts"

/** What stood where something else was needed. */
export type ExpectedShape =
  | "area"
  | "type"
  | "geometry"
  | "feature"
  | "single"
  | "system"
  | "list"
  | "position"
  | "point"

/** Why a text is not a tracking area, as data. Places are named as in the coordinates that were given, from 0. */
export type TrackingAreaFault =
  | { readonly _tag: "TextTooLong"; readonly bytes: number; readonly limit: number }
  | { readonly _tag: "NotJson" }
  | { readonly _tag: "UnknownShape"; readonly path: ReadonlyArray<string | number>; readonly expected: ExpectedShape }
  | { readonly _tag: "TooManyPoints"; readonly count: number; readonly limit: number }
  | { readonly _tag: "TooFewPoints"; readonly ring: RingAt; readonly count: number; readonly least: number }
  | { readonly _tag: "PositionOutOfRange"; readonly at: PositionAt }
  | { readonly _tag: "RingNotClosed"; readonly ring: RingAt }
  | { readonly _tag: "EdgeTooLong"; readonly edge: EdgeAt }
  | { readonly _tag: "RingWithoutArea"; readonly ring: RingAt }
  | { readonly _tag: "Spike"; readonly at: PositionAt }
  | { readonly _tag: "EdgesCross"; readonly edge: EdgeAt; readonly otherEdge: EdgeAt }
  | { readonly _tag: "EdgesTouch"; readonly edge: EdgeAt; readonly otherEdge: EdgeAt }
  | { readonly _tag: "HoleOutsideShell"; readonly hole: RingAt }
  | { readonly _tag: "HoleInsideHole"; readonly hole: RingAt; readonly otherHole: RingAt }
  | { readonly _tag: "PartInsidePart"; readonly part: number; readonly otherPart: number }

/** Why an area does not lie inside another: `edge` is its own, `otherEdge` the outer area's. */
export type NotInside =
  | { readonly _tag: "BordersCross"; readonly edge: EdgeAt; readonly otherEdge: EdgeAt }
  | { readonly _tag: "EdgeOutside"; readonly edge: EdgeAt }
  | { readonly _tag: "BackToBack"; readonly edge: EdgeAt; readonly otherEdge: EdgeAt }
  | { readonly _tag: "GapCovered"; readonly otherEdge: EdgeAt }

/** Why two areas overlap: `edge` is of the first, `otherEdge` of the second. */
export type Overlap =
  | { readonly _tag: "BordersCross"; readonly edge: EdgeAt; readonly otherEdge: EdgeAt }
  | { readonly _tag: "SideBySide"; readonly edge: EdgeAt; readonly otherEdge: EdgeAt }
  | { readonly _tag: "EdgeInside"; readonly edge: EdgeAt }
  | { readonly _tag: "OtherEdgeInside"; readonly otherEdge: EdgeAt }

/** Why two areas do not lie as they must. */
export type RelationFault = NotInside | Overlap

const EXPECTED: Record<ExpectedShape, string> = {
  area: 'a GeoJSON Polygon or MultiPolygon, a Feature or collection of one, or an object with a list "Organizzazioni"',
  type: 'one of "Polygon", "MultiPolygon", "Feature", "FeatureCollection" and "GeometryCollection"',
  geometry: "a Polygon or MultiPolygon geometry",
  feature: "a Feature",
  single: "a list of exactly one",
  system: "WGS 84: leave it out, or name EPSG:4326 or CRS84",
  list: "a list that is not empty",
  position: "a position: two or more finite numbers, longitude first",
  point: 'a point with "lat" and "long", each a number or a decimal number in a string'
}

const place = (at: PositionAt | RingAt): string => `[${at.join(", ")}]`
const edge = ({ from, to }: EdgeAt): string => `the edge from ${place(from)} to ${place(to)}`
const pathOf = (path: ReadonlyArray<string | number>): string =>
  path.reduce<string>((text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text}.${key}`), "$")

const sentence = (fault: TrackingAreaFault | RelationFault): string => {
  switch (fault._tag) {
    case "TextTooLong":
      return `the text has ${fault.bytes} bytes, and at most ${fault.limit} are allowed`
    case "NotJson":
      return "the text is not JSON"
    case "UnknownShape":
      return `${pathOf(fault.path)} is not ${EXPECTED[fault.expected]}`
    case "TooManyPoints":
      return `the area has ${fault.count} points, and at most ${fault.limit} are allowed`
    case "TooFewPoints":
      return `ring ${place(fault.ring)} has ${fault.count} points, and needs at least ${fault.least}`
    case "PositionOutOfRange":
      return `position ${place(fault.at)} is outside longitude -180 to 180 and latitude -90 to 90`
    case "RingNotClosed":
      return `ring ${place(fault.ring)} is not closed: its last position differs from its first`
    case "EdgeTooLong":
      return `${edge(fault.edge)} spans 180 degrees of longitude or more`
    case "RingWithoutArea":
      return `ring ${place(fault.ring)} has fewer than three distinct points, so it encloses nothing`
    case "Spike":
      return `the ring turns back on itself at position ${place(fault.at)}`
    case "EdgesCross":
      return `${edge(fault.edge)} crosses ${edge(fault.otherEdge)}`
    case "EdgesTouch":
      return `${edge(fault.edge)} touches ${edge(fault.otherEdge)}`
    case "HoleOutsideShell":
      return `hole ${place(fault.hole)} lies outside its shell`
    case "HoleInsideHole":
      return `hole ${place(fault.hole)} lies inside hole ${place(fault.otherHole)}`
    case "PartInsidePart":
      return `part ${fault.part} lies inside part ${fault.otherPart}`
    case "BordersCross":
      return `${edge(fault.edge)} crosses the other area's border, ${edge(fault.otherEdge)}`
    case "EdgeOutside":
      return `${edge(fault.edge)} lies outside the other area`
    case "BackToBack":
      return `${edge(fault.edge)} runs along the outside of the other area's border, ${edge(fault.otherEdge)}`
    case "GapCovered":
      return `the area covers a gap of the other area at its border, ${edge(fault.otherEdge)}`
    case "SideBySide":
      return `${edge(fault.edge)} runs along the inside of the other area's border, ${edge(fault.otherEdge)}`
    case "EdgeInside":
      return `${edge(fault.edge)} lies inside the other area`
    case "OtherEdgeInside":
      return `the other area lies inside this one at its border, ${edge(fault.otherEdge)}`
  }
}

/** One sentence for the author of the area. Places are named `[part, ring, position]`, counted from 0. */
export const describeFault = (fault: TrackingAreaFault | RelationFault): string => {
  const text = sentence(fault)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
