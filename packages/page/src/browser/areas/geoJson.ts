/** Areas of other programs' GeoJSON. */
import { parseJson, type Polygons } from "../shared/area.ts"

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
  switch (json?.type) {
    case "Polygon":
      return isPolygon(json.coordinates) ? [json.coordinates as Polygons[number]] : []
    case "MultiPolygon":
      return Array.isArray(json.coordinates) && json.coordinates.every((one) => isPolygon(one))
        ? (json.coordinates as unknown as Polygons)
        : []
    case "Feature":
      return polygonsIn(json.geometry)
    case "FeatureCollection":
      return (json.features ?? []).flatMap((one) => polygonsIn(one))
    case "GeometryCollection":
      return (json.geometries ?? []).flatMap((one) => polygonsIn(one))
    default:
      return []
  }
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
