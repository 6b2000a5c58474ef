/** Floors and rooms: which places lie inside which others, which must be apart, and which relations a change must compare. */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import {
  type PlaceArea,
  PlaceOutsideOrganization,
  PlaceOutsidePlace,
  PlacesOverlap,
  type RelationCheck
} from "../areas/AreaConstraints.ts"
import { type Bounds, boundsMeet, type RelationFault, type TrackingArea } from "../areas/TrackingArea.ts"
import type { PlaceId } from "../shared/Ids.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import { floorOf } from "./Floor.ts"
import type { Place } from "./Place.ts"

/** How many places may lie above one another, the outermost and the innermost included. */
export const MAX_PLACE_DEPTH = 8

/** Where a place stands among the places of its organization. */
export interface PlacePosition {
  /** The place's own level. */
  readonly level?: number | undefined
  /** The level in effect: its own, else that of the nearest ancestor that has one, else 0. */
  readonly floor: number
  /** The places that it is a part of, the outermost first and its parent last. */
  readonly ancestors: ReadonlyArray<PlaceId>
}

/** A stored place with its area and position. */
export interface PlaceRecord extends PlaceArea, PlacePosition {
  readonly bounds: Bounds
}

/** The organization has no place of this id that could be the parent (spec: organizations#hierarchy). */
export class ParentNotFound extends TaggedError("ParentNotFound", "the organization has no such parent place")<{
  readonly parentId: PlaceId
}> {}

/** The parent is the place itself or a part of it (spec: organizations#hierarchy). */
export class ParentInsidePlace extends TaggedError("ParentInsidePlace", "a place cannot be a part of itself")<{
  readonly parentId: PlaceId
}> {}

/** More than {@link MAX_PLACE_DEPTH} places would lie above one another. */
export class PlacesTooDeep extends TaggedError("PlacesTooDeep", "too many places would lie above one another")<{
  readonly maxDepth: number
}> {}

/** A place that has parts cannot be removed (spec: organizations#hierarchy). */
export class PlaceHasParts extends TaggedError("PlaceHasParts", "other places are parts of the place")<{
  readonly placeId: PlaceId
}> {}

/** Why a place cannot have a position. */
export type PositionRefusal = ParentNotFound | ParentInsidePlace | PlacesTooDeep

const parentOf = ({ ancestors }: PlacePosition): PlaceId | undefined => ancestors.at(-1)

const under = (parent: PlaceRecord | undefined, level: number | undefined): PlacePosition => ({
  level,
  floor: floorOf(level, parent?.floor),
  ancestors: parent === undefined ? [] : [...parent.ancestors, parent.id]
})

const isSamePosition = (one: PlacePosition, other: PlacePosition): boolean =>
  one.floor === other.floor && String(one.ancestors) === String(other.ancestors)

const requireDepth = ({ ancestors }: PlacePosition): Result.Result<void, PlacesTooDeep> =>
  ancestors.length < MAX_PLACE_DEPTH ? Result.void : Result.fail(new PlacesTooDeep({ maxDepth: MAX_PLACE_DEPTH }))

/** The descendants of a place, each after its parent. */
const descendantsOf = (placeId: PlaceId, records: ReadonlyArray<PlaceRecord>) =>
  records
    .filter(({ ancestors }) => ancestors.includes(placeId))
    .sort((one, other) => one.ancestors.length - other.ancestors.length)

/**
 * The position of a place under the parent and with the level that it shall have. `records` has at least the parent, and for a place
 * that exists (`self`) its descendants if the parent or the level changes.
 */
export const positionOf = (
  { parentId, level }: Pick<Place, "parentId" | "level">,
  records: ReadonlyArray<PlaceRecord>,
  self?: PlaceId
): Result.Result<PlacePosition, PositionRefusal> => {
  if (parentId === undefined) return Result.succeed(under(undefined, level))
  if (parentId === self) return Result.fail(new ParentInsidePlace({ parentId }))
  const parent = records.find(({ id }) => id === parentId)
  if (parent === undefined) return Result.fail(new ParentNotFound({ parentId }))
  if (self !== undefined && parent.ancestors.includes(self)) return Result.fail(new ParentInsidePlace({ parentId }))
  const position = under(parent, level)
  return Result.map(requireDepth(position), () => position)
}

/** The descendants of a place that have another position once the place has `position`, in the order of `records`. */
export const moveDescendants = (
  self: PlaceRecord,
  position: PlacePosition,
  records: ReadonlyArray<PlaceRecord>
): Result.Result<ReadonlyArray<PlaceRecord>, PlacesTooDeep> => {
  if (isSamePosition(self, position)) return Result.succeed([])
  const moved = new Map<PlaceId, PlaceRecord>([[self.id, { ...self, ...position }]])
  for (const record of descendantsOf(self.id, records)) {
    const next = under(moved.get(parentOf(record)!), record.level)
    const depth = requireDepth(next)
    if (Result.isFailure(depth)) return Result.fail(depth.failure)
    moved.set(record.id, { ...record, ...next })
  }
  return Result.succeed(
    records.flatMap(({ id, ...before }) =>
      moved.has(id) && !isSamePosition(before, moved.get(id)!) ? moved.get(id)! : []
    )
  )
}

/** A place with its position. A new place has no id. */
interface Placed extends PlacePosition {
  readonly id: PlaceId | undefined
  readonly bounds: Bounds
}

/** A place that changes. `before` is none for a new area, which was compared with no other. */
const moveOf = (before: PlaceRecord | undefined, after: Placed, subject: PlaceRecord | undefined) => ({
  before,
  after,
  subject,
  isOnNewFloor: before?.floor !== after.floor
})

const isPartOf = ({ ancestors }: Placed, { id }: Placed): boolean => id !== undefined && ancestors.includes(id)

/** Whether the areas of two places may share no more than a border. */
const mustBeApart = (one: Placed, other: Placed): boolean =>
  one.floor === other.floor && !isPartOf(one, other) && !isPartOf(other, one)

/** A place as it will be: what decides which other places it depends on. */
export interface PlaceOutline extends Pick<Place, "level" | "parentId"> {
  readonly bounds: Bounds
}

/**
 * The places that a new place or a change of the place `self` depends on, among all others of the organization: the parent, the children,
 * and those on its floor whose bounds meet its own; with another level or parent (`isPositioned`) also all descendants and the former
 * ancestors. What they come to meet lies within the bounds of the place, as its descendants do.
 */
export const nearPlaces = (
  records: ReadonlyArray<PlaceRecord>,
  { bounds, parentId, level }: PlaceOutline,
  self?: PlaceRecord,
  isPositioned = false
): ReadonlyArray<PlaceRecord> => {
  const floor = floorOf(level, records.find(({ id }) => id === parentId)?.floor)
  const isTied = (other: PlaceRecord) =>
    self !== undefined &&
    (parentOf(other) === self.id || (isPositioned && (isPartOf(other, self) || isPartOf(self, other))))
  return records.filter(
    (other) => other.id === parentId || isTied(other) || (other.floor === floor && boundsMeet(other.bounds, bounds))
  )
}

/** A change of a place, or a new place. */
export interface PlaceMove {
  /** The stored place; none for a new one. */
  readonly self: PlaceRecord | undefined
  /** The position after the change. */
  readonly position: PlacePosition
  /** The bounds of the new area; none where the area stays as it is. */
  readonly bounds: Bounds | undefined
  /** The descendants by {@link moveDescendants}. */
  readonly descendants: ReadonlyArray<PlaceRecord>
}

/**
 * The relations between places that a change must compare: those that it requires, and that did not hold before for the same areas. That
 * the place lies inside its organization is not among them.
 *
 * `records` are other places of the organization as they are stored: the `near` of `PlaceFacts`, or more.
 */
export const relationsOf = (
  { self, position, bounds, descendants }: PlaceMove,
  records: ReadonlyArray<PlaceRecord>
): ReadonlyArray<RelationCheck> => {
  const isNew = bounds !== undefined
  const subject = isNew ? undefined : self
  const parentId = parentOf(position)
  const parent = records.find(({ id }) => id === parentId)
  const inside: ReadonlyArray<RelationCheck> =
    parent !== undefined && (isNew || self === undefined || parentOf(self) !== parentId)
      ? [{ relation: "inside", subject, other: parent }]
      : []
  const around = isNew && self !== undefined ? records.filter((record) => parentOf(record) === self.id) : []

  const stored = new Map(records.map((record) => [record.id, record]))
  const moves = [
    moveOf(isNew ? undefined : self, { ...position, id: self?.id, bounds: bounds ?? self!.bounds }, subject),
    ...descendants.map((after) => moveOf(stored.get(after.id), after, stored.get(after.id)))
  ]
  const moved = new Map(moves.map((move, order) => [move.after.id, { ...move, order }]))
  const byFloor = Map.groupBy(records, ({ id, floor }) => moved.get(id)?.after.floor ?? floor)
  const apart = moves.flatMap(({ before, after, subject: mover, isOnNewFloor }, order) => {
    // A place that stays on its floor was apart from all but its ancestors there.
    const lost = before?.ancestors.filter((id) => !after.ancestors.includes(id)) ?? []
    const candidates = isOnNewFloor ? (byFloor.get(after.floor) ?? []) : lost.map((id) => stored.get(id)!)
    return candidates.flatMap((other): ReadonlyArray<RelationCheck> => {
      const move = moved.get(other.id)
      // A pair of two places that come to a floor is compared once, for the first of them.
      if (move?.isOnNewFloor === true && move.order <= order) return []
      const isRequired =
        boundsMeet(after.bounds, other.bounds) &&
        mustBeApart(after, move?.after ?? other) &&
        (before === undefined || !mustBeApart(before, other))
      return isRequired ? [{ relation: "apart", subject: mover, other }] : []
    })
  })
  return [...inside, ...around.map((other): RelationCheck => ({ relation: "around", subject, other })), ...apart]
}

/** Why a place cannot have an area beside the others. */
export type PlaceConflict = PlaceOutsideOrganization | PlaceOutsidePlace | PlacesOverlap

/** The refusal of a change of a place after which two areas do not have a relation. */
export const placeConflict = (
  { relation, other: { id: placeId } }: RelationCheck,
  fault: RelationFault
): PlaceConflict => {
  if (placeId === undefined) return new PlaceOutsideOrganization({ placeId: Option.none(), fault })
  if (relation === "apart") return new PlacesOverlap({ placeId, fault })
  return new PlaceOutsidePlace({ placeId, isParent: relation === "inside", fault })
}

/** The {@link relationsOf} a change among the places `near`, with that of a new area to the organization's. */
export const placeRelations = (
  { organizationArea, near }: { readonly organizationArea: TrackingArea; readonly near: ReadonlyArray<PlaceRecord> },
  move: PlaceMove
): ReadonlyArray<RelationCheck> => [
  ...(move.bounds === undefined
    ? []
    : [{ relation: "inside" as const, subject: undefined, other: { id: undefined, trackingArea: organizationArea } }]),
  ...relationsOf(move, near)
]
