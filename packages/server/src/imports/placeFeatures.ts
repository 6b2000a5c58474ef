/** The features of a file of places, in requests that follow each other: each feature after its parent, and without those that are there. */
import { featureNameOf, featureNumberOf, makeFeatureReader, MAX_FEATURES, orderFeatures } from "@sojourn/core"
import { Predicate, Result } from "effect"
import { createReadStream } from "node:fs"

/** The most bytes of a request: a little less than it may have. */
const MOST_TEXT = 7_500_000

/** A place of the organization, as it is listed. */
export interface ListedPlace {
  readonly id: bigint
  readonly name: string
  readonly trackingArea: string
  readonly level?: number | undefined
  readonly parentId?: bigint | undefined
}

/** A feature that becomes no place, by its index in the file. */
export interface RefusedFeature {
  readonly feature: number
  readonly reason: string
}

/** The answer to a request, by the indices of its features. */
export interface PlacesAnswer {
  readonly created: ReadonlyArray<{ readonly feature: number; readonly placeId?: bigint | undefined }>
  readonly refused: ReadonlyArray<RefusedFeature>
}

const namesOf = (feature: unknown) => {
  const { id, properties } = Predicate.isObject(feature) ? feature : {}
  const { name, parent } = Predicate.isObject(properties) ? properties : {}
  return { id: featureNameOf(id), name: typeof name === "string" ? name : undefined, parent: featureNameOf(parent) }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error("it is no valid JSON")
  }
}

/** Reads the features of a file; fails with what is wrong with it. */
export const readFeatureFile = async (path: string): Promise<ReadonlyArray<unknown>> => {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const { read, end } = makeFeatureReader()
  const features: Array<unknown> = []
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
    const piece = decoder.decode(chunk as Buffer, { stream: true })
    for (const feature of read(piece)) features.push(parse(feature))
  }
  const collection = end()
  if ("fault" in collection) throw new Error(String(collection["fault"]))
  const { crs } = collection
  // Each request is a collection of its own.
  return crs === undefined || crs === null
    ? features
    : features.map((one) => (Predicate.isObject(one) ? { crs, ...one } : one))
}

/** What a geometry is compared by: its type and its coordinates. */
const shapeOf = (geometry: unknown): string => {
  const { type, coordinates, geometry: inner } = Predicate.isObject(geometry) ? geometry : {}
  return inner === undefined ? JSON.stringify([type, coordinates]) : shapeOf(inner)
}

const shapeOfText = (text: string): string => {
  try {
    return shapeOf(JSON.parse(text))
  } catch {
    return text
  }
}

const keyOf = (name: string | undefined, shape: string, level: unknown, parentId: bigint | undefined): string =>
  JSON.stringify([name ?? null, shape, level ?? null, parentId === undefined ? null : String(parentId)])

/** The ids of places by what makes a feature the same. */
const idsOf = (places: ReadonlyArray<ListedPlace>): ReadonlyMap<string, bigint> =>
  new Map(
    places.map(({ id, name, trackingArea, level, parentId }) => [
      keyOf(name === `Place ${id}` ? undefined : name, shapeOfText(trackingArea), level, parentId),
      id
    ])
  )

/** What a feature is named by in a request. */
const requestName = (index: number): string => `feature ${index} of the file`

/** A request, with the indices of its features in the file. */
interface Request {
  readonly features: ReadonlyArray<unknown>
  readonly indices: ReadonlyArray<number>
}

/**
 * Makes requests of the features of a file. A feature is skipped that is a place already: with its name, level, parent, and equal coordinates. Each
 * step yields a request and is given its answer.
 */
export const placeRequests = function* (
  features: ReadonlyArray<unknown>,
  places: ReadonlyArray<ListedPlace>
): Generator<Request, { readonly skipped: number; readonly refused: ReadonlyArray<RefusedFeature> }, PlacesAnswer> {
  const known = idsOf(places)
  const { parents, above, order } = orderFeatures(features.map(namesOf))
  const idOf = new Map<number, bigint>()
  const refused = new Map<number, string>()
  let skipped = 0
  let sent: Array<unknown> = []
  let indices: Array<number> = []
  let text = 0

  const send = function* (): Generator<Request, void, PlacesAnswer> {
    if (sent.length === 0) return
    const answer = yield { features: sent, indices }
    for (const { feature, placeId } of answer.created) if (placeId !== undefined) idOf.set(indices[feature]!, placeId)
    for (const { feature, reason } of answer.refused) {
      // Reasons name features by their indices in the request.
      const named = reason.replace(/\bfeature (\d+)/, (_, index: string) => `feature ${indices[Number(index)]}`)
      refused.set(indices[feature]!, named)
    }
    sent = []
    indices = []
    text = 0
  }

  /** The parent of a feature as a request names it, and its id if it has one; or why the feature is refused. */
  const parentOf = (index: number) => {
    const parent = parents[index]!
    const upper = above[index]
    if (Result.isFailure(parent)) return { reason: parent.failure.reason }
    if (upper === undefined) {
      const id = parent.success !== undefined && "placeId" in parent.success ? parent.success.placeId : undefined
      return { id, name: id === undefined ? null : Number(id), isPending: false }
    }
    if (refused.has(upper)) return { reason: `Its parent, feature ${upper}, is refused.` }
    const id = idOf.get(upper)
    return { id, name: id === undefined ? requestName(upper) : Number(id), isPending: id === undefined }
  }

  for (const index of order) {
    const json = features[index]
    const properties = Predicate.isObject(json) && Predicate.isObject(json["properties"]) ? json["properties"] : {}
    const length = Buffer.byteLength(JSON.stringify(json)) + 100
    if (sent.length === MAX_FEATURES || text + length > MOST_TEXT) yield* send()
    const parent = parentOf(index)
    if ("reason" in parent) {
      refused.set(index, parent.reason)
      continue
    }
    if (!parent.isPending && Predicate.isObject(json)) {
      const key = keyOf(namesOf(json).name, shapeOf(json["geometry"]), featureNumberOf(properties["level"]), parent.id)
      const there = known.get(key)
      if (there !== undefined) {
        idOf.set(index, there)
        skipped++
        continue
      }
    }
    // Names may be those of features in another request.
    sent.push(
      Predicate.isObject(json)
        ? { ...json, id: requestName(index), properties: { ...properties, parent: parent.name } }
        : json
    )
    indices.push(index)
    text += length
  }
  yield* send()
  const ordered = new Set(order)
  for (const index of features.keys())
    if (!ordered.has(index)) refused.set(index, "A place cannot be a part of itself.")
  return {
    skipped,
    refused: [...refused]
      .map(([feature, reason]) => ({ feature, reason }))
      .sort((one, other) => one.feature - other.feature)
  }
}
