/** The JSON of what is wrong with a tracking area: which rule, and where in the coordinates. */
import type { EdgeAt, TrackingAreaFault } from "@sojourn/core"
import type * as Core from "@sojourn/core"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { known, WirePlaceId } from "../shared/fields.ts"

/** Where a fault is: a part, a ring, a position, or an edge, named as in the coordinates of the area, counted from 0. */
const WireMark = Schema.Struct({
  /** Whose coordinates: those of the area that was sent, of the organization's, or of the place's. */
  area: Schema.Literals(["sent", "organization", "place"]),
  /** `[part]`, `[part, ring]` or `[part, ring, position]`. */
  at: Schema.Array(Schema.Int),
  /** The other end of an edge. */
  to: known(Schema.Array(Schema.Int))
})

/** Why a tracking area is refused, for programs that show where. */
export const WireAreaFault = Schema.Struct({
  kind: Schema.String,
  /** The rule between two areas that is broken. */
  rule: known(Schema.Literals(["PlacesOverlap", "PlaceOutsideOrganization", "PlaceOutsidePlace"])),
  /** The place that the area overlaps, that would not be inside of it, or that it would not be inside of. */
  placeId: known(WirePlaceId),
  marks: Schema.Array(WireMark),
  /** How many bytes, points or square metres there are, and may be. */
  actual: known(Schema.Finite),
  limit: known(Schema.Finite)
}).annotate({ identifier: "AreaFault" })

type AreaFault = typeof WireAreaFault.Type
type Mark = typeof WireMark.Type

const markEdge = (area: Mark["area"], { from, to }: EdgeAt): Mark => ({ area, at: from, to })

const ofText = (fault: TrackingAreaFault): AreaFault => {
  const kind = fault._tag
  const marked = (...places: ReadonlyArray<ReadonlyArray<number>>): AreaFault => ({
    kind,
    marks: places.map((at) => ({ area: "sent", at }))
  })
  switch (fault._tag) {
    case "NotJson":
    case "UnknownShape":
      return marked()
    case "TextTooLong":
      return { kind, marks: [], actual: fault.bytes, limit: fault.limit }
    case "TooManyPoints":
      return { kind, marks: [], actual: fault.count, limit: fault.limit }
    case "TooFewPoints":
    case "RingNotClosed":
    case "RingWithoutArea":
      return marked(fault.ring)
    case "PositionOutOfRange":
    case "Spike":
      return marked(fault.at)
    case "EdgeTooLong":
      return { kind, marks: [markEdge("sent", fault.edge)] }
    case "EdgesCross":
    case "EdgesTouch":
      return { kind, marks: [markEdge("sent", fault.edge), markEdge("sent", fault.otherEdge)] }
    case "HoleOutsideShell":
      return marked(fault.hole)
    case "HoleInsideHole":
      return marked(fault.hole, fault.otherHole)
    case "PartInsidePart":
      return marked([fault.part], [fault.otherPart])
  }
}

type RelationRefusal = Core.PlaceOutsideOrganization | Core.PlaceOutsidePlace | Core.PlacesOverlap

const ofRelation = (
  { _tag: rule, fault }: RelationRefusal,
  edge: Mark["area"],
  otherEdge: Mark["area"],
  placeId?: Core.PlaceId
): AreaFault => ({
  kind: fault._tag,
  rule,
  placeId,
  marks: [
    ...("edge" in fault ? [markEdge(edge, fault.edge)] : []),
    ...("otherEdge" in fault ? [markEdge(otherEdge, fault.otherEdge)] : [])
  ]
})

/** The fault of a refused area. Of one that is refused as too complex or as one too many, no part is wrong. */
export const areaFaultOf = (
  refusal: Core.TrackingAreaMalformed | Core.TrackingAreaTooLarge | RelationRefusal
): AreaFault => {
  switch (refusal._tag) {
    case "TrackingAreaMalformed":
      return ofText(refusal.fault)
    case "TrackingAreaTooLarge":
      return { kind: "TooLarge", marks: [], actual: refusal.area, limit: refusal.maxArea }
    case "PlaceOutsideOrganization":
      // An area without a place was sent for one; with a place it was sent for the organization.
      return Option.match(refusal.placeId, {
        onNone: () => ofRelation(refusal, "sent", "organization"),
        onSome: (placeId) => ofRelation(refusal, "place", "sent", placeId)
      })
    case "PlaceOutsidePlace":
      return refusal.isParent
        ? ofRelation(refusal, "sent", "place", refusal.placeId)
        : ofRelation(refusal, "place", "sent", refusal.placeId)
    case "PlacesOverlap":
      return ofRelation(refusal, "place", "sent", refusal.placeId)
  }
}
