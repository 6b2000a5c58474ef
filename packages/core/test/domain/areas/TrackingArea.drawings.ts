/** Random drawings of areas that meet in awkward ways, from a seed: grid stars, polyominoes, turned polyominoes. */
import type { Polygons, Position } from "../../../src/domain/areas/TrackingArea.ts"

/** A small seeded generator (mulberry32): the same seed draws the same area, on every machine. */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number): number => Math.floor(next() * n)
  return {
    next,
    below,
    between: (low: number, high: number): number => low + next() * (high - low),
    chance: (p: number): boolean => next() < p,
    pick: <A>(all: ReadonlyArray<A>): A => all[below(all.length)]!
  }
}
export type Random = ReturnType<typeof randomFrom>
type Ring = ReadonlyArray<Position>

const closed = (ring: Ring): Ring => [...ring, ring[0]!]

/** Eighths are exact in doubles, so that no oracle and no kernel has to round. */
const gridPoint = (random: Random, size: number): Position => [random.below(size) / 8, random.below(size) / 8]

/** Corners on a small grid in order of their direction: mostly simple, touching others often. */
export const gridStar = (random: Random, size: number): Ring => {
  const corners = Array.from({ length: 3 + random.below(6) }, () => gridPoint(random, size))
  const center = [size / 16 + 0.01, size / 16 + 0.003] as const
  const direction = ([x, y]: Position) => Math.atan2(y - center[1], x - center[0])
  return closed(corners.sort((p, q) => direction(p) - direction(q)))
}

/** Corners on a small grid in no order: mostly crossing, touching and turning back. */
export const gridScribble = (random: Random, size: number): Ring =>
  closed(Array.from({ length: 3 + random.below(4) }, () => gridPoint(random, size)))

/** A rectangle of whole eighths, with its first corner in a box. */
const gridRectangle = (random: Random, largest: number, [left, right, low, high]: Box): Ring => {
  const [x, y] = [left + random.below(right - left), low + random.below(high - low)]
  const [u, v] = [x + 1 + random.below(largest), y + 1 + random.below(largest)]
  const ring = [
    [x, y],
    [u, y],
    [u, v],
    [x, v]
  ].map(([lng, lat]): Position => [lng! / 8, lat! / 8])
  return closed(random.chance(0.5) ? ring : ring.reverse())
}
type Box = readonly [left: number, right: number, low: number, high: number]

const boxOf = (ring: Ring): Box => {
  const [lngs, lats] = [ring.map(([lng]) => lng * 8), ring.map(([, lat]) => lat * 8)]
  return [Math.min(...lngs), Math.max(...lngs), Math.min(...lats), Math.max(...lats)]
}

/** One to three parts with up to three holes each: mostly where they belong, and often just not. */
export const gridJumble = (random: Random): Polygons => {
  const parts: Array<Array<Ring>> = []
  for (let n = 1 + random.below(3); n > 0; n--) {
    const before = random.chance(0.3) ? parts.flat().at(-1) : undefined
    const west = random.chance(0.7) ? 60 * n : 0
    const room: Box = before === undefined ? [west, west + 40, 0, 40] : boxOf(before)
    const shell =
      before === undefined && random.chance(0.3)
        ? gridStar(random, 40)
        : gridRectangle(random, before === undefined ? 32 : 4, room)
    const part = [shell]
    for (let holes = random.below(4); holes > 0; holes--) {
      const [around, largest] = random.chance(0.4) ? [part.at(-1)!, 1] : [shell, random.pick([2, 4, 12])]
      const [left, right, low, high] = boxOf(around)
      part.push(gridRectangle(random, largest, [left + 1, Math.max(left + 2, right), low + 1, Math.max(low + 2, high)]))
    }
    parts.push(part)
  }
  return parts
}

/** A drawing made of another's: one of its rings filled in, or a part without one of its holes, or all but one part. */
export const excerpt = (random: Random, drawing: Polygons): Polygons => {
  const part = random.pick(drawing)
  const left = random.below(part.length)
  const others = drawing.filter((other) => other !== part)
  return random.pick([
    [[random.pick(part)]],
    [part.filter((_, index) => index === 0 || index !== left)],
    others.length > 0 ? others : [part],
    drawing
  ])
}

/** Two pieces of a star, cut along a straight line between two of its corners, and the star. */
export const cutStar = (random: Random, size: number): ReadonlyArray<Polygons> => {
  const corners = gridStar(random, size).slice(0, -1)
  const from = random.below(corners.length - 2)
  const to = from + 2 + random.below(corners.length - from - 2)
  const pieces = [corners.slice(from, to + 1), [...corners.slice(to), ...corners.slice(0, from + 1)], corners]
  return pieces.map((piece) => [[closed(piece)]])
}

/** A star with corners at any double, so wide that no two drawings are near each other by chance. */
export const wideStar = (random: Random): Polygons => {
  const corners = 3 + random.below(20)
  const [x, y] = [random.between(-20, 20), random.between(-20, 20)]
  return [
    [
      closed(
        Array.from({ length: corners }, (_, i): Position => {
          const direction = (2 * Math.PI * (i + random.next() * 0.9)) / corners
          const radius = random.between(1, 40)
          return [x + radius * Math.cos(direction), y + radius * Math.sin(direction)]
        })
      )
    ]
  ]
}

/** Unit squares, `x,y`. */
export type Cells = ReadonlySet<string>

const key = (x: number, y: number) => `${x},${y}`
const cellOf = (text: string) => text.split(",").map(Number) as [number, number]

/** Squares that share a corner and nothing else go, so that no two rings of the area touch. */
const withoutCornerTouches = (cells: Set<string>): Cells => {
  const touchesCorner = (cell: string): boolean => {
    const [x, y] = cellOf(cell)
    return [-1, 1].some((dx) =>
      [-1, 1].some((dy) => cells.has(key(x + dx, y + dy)) && !cells.has(key(x + dx, y)) && !cells.has(key(x, y + dy)))
    )
  }
  for (let bad = [...cells].find(touchesCorner); bad !== undefined; bad = [...cells].find(touchesCorner)) {
    cells.delete(bad)
  }
  return cells
}

const BOARD = Array.from({ length: 49 }, (_, i) => key(i % 7, Math.floor(i / 7)))

/** Some squares of a board, or of the squares given. */
export const randomCells = (random: Random, from: ReadonlyArray<string> = BOARD): Cells => {
  const share = random.between(0.15, 1)
  const cells = withoutCornerTouches(new Set(from.filter(() => random.chance(share))))
  return cells.size > 0 ? cells : new Set([random.pick(from)])
}

/** Squares to compare with others: some of those, some of the rest, or any. */
export const comparedCells = (random: Random, cells: Cells): Cells => {
  const rest = BOARD.filter((cell) => !cells.has(cell))
  return randomCells(random, random.pick([[...cells], rest.length > 0 ? rest : BOARD, BOARD]))
}

/** The border of the squares: unit edges with the inside on the left, from each corner to the next. */
const tracedRings = (cells: Cells): Array<Array<Position>> => {
  const next = new Map<string, Position>()
  for (const cell of cells) {
    const [x, y] = cellOf(cell)
    if (!cells.has(key(x, y - 1))) next.set(key(x, y), [x + 1, y])
    if (!cells.has(key(x + 1, y))) next.set(key(x + 1, y), [x + 1, y + 1])
    if (!cells.has(key(x, y + 1))) next.set(key(x + 1, y + 1), [x, y + 1])
    if (!cells.has(key(x - 1, y))) next.set(key(x, y + 1), [x, y])
  }
  const rings: Array<Array<Position>> = []
  while (next.size > 0) {
    const ring: Array<Position> = []
    let at = cellOf([...next.keys()][0]!) as Position
    for (let to = next.get(key(...at)); to !== undefined; to = next.get(key(...at))) {
      next.delete(key(...at))
      ring.push(at)
      at = to
    }
    rings.push(ring)
  }
  return rings
}

const signedArea = (ring: Ring): number =>
  ring.reduce((sum, [x, y], i) => {
    const [u, v] = ring[(i + 1) % ring.length]!
    return sum + (x * v - u * y) / 2
  }, 0)

/** Does a shell enclose a hole? Asked of the square at the hole's first corner, which is in the hole or in its part. */
const enclosedBy = (hole: Ring, shell: Ring): boolean => {
  const [x, y] = [hole[0]![0] + 0.25, hole[0]![1] + 0.125]
  return shell.reduce((inside, [ax, ay], i) => {
    const [bx, by] = shell[(i + 1) % shell.length]!
    return ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax) ? !inside : inside
  }, false)
}

/** Keeps the corners, and by chance some of the points on the sides: two drawings of one border seldom agree on those. */
const withSomeSidePoints = (random: Random, ring: Ring): Ring => {
  const share = random.pick([0, 0.3, 1])
  const kept = ring.filter(([x, y], i) => {
    const [[ax, ay], [bx, by]] = [ring.at(i - 1)!, ring[(i + 1) % ring.length]!]
    return (x - ax) * (by - y) !== (y - ay) * (bx - x) || random.chance(share)
  })
  const start = random.below(kept.length)
  const turned = [...kept.slice(start), ...kept.slice(0, start)]
  return closed(random.chance(0.5) ? turned : turned.reverse())
}

/** Draws the squares' outline: parts and holes as they come, each ring starting and running anyhow. */
export const polyomino = (random: Random, cells: Cells): Polygons => {
  const rings = tracedRings(cells)
  const holes = rings.filter((ring) => signedArea(ring) < 0)
  const shells = rings.filter((ring) => signedArea(ring) > 0).sort((a, b) => signedArea(a) - signedArea(b))
  const parts = shells.map((shell) => [shell])
  for (const hole of holes) parts.find(([shell]) => enclosedBy(hole, shell!))!.push(hole)
  return parts.map((part) => part.map((ring) => withSomeSidePoints(random, ring)))
}

/** How a drawing is laid on the map: turned, scaled, moved, and kept with some decimals. */
export type Projection = (position: Position) => Position

export const turnedProjection = (random: Random, decimals?: number): Projection => {
  const [angle, size] = [random.between(0, 2 * Math.PI), random.between(0.0005, 0.02)]
  const [cos, sin] = [size * Math.cos(angle), size * Math.sin(angle)]
  const [x0, y0] = [random.between(-179, 179), random.between(-80, 80)]
  const kept = (n: number) => (decimals === undefined ? n : Number(n.toFixed(decimals)))
  return ([x, y]) => [kept(x0 + x * cos - y * sin), kept(y0 + x * sin + y * cos)]
}

export const project = (polygons: Polygons, projection: Projection): Polygons =>
  polygons.map((part) => part.map((ring) => closed(ring.slice(0, -1).map((position) => projection(position)))))
