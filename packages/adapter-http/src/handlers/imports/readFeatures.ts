/** Reads the features of a GeoJSON FeatureCollection from the text of a body, in portions. */
import {
  CapacityNumber,
  DEFAULT_WARN_AT,
  FeatureInvalid,
  featureNameOf,
  featureNumberOf,
  makeFeatureReader,
  MAX_FEATURES,
  readTrackingArea,
  type PlaceFeature,
  PlaceName
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { BadRequest } from "../../api/shared/refusals.ts"
import { WireLevel } from "../../wire/shared/fields.ts"

/** How many characters are read before the event loop serves other requests. */
const PORTION = 32_768

/** The longest text of a feature: more than an area may have. */
const LONGEST_FEATURE = 1_048_576

type FeatureRead = Result.Result<PlaceFeature, FeatureInvalid>

const invalid = (reason: string): FeatureRead => Result.fail(new FeatureInvalid({ reason }))

const isName = Schema.is(PlaceName)
const isLevel = Schema.is(Schema.toType(WireLevel))
const isCapacity = Schema.is(CapacityNumber)

/** Reads a feature of JSON. */
const readFeature = (json: unknown): FeatureRead => {
  if (!Predicate.isObject(json) || json.type !== "Feature") return invalid("It is no Feature.")
  const { geometry, id, crs } = json
  if (!Predicate.isObject(geometry)) return invalid("It has no geometry.")
  if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") {
    return invalid("Its geometry is neither a Polygon nor a MultiPolygon.")
  }
  const properties = Predicate.isObject(json.properties) ? json.properties : {}
  const given = (name: string) => properties[name] ?? undefined
  const [name, parent] = [given("name"), given("parent")]
  const [level, capacity] = [featureNumberOf(given("level")), featureNumberOf(given("capacity"))]
  if (name !== undefined && !isName(name)) return invalid("Its name is no text of at most 128 characters.")
  if (level !== undefined && !isLevel(level)) return invalid("Its level is no integer from -100 to 300.")
  if (parent !== undefined && featureNameOf(parent) === undefined)
    return invalid("Its parent is neither a text nor a number.")
  if (capacity !== undefined && !isCapacity(capacity))
    return invalid("Its capacity is no integer from 1 to 10,000,000.")
  return Result.succeed({
    id: featureNameOf(id),
    name,
    level,
    parent: featureNameOf(parent),
    capacity: capacity === undefined ? undefined : { capacity, warnAt: DEFAULT_WARN_AT },
    // A system of coordinates that the feature names is one that its area may not have.
    trackingArea: JSON.stringify(crs === undefined || crs === null ? geometry : { crs, ...geometry })
  })
}

/** A well-formed area. */
const PROBE = {
  type: "Polygon",
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 0]
    ]
  ]
}

/** Whether the system of coordinates of a collection is one that an area may have. */
const isOfKnownSystem = (crs: unknown): boolean =>
  crs === undefined || crs === null || Result.isSuccess(readTrackingArea(JSON.stringify({ ...PROBE, crs })))

/** Reads the features of a collection. Between portions of it the event loop serves other requests. */
export const readFeatures = Effect.fnUntraced(function* (
  text: string
): Effect.fn.Return<ReadonlyArray<FeatureRead>, BadRequest> {
  const { read, end } = makeFeatureReader()
  const features: Array<FeatureRead> = []
  for (let at = 0; at < text.length; at += PORTION) {
    if (at > 0) yield* Effect.yieldNow
    for (const feature of read(text.slice(at, at + PORTION))) {
      if (features.length === MAX_FEATURES) {
        return yield* new BadRequest({ detail: `A collection has at most ${MAX_FEATURES} features.` })
      }
      if (feature.length > LONGEST_FEATURE) {
        features.push(invalid(`It is longer than ${LONGEST_FEATURE} characters.`))
        continue
      }
      let json: unknown
      try {
        json = JSON.parse(feature)
      } catch {
        return yield* new BadRequest({ detail: "Expected a valid JSON body" })
      }
      features.push(readFeature(json))
    }
  }
  const collection = end()
  if ("fault" in collection) return yield* new BadRequest({ detail: String(collection["fault"]) })
  if (!isOfKnownSystem(collection["crs"])) {
    return yield* new BadRequest({ detail: "The collection has a crs of another system than WGS 84." })
  }
  return features
})
