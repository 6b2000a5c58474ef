/** GeoJSON of other programs: an area, or a file of places, whose features may be redrawn before they are created. */
import type { ImportedPlaces } from "@sojourn/client"
import { parseJson, type Polygons } from "../shared/area.ts"
import { GEO_JSON, type Shape, writeArea } from "./drawing.ts"

interface GeoJson {
  readonly type?: string
  readonly geometry?: GeoJson | null
  readonly features?: ReadonlyArray<GeoJson>
  readonly geometries?: ReadonlyArray<GeoJson>
  readonly coordinates?: unknown
}

/** Longitude and latitude: what has other numbers is in meters of some projection. */
const isPosition = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length >= 2 &&
  [180, 90].every((most, i) => typeof value[i] === "number" && Math.abs(value[i]) <= most)

const isPolygon = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((ring) => Array.isArray(ring) && ring.length > 0 && ring.every((position) => isPosition(position)))

const polygonsIn = (json: GeoJson | null | undefined): Polygons => {
  const { type, coordinates, geometry, features = [], geometries = [] } = json ?? {}
  if (type === "Polygon" || type === "MultiPolygon") {
    const parts = type === "Polygon" ? [coordinates] : coordinates
    return Array.isArray(parts) && parts.every(isPolygon) ? (parts as unknown as Polygons) : []
  }
  const inside = { Feature: [geometry], FeatureCollection: features, GeometryCollection: geometries }[type ?? ""] ?? []
  return inside.flatMap((one) => polygonsIn(one))
}

/** All polygons of a GeoJSON text as one area; undefined where it has none. The server alone checks whether it is a good one. */
export const readGeoJson = (text: string): Polygons | undefined => {
  try {
    const polygons = polygonsIn(parseJson(text) as GeoJson)
    return polygons.length === 0 ? undefined : polygons
  } catch {
    return undefined
  }
}

/** What the interface reads of a feature. */
interface PlaceFeature {
  readonly id?: unknown
  readonly properties?: { readonly name?: unknown; readonly level?: unknown; readonly parent?: unknown } | null
  readonly geometry?: unknown
}

/** A FeatureCollection. Its other members stay, such as a `crs`, which the server refuses. */
export interface PlaceFile {
  readonly features: ReadonlyArray<PlaceFeature>
}

/** The places of a file; undefined where it is no FeatureCollection with a polygon. */
export const readPlaceFile = (text: string): PlaceFile | undefined => {
  if (readGeoJson(text) === undefined) return undefined
  const json = parseJson(text) as Partial<PlaceFile>
  return Array.isArray(json.features) ? (json as PlaceFile) : undefined
}

/** The area of a feature; undefined where it has no polygon. */
export const areaOf = (feature: PlaceFeature | undefined): Polygons | undefined =>
  readGeoJson(JSON.stringify({ type: "Feature", geometry: feature?.geometry }))

/** A file with another area of one of its features. */
export const redrawn = (file: PlaceFile, nth: number, shape: Shape): PlaceFile => ({
  ...file,
  features: file.features.map((feature, n) =>
    n === nth ? { ...feature, geometry: parseJson(writeArea(shape, GEO_JSON)) } : feature
  )
})

/** What is left of a file after an import: what was refused. A parent that was created is named by its place. */
export const leftOf = (file: PlaceFile, { created, refused }: ImportedPlaces): PlaceFile => {
  const places = new Map<string, number | undefined>()
  const known = created.map(({ feature, placeId }) => ({ ...file.features[feature]!, placeId }))
  for (const { properties, placeId } of known) places.set(String(properties?.name), placeId)
  // Ids count before names.
  for (const { id, placeId } of known) if (id !== undefined) places.set(String(id), placeId)
  return {
    ...file,
    features: refused.map(({ feature }) => {
      const one = file.features[feature]!
      const parent = places.get(String(one.properties?.parent))
      return parent === undefined ? one : { ...one, properties: { ...one.properties, parent } }
    })
  }
}
