/** Reads the JSON of an area into polygons, in the forms that are accepted, with limits on what it takes. */
import type { ExpectedShape, TrackingAreaFault } from "./Fault.ts"
import type { Polygons, Position } from "./Position.ts"

/** The most points of an area, as they are written, over all its rings. */
export const MAX_POINTS = 1000

/** The longest text of an area, in bytes of UTF-8. {@link MAX_POINTS} points need less. */
export const MAX_TEXT_BYTES = 128 * 1024

/** How many bytes a text has in UTF-8. */
const bytesOf = (text: string): number => {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0x80) bytes++
    // A surrogate is half of a character of 4 bytes, and anything else from here on has 3.
    if (unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff)) bytes++
  }
  return bytes
}

/** Why a text is too long to be read. A UTF-16 unit takes at most 3 bytes, so that most texts need no count. */
export const whyTooLong = (text: string): TrackingAreaFault | undefined => {
  if (text.length * 3 <= MAX_TEXT_BYTES) return undefined
  const bytes = bytesOf(text)
  return bytes > MAX_TEXT_BYTES ? { _tag: "TextTooLong", bytes, limit: MAX_TEXT_BYTES } : undefined
}

type Path = ReadonlyArray<string | number>
/** What was read, a list, or why it could not be. It is no `Result`, so that devices read areas without Effect. */
export type Read<A extends ReadonlyArray<unknown>> = A | TrackingAreaFault

export const isFault = (read: Read<ReadonlyArray<unknown>>): read is TrackingAreaFault => !Array.isArray(read)

type Json = Readonly<Record<string, unknown>>

const isObject = (json: unknown): json is Json => typeof json === "object" && json !== null && !Array.isArray(json)
const isFullList = (json: unknown): json is ReadonlyArray<unknown> => Array.isArray(json) && json.length > 0

const unknownShape = (expected: ExpectedShape, ...path: Path): TrackingAreaFault => ({
  _tag: "UnknownShape",
  path,
  expected
})

const whyTooMany = (count: number): TrackingAreaFault | undefined =>
  count > MAX_POINTS ? { _tag: "TooManyPoints", count, limit: MAX_POINTS } : undefined

const isInRange = ([lng, lat]: Position): boolean => Math.abs(lng) <= 180 && Math.abs(lat) <= 90

const isClosed = (ring: ReadonlyArray<Position>): boolean => {
  const [first, last] = [ring[0]!, ring.at(-1)!]
  return first[0] === last[0] && first[1] === last[1]
}

/** GeoJSON's positions may hold an altitude, which counts for nothing here, but must still be a number. */
const isPosition = (json: unknown): json is Position =>
  Array.isArray(json) &&
  json.length >= 2 &&
  json.every((n) => typeof n === "number") &&
  json.slice(2).every(Number.isFinite)

/** The least positions of a GeoJSON ring: three corners, and the first of them again. */
const LEAST_POSITIONS = 4

const readRing = (ring: ReadonlyArray<unknown>, part: number, index: number, path: Path): Read<Array<Position>> => {
  const positions: Array<Position> = []
  for (const [i, json] of ring.entries()) {
    if (!isPosition(json)) return unknownShape("position", ...path, i)
    if (!isInRange(json)) return { _tag: "PositionOutOfRange", at: [part, index, i] }
    positions.push([json[0], json[1]])
  }
  const count = positions.length
  if (count < LEAST_POSITIONS) {
    return { _tag: "TooFewPoints", ring: [part, index], count, least: LEAST_POSITIONS }
  }
  return isClosed(positions) ? positions : { _tag: "RingNotClosed", ring: [part, index] }
}

/** Reads parts > rings > positions. The points are counted before any of them is looked at. */
const readParts = (parts: ReadonlyArray<unknown>, pathOf: (part: number) => Path): Read<Polygons> => {
  const lists: Array<ReadonlyArray<ReadonlyArray<unknown>>> = []
  for (const [part, rings] of parts.entries()) {
    if (!isFullList(rings)) return unknownShape("list", ...pathOf(part))
    const index = rings.findIndex((ring) => !isFullList(ring))
    if (index >= 0) return unknownShape("list", ...pathOf(part), index)
    lists.push(rings as ReadonlyArray<ReadonlyArray<unknown>>)
  }
  const tooMany = whyTooMany(lists.flat().reduce((sum, ring) => sum + ring.length, 0))
  if (tooMany) return tooMany

  const polygons: Array<Array<Array<Position>>> = []
  for (const [part, rings] of lists.entries()) {
    const read: Array<Array<Position>> = []
    for (const [index, positions] of rings.entries()) {
      const ring = readRing(positions, part, index, [...pathOf(part), index])
      if (isFault(ring)) return ring
      read.push(ring)
    }
    polygons.push(read)
  }
  return polygons
}

/** How the system of the rules, WGS 84 with the longitude first, is named where GeoJSON names one, as it did before RFC 7946. */
const WGS84 =
  /^(CRS84|OGC:CRS84|EPSG:4326|urn:ogc:def:crs:(OGC:[\d.]*:CRS84|EPSG:[\d.]*:4326)|https?:\/\/www\.opengis\.net\/def\/crs\/(OGC\/[\d.]+\/CRS84|EPSG\/[\d.]+\/4326))$/i

/** Coordinates of another system are somewhere else: an object that names one is no area. No system, or null, is that of the rules. */
const whyOtherSystem = ({ crs }: Json, path: Path): TrackingAreaFault | undefined => {
  if (crs === undefined || crs === null) return undefined
  const { type, properties } = isObject(crs) ? crs : {}
  const { name, code } = isObject(properties) ? properties : {}
  const isKnown =
    type === "EPSG" ? Number(code) === 4326 : type === "name" && typeof name === "string" && WGS84.test(name)
  return isKnown ? undefined : unknownShape("system", ...path, "crs")
}

const readGeometry = (geometry: Json, path: Path): Read<Polygons> => {
  const otherSystem = whyOtherSystem(geometry, path)
  if (otherSystem) return otherSystem
  const { type, coordinates } = geometry
  const here = [...path, "coordinates"]
  if (type === "Polygon") return readParts([coordinates], () => here)
  if (type !== "MultiPolygon")
    return path.length === 0 ? unknownShape("type", "type") : unknownShape("geometry", ...path)
  return isFullList(coordinates) ? readParts(coordinates, (part) => [...here, part]) : unknownShape("list", ...here)
}

/** A Feature's other members, `properties` and `bbox` among them, are none of our business. */
const readFeature = (feature: Json, path: Path): Read<Polygons> => {
  const at = [...path, "geometry"]
  const { geometry } = feature
  return (
    whyOtherSystem(feature, path) ?? (isObject(geometry) ? readGeometry(geometry, at) : unknownShape("geometry", ...at))
  )
}

/** The only member of a collection, which is a `Feature` in one of features. */
const readCollection = (json: Json, member: "features" | "geometries"): Read<Polygons> => {
  const list = json[member]
  const [only, ...others] = Array.isArray(list) ? (list as ReadonlyArray<unknown>) : []
  if (!isObject(only) || others.length > 0) return unknownShape("single", member)
  const path = [member, 0]
  const otherSystem = whyOtherSystem(json, [])
  if (otherSystem) return otherSystem
  if (member === "geometries") return readGeometry(only, path)
  return only.type === "Feature" ? readFeature(only, path) : unknownShape("feature", ...path)
}

const readGeoJson = (json: Json): Read<Polygons> => {
  switch (json.type) {
    case "Feature":
      return readFeature(json, [])
    case "FeatureCollection":
      return readCollection(json, "features")
    case "GeometryCollection":
      return readCollection(json, "geometries")
    default:
      return readGeometry(json, [])
  }
}

/** A number as JSON or a programming language prints it; `Number` alone would read "", " 1" and "0x10" as well. */
const DECIMAL = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

const toNumber = (json: unknown): number | undefined =>
  typeof json === "number" ? json : typeof json === "string" && DECIMAL.test(json) ? Number(json) : undefined

const LEAST_POINTS = 3

/** The older clients' form: one ring, `{"Organizzazioni":[{"lat":"45.41","long":"11.87"}, ...]}`, closed or not. */
const readOlderForm = ({ Organizzazioni: points }: Json): Read<Polygons> => {
  if (!isFullList(points)) return unknownShape("list", "Organizzazioni")
  const count = points.length
  const tooMany = whyTooMany(count)
  if (tooMany) return tooMany
  if (count < LEAST_POINTS) return { _tag: "TooFewPoints", ring: [0, 0], count, least: LEAST_POINTS }
  const ring: Array<Position> = []
  for (const [i, point] of points.entries()) {
    const [lng, lat] = isObject(point) ? [toNumber(point.long), toNumber(point.lat)] : []
    if (lng === undefined || lat === undefined) return unknownShape("point", "Organizzazioni", i)
    if (!isInRange([lng, lat])) return { _tag: "PositionOutOfRange", at: [0, 0, i] }
    ring.push([lng, lat])
  }
  return [[isClosed(ring) ? ring : [...ring, ring[0]!]]]
}

/**
 * How many points an area has as it was written, over all its rings. The point that closes a ring of the older form for
 * its author is not counted: it is the very position that the ring starts with, rather than one that was read.
 */
export const pointsOf = (polygons: Polygons): number =>
  polygons.reduce(
    (points, rings) => rings.reduce((sum, ring) => sum + ring.length - (ring.at(-1) === ring[0] ? 1 : 0), points),
    0
  )

/** A member `type` makes it GeoJSON: `Organizzazioni` is then a foreign member. */
const readJson = (json: unknown): Read<Polygons> => {
  if (!isObject(json)) return unknownShape("area")
  if ("type" in json) return readGeoJson(json)
  return "Organizzazioni" in json ? readOlderForm(json) : unknownShape("area")
}

/** Programs put it before UTF-8. Readers of JSON may ignore it (RFC 8259, 8.1). */
const BYTE_ORDER_MARK = "\uFEFF"

/** Reads the polygons of a text, which may cross and overlap themselves. */
export const readPolygons = (text: string): Read<Polygons> => {
  let json: unknown
  try {
    json = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  } catch {
    return { _tag: "NotJson" }
  }
  return readJson(json)
}
