/** Changes of a drawn area, as pure functions. */
import { boundsOf, parseJson, type Point, type Polygons, type Position, type Projection } from "../shared/area.ts"
import { metresPerDegree, nearestOn } from "./edges.ts"
import { roundDegrees } from "./view.ts"

/** An area while it is drawn: parts > rings > corners. The first corner of a ring is not repeated at its end. */
export type Shape = ReadonlyArray<ReadonlyArray<Corners>>
type Corners = ReadonlyArray<Position>

/** A corner, by its indices in a shape. */
export type CornerAt = readonly [part: number, ring: number, corner: number]

/** The most corners of an area, with those that close its rings. */
export const MAX_CORNERS = 1_000

const isSame = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1]

export const shapeOf = (polygons: Polygons): Shape =>
  polygons.map((rings) =>
    rings.map((ring) => {
      const corners = ring.map(([longitude, latitude]) => [longitude, latitude] as const)
      return corners.length > 1 && isSame(corners[0]!, corners.at(-1)!) ? corners.slice(0, -1) : corners
    })
  )

export const countCorners = (shape: Shape): number =>
  shape.flat().reduce((sum, { length }) => sum + (length === 0 ? 0 : length + 1), 0)

/** The rings that have so many corners, and the parts that have such rings. */
const ringsOf = (shape: Shape, least = 1): Shape =>
  shape.map((rings) => rings.filter(({ length }) => length >= least)).filter((rings) => rings.length > 0)

const closed = (shape: Shape): Polygons => shape.map((rings) => rings.map((corners) => [...corners, corners[0]!]))

/** The polygons of the rings that have an inside. */
export const polygonsOf = (shape: Shape): Polygons => closed(ringsOf(shape, 3))

/** Without rings that have no corner. */
export const withoutEmptyRings = (shape: Shape): Shape => ringsOf(shape)

/** An area's text in the form of GeoJSON, for {@link writeArea}. */
export const GEO_JSON = JSON.stringify({ type: "Polygon" })

/**
 * The text of a shape without empty rings, in the form that `like` has: clients that know the older form alone can read what is drawn over it. Members of
 * a Feature are kept.
 */
export const writeArea = (shape: Shape, like: string): string => {
  const json = parseJson(like) as { readonly type?: string; readonly Organizzazioni?: unknown }
  const parts = closed(ringsOf(shape))
  if (json.type === undefined && parts.length === 1 && parts[0]!.length === 1) {
    const corners = parts[0]![0]!.map(([long, lat]) => ({ lat: String(lat), long: String(long) }))
    return JSON.stringify({ Organizzazioni: corners })
  }
  const geometry =
    parts.length === 1 ? { type: "Polygon", coordinates: parts[0] } : { type: "MultiPolygon", coordinates: parts }
  return JSON.stringify(json.type === "Feature" ? { ...json, geometry, bbox: undefined } : geometry)
}

const changeRing = (shape: Shape, [part, ring]: CornerAt, change: (corners: Corners) => Corners): Shape =>
  shape.map((rings, p) => (p === part ? rings.map((corners, r) => (r === ring ? change(corners) : corners)) : rings))

export const cornerOf = (shape: Shape, [part, ring, corner]: CornerAt): Position | undefined =>
  shape[part]?.[ring]?.[corner]

export const moveCorner = (shape: Shape, at: CornerAt, to: Position): Shape =>
  changeRing(shape, at, (corners) => corners.map((corner, i) => (i === at[2] ? to : corner)))

export const plus = ([x, y]: Position, [dx, dy]: Position): Position => [roundDegrees(x + dx), roundDegrees(y + dy)]

/** Moves the whole shape by some degrees. */
export const moveShape = (shape: Shape, by: Position): Shape =>
  shape.map((rings) => rings.map((corners) => corners.map((corner) => plus(corner, by))))

/** The positions of an edge, from a corner to the next one of its ring. */
export const edgeOf = (shape: Shape, [part, ring, corner]: CornerAt): readonly [Position, Position] => {
  const corners = shape[part]![ring]!
  return [corners[corner]!, corners[(corner + 1) % corners.length]!]
}

/** The part of a movement, in degrees, that leads straight away from an edge. */
export const awayFrom = ([from, to]: readonly [Position, Position], by: Position): Position => {
  const [perLongitude, perLatitude] = metresPerDegree(from[1])
  const [nx, ny] = [-(to[1] - from[1]) * perLatitude, (to[0] - from[0]) * perLongitude]
  const share = (by[0] * perLongitude * nx + by[1] * perLatitude * ny) / (nx * nx + ny * ny || 1)
  return [(share * nx) / perLongitude, (share * ny) / perLatitude]
}

/** Moves an edge parallel to itself, as far as a movement leads away from it. */
export const moveEdge = (shape: Shape, at: CornerAt, by: Position): Shape => {
  const [from, to] = edgeOf(shape, at)
  const away = awayFrom([from, to], by)
  const next: CornerAt = [at[0], at[1], (at[2] + 1) % shape[at[0]]![at[1]]!.length]
  return moveCorner(moveCorner(shape, at, plus(from, away)), next, plus(to, away))
}

/** How far from a right angle the corners of a rectangle may be, as a cosine. */
const RIGHT_ANGLE = 0.01

/**
 * Moves a corner, whose ring stays a rectangle if it is one: the opposite corner and the directions of its sides stay. As a rectangle without
 * an area has no directions, it is moved from the shape that a gesture began with.
 */
export const moveSquarely = (shape: Shape, at: CornerAt, to: Position): Shape => {
  const [part, ring, corner] = at
  const corners = shape[part]?.[ring] ?? []
  if (corners.length !== 4) return moveCorner(shape, at, to)
  const nth = (by: number): CornerAt => [part, ring, (corner + by) % 4]
  const opposite = cornerOf(shape, nth(2))!
  const [perLongitude, perLatitude] = metresPerDegree(opposite[1])
  /** In metres from the opposite corner. */
  const from = ([x, y]: Position): Point => [(x - opposite[0]) * perLongitude, (y - opposite[1]) * perLatitude]
  const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1]
  const [whole, one, , other] = corners.map((_, by) => from(cornerOf(shape, nth(by))!)) as [Point, Point, Point, Point]
  const lengths = Math.hypot(...one) + Math.hypot(...other)
  const isRight = Math.abs(dot(one, other)) <= RIGHT_ANGLE * Math.hypot(...one) * Math.hypot(...other)
  const isClosed = Math.hypot(one[0] + other[0] - whole[0], one[1] + other[1] - whole[1]) <= RIGHT_ANGLE * lengths
  if (!isRight || !isClosed || dot(one, one) === 0 || dot(other, other) === 0) return moveCorner(shape, at, to)
  const along = (side: Point): Position => {
    const share = dot(from(to), side) / dot(side, side)
    return plus(opposite, [(share * side[0]) / perLongitude, (share * side[1]) / perLatitude])
  }
  return moveCorner(moveCorner(moveCorner(shape, nth(1), along(one)), nth(3), along(other)), at, to)
}

/** Inserts a corner after another one; at index -1 after none. */
export const insertCorner = (shape: Shape, at: CornerAt, position: Position): Shape =>
  changeRing(shape, at, (corners) => [...corners.slice(0, at[2] + 1), position, ...corners.slice(at[2] + 1)])

/** Removes a corner; with the last corner its ring, and with its outer ring the part. */
export const removeCorner = (shape: Shape, at: CornerAt): Shape =>
  changeRing(shape, at, (corners) => corners.filter((_, i) => i !== at[2])).flatMap((rings, part) => {
    if (part !== at[0]) return [rings]
    return rings[0]!.length === 0 ? [] : [rings.filter((corners) => corners.length > 0)]
  })

/** Adds a part that is a rectangle between two positions. */
export const addRectangle = (shape: Shape, from: Position, to: Position): Shape => {
  const [west, south, east, north] = boundsOf([from, to])
  const corners: Corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north]
  ]
  return [...withoutEmptyRings(shape), [corners]]
}

/** Begins a ring: a hole of a part, or a part of its own. */
export const addHole = (shape: Shape, part: number): Shape =>
  shape.map((rings, p) => (p === part ? [...rings, []] : rings))
export const addPart = (shape: Shape): Shape => [...shape, [[]]]

/** The corner that is `by` further along all rings, which follow each other. */
export const stepCorner = (shape: Shape, by: 1 | -1, at?: CornerAt): CornerAt | undefined => {
  const all = cornersOf(shape)
  const index = all.findIndex((one) => one.join() === at?.join())
  return index < 0 && by < 0 ? all.at(-1) : all[(index + by + all.length) % all.length]
}

export const cornersOf = (shape: Shape): ReadonlyArray<CornerAt> =>
  shape.flatMap((rings, part) =>
    rings.flatMap((corners, ring) => corners.map((_, corner): CornerAt => [part, ring, corner]))
  )

const between = ([x1, y1]: Position, [x2, y2]: Position, t: number): Position => [
  roundDegrees(x1 + t * (x2 - x1)),
  roundDegrees(y1 + t * (y2 - y1))
]

/** The middle of the edge from a corner to the next one; none where there is no edge. */
export const middleAfter = (shape: Shape, [part, ring, corner]: CornerAt): Position | undefined => {
  const corners = shape[part]?.[ring] ?? []
  if (corners[corner] === undefined || corners.length < 2) return undefined
  return between(...edgeOf(shape, [part, ring, corner]), 0.5)
}

/**
 * The position on borders that is nearest to another one: a corner if one is near enough, else a point of an edge; none where all
 * are farther away. Distances are those of the drawing.
 */
export const snap = (
  position: Position,
  borders: ReadonlyArray<Polygons>,
  project: Projection,
  reach: { readonly corners: number; readonly edges: number }
): Position | undefined => {
  const point = project(position)
  let corner: Position | undefined
  let edge: Position | undefined
  let { corners, edges } = reach
  for (const ring of borders.flat(2)) {
    let before: Point | undefined
    for (const [i, at] of ring.entries()) {
      const to = project(at)
      const distance = Math.hypot(to[0] - point[0], to[1] - point[1])
      if (distance <= corners) [corner, corners] = [at, distance]
      // Once a corner is within reach, edges count no more.
      if (before !== undefined && corner === undefined) {
        const [t, distance] = nearestOn([before, to], point)
        if (distance <= edges) [edge, edges] = [between(ring[i - 1]!, at, t), distance]
      }
      before = to
    }
  }
  return corner === undefined ? edge : [corner[0], corner[1]]
}

/** The drawn shape, its chosen corner, and the shapes that undo and redo restore. */
export interface Drawn {
  readonly shape: Shape
  readonly past: ReadonlyArray<Shape>
  readonly future: ReadonlyArray<Shape>
  /** What made the last change: changes of one step are undone together. */
  readonly step?: string | undefined
  /** The chosen corner; of a ring without corners the one before its first, -1. */
  readonly active?: CornerAt | undefined
}

export const startOf = (shape: Shape): Drawn => ({ shape, past: [], future: [] })

export const isEmpty = (shape: Shape): boolean => shape.flat(2).length === 0

export const record = (drawn: Drawn, shape: Shape, step?: string): Drawn => {
  if (shape === drawn.shape) return drawn
  const isFurther = step !== undefined && step === drawn.step
  return { ...drawn, shape, past: isFurther ? drawn.past : [...drawn.past, drawn.shape], future: [], step }
}

export const undo = ({ shape, past, future }: Drawn): Drawn =>
  past.length === 0
    ? { shape, past, future }
    : { shape: past.at(-1)!, past: past.slice(0, -1), future: [shape, ...future] }

export const redo = ({ shape, past, future }: Drawn): Drawn =>
  future.length === 0 ? { shape, past, future } : { shape: future[0]!, past: [...past, shape], future: future.slice(1) }
