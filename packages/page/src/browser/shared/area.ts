/** Tracking areas as drawings. */

export type Position = readonly [longitude: number, latitude: number]
export type Ring = ReadonlyArray<Position>
/** Polygons, each an outer ring and its holes. */
export type Polygons = ReadonlyArray<ReadonlyArray<Ring>>

interface AreaJson {
  readonly type?: string
  readonly geometry?: AreaJson
  readonly features?: readonly [AreaJson]
  readonly geometries?: readonly [AreaJson]
  readonly coordinates?: any
  readonly Organizzazioni?: ReadonlyArray<{ readonly lat: string | number; readonly long: string | number }>
}

/** Reads JSON, also after a byte order mark, which files begin with. */
export const parseJson = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ""))

/** The polygons of a tracking area's text: GeoJSON, or the form of older clients. The server has checked it. */
export const readArea = (text: string): Polygons => {
  const json = parseJson(text) as AreaJson
  const only =
    json.type === "FeatureCollection"
      ? json.features![0]
      : json.type === "GeometryCollection"
        ? json.geometries![0]
        : json
  const { type, coordinates } = only.type === "Feature" ? only.geometry! : only
  if (type === "Polygon") return [coordinates]
  if (type === "MultiPolygon") return coordinates
  return [[json.Organizzazioni!.map(({ lat, long }) => [Number(long), Number(lat)] as const)]]
}

/**
 * Areas for one drawing: those on both sides of the antimeridian lie side by side, with longitudes above 180. No edge crosses the
 * antimeridian, so that parts are moved as a whole.
 */
export const besideEachOther = (areas: ReadonlyArray<Polygons>): ReadonlyArray<Polygons> => {
  const east = (longitude: number) => (longitude < 0 ? longitude + 360 : longitude)
  const longitudes = areas.flat(3).map(([longitude]) => longitude)
  const span = (all: ReadonlyArray<number>) => {
    let [least, most] = [Infinity, -Infinity]
    for (const one of all) [least, most] = [Math.min(least, one), Math.max(most, one)]
    return most - least
  }
  if (span(longitudes) < 180 || span(longitudes.map(east)) >= 180) return areas
  return areas.map((parts) =>
    parts.map((rings) => rings.map((ring) => ring.map(([longitude, latitude]) => [east(longitude), latitude] as const)))
  )
}

export type Point = readonly [x: number, y: number]
export type Projection = (position: Position) => Point

export interface Drawing {
  readonly height: number
  readonly project: Projection
}

/** The least and the most of both coordinates of points, or of positions. */
export const boundsOf = (
  points: ReadonlyArray<Point | Position>
): readonly [left: number, top: number, right: number, bottom: number] => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    ;[left, right] = [Math.min(left, x), Math.max(right, x)]
    ;[top, bottom] = [Math.min(top, y), Math.max(bottom, y)]
  }
  return [left, top, right, bottom]
}

/** How much of the width and the height is left free around the areas. */
const MARGIN_RATIO = 0.02

/**
 * Fits areas into a drawing of this width, with north above: degrees of longitude are as much shorter than those of latitude as
 * they are in the middle of the areas. The height is at most `highest`.
 */
export const fit = (areas: ReadonlyArray<Polygons>, width: number, highest: number): Drawing => {
  const positions = areas.flat(3) as unknown as ReadonlyArray<Position>
  const [west, south, east, north] = boundsOf(positions)
  if (positions.length === 0) return { height: 0, project: () => [0, 0] }
  const shrink = Math.max(Math.cos((((south + north) / 2) * Math.PI) / 180), 0.01)
  const [spanX, spanY] = [(east - west) * shrink, north - south]
  const inner = width * (1 - 2 * MARGIN_RATIO)
  const scale = Math.min(inner / spanX, (highest * (1 - 2 * MARGIN_RATIO)) / spanY)
  const height = (spanY * scale) / (1 - 2 * MARGIN_RATIO)
  const left = (width - spanX * scale) / 2
  const top = (height - spanY * scale) / 2
  return {
    height,
    project: ([longitude, latitude]) => [left + (longitude - west) * shrink * scale, top + (north - latitude) * scale]
  }
}

/** The data of an SVG path of the polygons, to be filled by the rule `evenodd`. Coordinates are rounded to 1/`steps` of a pixel: more steps for what is enlarged. */
export const toPath = (polygons: Polygons, project: Projection, steps = 10): string => {
  const round = (n: number): number => Math.round(n * steps) / steps
  return polygons
    .flat()
    .map((ring) => `M${ring.map((position) => project(position).map(round).join(" ")).join("L")}Z`)
    .join("")
}

/** A place for a label inside of polygons, and how wide and how high they are there. */
export interface Label {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** How many lines across the polygons are looked at for the widest inside. */
const SCAN_LINES = 9

/** Where a line along one axis, at `across` on the other, crosses the edges of rings, in order. */
const crossingsOf = (rings: ReadonlyArray<ReadonlyArray<Point>>, axis: 0 | 1, across: number): ReadonlyArray<number> =>
  rings
    .flatMap((ring) =>
      ring.flatMap((from, i) => {
        const to = ring[(i + 1) % ring.length]!
        const [a, b] = axis === 0 ? [from[1], to[1]] : [from[0], to[0]]
        return a > across !== b > across ? [from[axis] + ((across - a) / (b - a)) * (to[axis] - from[axis])] : []
      })
    )
    .sort((a, b) => a - b)

/** The height that a name and a number need, in pixels; and how much less a place with less room is worth. */
const [ROOM_PX, CROWDED] = [30, 0.2]

/**
 * The middle of the widest piece inside, on some lines across the polygons: it lies inside also where they are bent or have holes, and
 * beside polygons that they contain and that are given after them.
 */
export const labelOf = (polygons: Polygons, project: Projection): Label => {
  const rings = polygons.flat().map((ring) => ring.map(project))
  const ys = rings.flat().map(([, y]) => y)
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  let best = { x: 0, y: 0, width: 0, height: 0 }
  let most = 0
  for (let line = 1; line <= SCAN_LINES; line++) {
    const y = top + ((bottom - top) * line) / (SCAN_LINES + 1)
    const crossings = crossingsOf(rings, 0, y)
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      // Of lines that are about as wide the one nearest to the middle is the best.
      const bonus = 1 - 0.2 * (Math.abs(y - (top + bottom) / 2) / (bottom - top))
      const width = (crossings[i + 1]! - crossings[i]!) * bonus
      if (width <= most) continue
      const x = (crossings[i]! + crossings[i + 1]!) / 2
      // A label is as high as twice the way to the nearer edge above or below it.
      const ways = crossingsOf(rings, 1, x).map((across) => Math.abs(across - y))
      const height = 2 * Math.min(...ways, bottom - top)
      const worth = width * (height < ROOM_PX ? CROWDED : 1)
      if (worth <= most) continue
      most = worth
      best = { x, y, width, height }
    }
  }
  return best
}
