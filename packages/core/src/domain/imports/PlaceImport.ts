/** Places that are imported together: their order, and the rules that each of them must respect beside the others. */
import * as Result from "effect/Result"
import {
  type AreaLimits,
  type AreaTooComplex,
  areaWeight,
  type PlacesTooDetailed,
  type RelationCheck,
  type TooManyPlaces,
  withinAreaLimits
} from "../areas/AreaConstraints.ts"
import { boundsOf, readTrackingArea, type TrackingArea, type TrackingAreaMalformed } from "../areas/TrackingArea.ts"
import type { Capacity } from "../feed/Capacity.ts"
import type { NewPlace } from "../organizations/Place.ts"
import {
  nearPlaces,
  type PlaceConflict,
  ParentInsidePlace,
  type PlacePosition,
  placeRelations,
  type PlaceRecord,
  positionOf,
  type PositionRefusal
} from "../organizations/PlaceHierarchy.ts"
import { type OrganizationId, LARGEST_ISSUED_ID, type PlaceId } from "../shared/Ids.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** The most features of one import. */
export const MAX_FEATURES = 2_000

/** A feature does not say what place it stands for. */
export class FeatureInvalid extends TaggedError("FeatureInvalid", "the feature stands for no place")<{
  /** Why, as a sentence. */
  readonly reason: string
}> {}

/** A place as a feature describes it. */
export interface PlaceFeature {
  /** The `id` of the feature. */
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly level?: number | undefined
  /** The `id` or the name of another feature, or the digits of a `PlaceId`. */
  readonly parent?: string | undefined
  readonly capacity?: Capacity | undefined
  readonly trackingArea: string
}

/** Why a feature becomes no place. */
export type FeatureRefusal =
  | FeatureInvalid
  | PositionRefusal
  | TooManyPlaces
  | PlacesTooDetailed
  | TrackingAreaMalformed
  | AreaTooComplex
  | PlaceConflict

/** A refused feature, by its index. */
export interface RefusedFeature {
  readonly feature: number
  readonly refusal: FeatureRefusal
}

/** A place that is to be created. Other new places are named by their {@link plannedId}. */
export interface PlannedPlace {
  readonly feature: number
  readonly id: PlaceId
  readonly place: NewPlace
  readonly position: PlacePosition
  readonly capacity?: Capacity | undefined
}

/** What becomes of the features: the places in the order of creation, and the refused ones in that of the features. */
export interface PlacesPlan {
  readonly places: ReadonlyArray<PlannedPlace>
  readonly refused: ReadonlyArray<RefusedFeature>
}

/** The id of the place of a feature until the store issues one. No place has such an id. */
export const plannedId = (feature: number): PlaceId => BigInt(-1 - feature) as PlaceId

/** The feature of a {@link plannedId}; undefined for the id of a place. */
export const plannedFeature = (id: PlaceId): number | undefined => (id < 0n ? Number(-1n - id) : undefined)

/** The areas that must be compared before a place can be planned. */
export interface AreaQuestion {
  readonly feature: number
  readonly area: TrackingArea
  readonly relations: ReadonlyArray<RelationCheck>
}

/** The answer: why the area is refused, if it is. */
export type AreaAnswer = TrackingAreaMalformed | AreaTooComplex | PlaceConflict | undefined

/** What new places are decided on. */
export interface PlacesFacts {
  readonly organizationId: OrganizationId
  readonly organizationArea: TrackingArea
  /** All places of the organization. */
  readonly places: ReadonlyArray<PlaceRecord>
  /** The sum of the weights of their areas. */
  readonly points: number
  readonly limits: AreaLimits
}

type FeatureRead = Result.Result<PlaceFeature, FeatureInvalid>

const invalid = (reason: string) => new FeatureInvalid({ reason })

/** What features are named by, and name their parents by. */
export type FeatureNames = Pick<PlaceFeature, "id" | "name" | "parent">

/** What names a feature, or its parent: a text, or a number as its text. */
export const featureNameOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined

/** The number of a property, which may be a text, as editors of maps keep it; another value as it is. */
export const featureNumberOf = (value: unknown): unknown =>
  typeof value === "string" && /^\s*-?\d{1,9}\s*$/.test(value) ? Number(value) : value

/** The parent of a feature: another feature, or a place; none: the feature has none. */
export type FeatureParent = { readonly feature: number } | { readonly placeId: PlaceId } | undefined

/** Makes the function that finds the parent of a feature: another feature by its `id` or else by its name, or else a place. */
const makeParentOf = (features: ReadonlyArray<FeatureNames | undefined>) => {
  const [byId, byName] = [
    Map.groupBy(features.keys(), (feature) => features[feature]?.id),
    Map.groupBy(features.keys(), (feature) => features[feature]?.name)
  ]
  return (feature: number): Result.Result<FeatureParent, FeatureInvalid> => {
    const parent = features[feature]?.parent
    if (parent === undefined) return Result.succeed(undefined)
    for (const [what, known] of [["id", byId] as const, ["name", byName] as const]) {
      const [found, ...others] = (known.get(parent) ?? []).filter((other) => other !== feature)
      if (others.length > 0) return Result.fail(invalid(`Several features have the ${what} that is its parent.`))
      if (found !== undefined) return Result.succeed({ feature: found })
    }
    const isId = /^[1-9]\d{0,15}$/.test(parent) && BigInt(parent) <= LARGEST_ISSUED_ID
    return isId
      ? Result.succeed({ placeId: BigInt(parent) as PlaceId })
      : Result.fail(invalid("Its parent is neither another feature nor a placeId."))
  }
}

/** The places by their floors, which may be many. */
const makeFloors = (places: ReadonlyArray<PlaceRecord>) => {
  const byId = new Map<PlaceId, PlaceRecord>()
  const byFloor = new Map<number, Array<PlaceRecord>>()
  const add = (place: PlaceRecord) => {
    byId.set(place.id, place)
    const floor = byFloor.get(place.floor)
    if (floor === undefined) byFloor.set(place.floor, [place])
    else floor.push(place)
  }
  for (const place of places) add(place)
  return { byId, byFloor, add }
}

/** Features with their parents, and an order in which each follows its parent. */
export interface OrderedFeatures {
  readonly parents: ReadonlyArray<Result.Result<FeatureParent, FeatureInvalid>>
  /** The feature that is the parent, if one is. */
  readonly above: ReadonlyArray<number | undefined>
  /** Features that are parts of themselves, and their parts, are left out. */
  readonly order: ReadonlyArray<number>
}

/** Finds the parents of features, of which those that cannot be read are undefined, and orders them. */
export const orderFeatures = (features: ReadonlyArray<FeatureNames | undefined>): OrderedFeatures => {
  const parentOf = makeParentOf(features)
  const parents = Array.from(features.keys(), parentOf)
  const above = parents.map((parent) => {
    const found = Result.getOrUndefined(parent)
    return found !== undefined && "feature" in found ? found.feature : undefined
  })
  const parts = Map.groupBy(above.keys(), (feature) => above[feature])
  const order = [...(parts.get(undefined) ?? [])]
  for (let n = 0; n < order.length; n++) order.push(...(parts.get(order[n]!) ?? []))
  return { parents, above, order }
}

/**
 * Plans the places of features, each after its parent, by the rules of a single new place (spec: imports#places). It asks for the comparison of
 * each area with those of the organization and of the places planned before. A refused feature is in the way of no other.
 */
export const planPlaces = function* (
  features: ReadonlyArray<FeatureRead>,
  { organizationId, organizationArea, places, points, limits }: PlacesFacts
): Generator<AreaQuestion, PlacesPlan, AreaAnswer> {
  const floors = makeFloors(places)
  const planned: Array<PlannedPlace> = []
  const totals = { places: places.length, points }

  /** Plans the place of a feature. */
  const plan = function* (
    feature: number,
    { trackingArea: text, name, level, capacity }: PlaceFeature,
    parentId: PlaceId | undefined
  ): Generator<AreaQuestion, FeatureRefusal | undefined, AreaAnswer> {
    const read = readTrackingArea(text)
    if (Result.isFailure(read)) return read.failure
    const area = read.success
    const bounds = boundsOf(area)
    const parent = parentId === undefined ? undefined : floors.byId.get(parentId)
    const found = positionOf({ parentId, level }, parent === undefined ? [] : [parent])
    if (Result.isFailure(found)) return found.failure
    const position = found.success
    const allowed = withinAreaLimits(area, totals, limits)
    if (Result.isFailure(allowed)) return allowed.failure
    const floor = (floors.byFloor.get(position.floor) ?? []).filter((other) => other !== parent)
    const near = nearPlaces(parent === undefined ? floor : [parent, ...floor], { bounds, parentId, level })
    const move = { self: undefined, position, bounds, descendants: [] }
    const refusal = yield { feature, area, relations: placeRelations({ organizationArea, near }, move) }
    if (refusal !== undefined) return refusal
    const id = plannedId(feature)
    floors.add({ id, trackingArea: area, bounds, ...position })
    totals.places++
    totals.points += areaWeight(area)
    planned.push({
      feature,
      id,
      place: { organizationId, name, trackingArea: area, level, parentId },
      position,
      capacity
    })
    return undefined
  }

  const { parents, above: parentFeatures, order } = orderFeatures(features.map(Result.getOrUndefined))
  const refusals = new Map<number, FeatureRefusal>()
  for (const feature of order) {
    const [read, parent] = [features[feature]!, parents[feature]!]
    const above = parentFeatures[feature]
    const refusal = Result.isFailure(read)
      ? read.failure
      : Result.isFailure(parent)
        ? parent.failure
        : above !== undefined && refusals.has(above)
          ? invalid(`Its parent, feature ${above}, is refused.`)
          : yield* plan(
              feature,
              read.success,
              above === undefined
                ? (parent.success as { readonly placeId: PlaceId } | undefined)?.placeId
                : plannedId(above)
            )
    if (refusal !== undefined) refusals.set(feature, refusal)
  }
  const ordered = new Set(order)
  const refused = Array.from(features.keys()).flatMap((feature): ReadonlyArray<RefusedFeature> => {
    const refusal = ordered.has(feature)
      ? refusals.get(feature)
      : new ParentInsidePlace({ parentId: plannedId(parentFeatures[feature]!) })
    return refusal === undefined ? [] : [{ feature, refusal }]
  })
  return { places: planned, refused }
}
