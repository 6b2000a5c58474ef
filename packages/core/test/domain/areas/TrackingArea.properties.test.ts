/**
 * The kernel against JTS on random drawings, and against truths known from how a drawing was made. Set
 * SOJOURN_RUNS_FACTOR to run more cases, and SOJOURN_SEED to run others; a failure names the seed of its case.
 */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Area from "../../../src/domain/areas/TrackingArea.ts"
import type { EdgeAt, Polygons, Position } from "../../../src/domain/areas/TrackingArea.ts"
import {
  comparedCells,
  cutStar,
  excerpt,
  gridJumble,
  gridStar,
  polyomino,
  project,
  type Projection,
  type Random,
  randomCells,
  randomFrom,
  turnedProjection,
  wideStar
} from "./TrackingArea.drawings.ts"
import { saws, spikes } from "./TrackingArea.hostile.ts"
import { jts, ringsApart } from "./TrackingArea.oracles.ts"
import { whyNotInside, whyOverlap } from "./TrackingArea.texts.ts"

const FACTOR = Number(process.env.SOJOURN_RUNS_FACTOR ?? 1)
const USUAL_SEED = 20260301
const SEED = Number(process.env.SOJOURN_SEED ?? USUAL_SEED)

const textOf = (polygons: Polygons) => JSON.stringify({ type: "MultiPolygon", coordinates: polygons })
const parse = (polygons: Polygons) => Area.parseTrackingArea(textOf(polygons))
const faultOf = (polygons: Polygons) => Result.getOrUndefined(Result.flip(parse(polygons)))?.fault
const area = (polygons: Polygons) => Result.getOrThrow(parse(polygons))

/**
 * Runs a property on many drawings. The seed of a case is in the name of its failure. A property tells which case it met,
 * and all the `kinds` must have been met: drawings that are all alike would prove nothing.
 */
const forAll = (name: string, runs: number, property: (random: Random) => string | void, kinds: Array<string> = []) => {
  const cases = Math.max(1, Math.round(runs * FACTOR))
  it(`${name} (${cases} cases from seed ${SEED})`, { timeout: 600_000 * Math.max(1, FACTOR) }, () => {
    const met = new Map<string, number>()
    for (let seed = SEED; seed < SEED + cases; seed++) {
      try {
        const kind = property(randomFrom(seed))
        if (kind !== undefined) met.set(kind, (met.get(kind) ?? 0) + 1)
      } catch (cause) {
        throw new Error(`seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
      }
    }
    if (process.env.SOJOURN_SHOW_KINDS) console.log(name, [...met])
    if (FACTOR >= 1 && SEED === USUAL_SEED) assert.includeMembers([...met.keys()], kinds)
  })
}

/** Says which drawing it was, so that a failure can be looked at. */
const same = <A>(actual: A, expected: A, ...drawings: ReadonlyArray<Polygons>) => {
  if (actual !== expected) assert.strictEqual(actual, expected, drawings.map(textOf).join("\n"))
}

const lineOf = (polygons: Polygons, { from, to }: EdgeAt): ReadonlyArray<Position> =>
  [from, to].map(([part, ring, position]) => polygons[part]![ring]![position]!)

describe("a well-formed area", () => {
  /** On the grid nothing is near without touching, so the kernel and JTS must agree on every drawing. */
  const agreesWithJts = (polygons: Polygons) => {
    const valid = jts.isValid(polygons)
    const fault = faultOf(polygons)
    same(fault === undefined, valid && ringsApart(polygons), polygons)
    if (fault?._tag === "EdgesCross" || fault?._tag === "EdgesTouch") {
      same(jts.distance(lineOf(polygons, fault.edge), lineOf(polygons, fault.otherEdge)), 0, polygons)
    }
    return fault?._tag ?? (polygons.some((part) => part.length > 1) ? "valid with holes" : "valid")
  }

  forAll("is one for JTS: stars on a grid", 500, (random) => agreesWithJts([[gridStar(random, 8)]]), [
    "valid",
    "Spike",
    "EdgesCross",
    "EdgesTouch",
    "RingWithoutArea"
  ])
  forAll("is one for JTS: parts and holes on a grid", 1500, (random) => agreesWithJts(gridJumble(random)), [
    "valid",
    "valid with holes",
    "EdgesCross",
    "EdgesTouch",
    "HoleOutsideShell",
    "HoleInsideHole",
    "PartInsidePart"
  ])
  forAll("stays one when it is turned and rounded to 7 decimals", 500, (random) => {
    const drawing = project(polyomino(random, randomCells(random)), turnedProjection(random, 7))
    same(faultOf(drawing), undefined, drawing)
  })

  forAll("does not depend on how it is written", 300, (random) => {
    const drawing = random.chance(0.5) ? gridJumble(random) : polyomino(random, randomCells(random))
    const otherwise = drawing.map((part) => part.map((ring) => rewritten(random, ring))).reverse()
    same(faultOf(otherwise) === undefined, faultOf(drawing) === undefined, drawing, otherwise)
  })
})

/** The same ring: started elsewhere, run backwards, with points repeated, and with points added on its sides. */
const rewritten = (random: Random, ring: ReadonlyArray<Position>): ReadonlyArray<Position> => {
  const open = ring.slice(0, -1)
  const start = random.below(open.length)
  const turned = [...open.slice(start), ...open.slice(0, start)]
  const corners = random.chance(0.5) ? turned : turned.reverse()
  const written = corners.flatMap(([x, y], i): Array<Position> => {
    const [u, v] = corners[(i + 1) % corners.length]!
    const repeated: Array<Position> = random.chance(0.2)
      ? [
          [x, y],
          [x, y]
        ]
      : [[x, y]]
    return random.chance(0.3) ? [...repeated, [(x + u) / 2, (y + v) / 2]] : repeated
  })
  return [...written, written[0]!]
}

/** Asks both, and checks that the edges named in a refusal are where it says. */
const relationsAgree = (one: Polygons, other: Polygons) => {
  const { covers, overlap } = jts.relation(one, other)
  const [outer, inner] = [area(one), area(other)]

  const notInside = whyNotInside(outer, inner)
  same(notInside === undefined, covers, one, other)
  if (notInside?._tag === "BordersCross" || notInside?._tag === "BackToBack") {
    same(jts.distance(lineOf(other, notInside.edge), lineOf(one, notInside.otherEdge)), 0, one, other)
  }
  if (notInside?._tag === "EdgeOutside") same(jts.coversLine(one, lineOf(other, notInside.edge)), false, one, other)
  if (notInside?._tag === "GapCovered")
    same(jts.entersInside(other, lineOf(one, notInside.otherEdge)), true, one, other)

  const overlapping = whyOverlap(outer, inner)
  same(overlapping !== undefined, overlap, one, other)
  if (overlapping?._tag === "BordersCross" || overlapping?._tag === "SideBySide") {
    same(jts.distance(lineOf(one, overlapping.edge), lineOf(other, overlapping.otherEdge)), 0, one, other)
  }
  if (overlapping?._tag === "EdgeInside") same(jts.entersInside(other, lineOf(one, overlapping.edge)), true, one, other)
  if (overlapping?._tag === "OtherEdgeInside") {
    same(jts.entersInside(one, lineOf(other, overlapping.otherEdge)), true, one, other)
  }
  return `${notInside?._tag ?? "inside"}, ${overlapping?._tag ?? "apart"}`
}

/** Draws until the drawing is well-formed. */
const validDrawing = (draw: () => Polygons): Polygons => {
  let drawing: Polygons
  do drawing = draw()
  while (faultOf(drawing) !== undefined)
  return drawing
}

/** What two drawings of squares are to each other is known from the squares. */
const relationsFollowCells = (random: Random, projection: Projection) => {
  const cells = randomCells(random)
  const others = comparedCells(random, cells)
  const [one, other] = [project(polyomino(random, cells), projection), project(polyomino(random, others), projection)]
  const inside = [...others].every((cell) => cells.has(cell))
  const overlap = [...others].some((cell) => cells.has(cell))
  same(whyNotInside(area(one), area(other)) === undefined, inside, one, other)
  same(whyOverlap(area(one), area(other)) !== undefined, overlap, one, other)
  return inside ? "inside" : overlap ? "overlap" : "apart"
}

describe("two areas", () => {
  forAll(
    "lie as JTS says: stars on a grid",
    500,
    (random) => {
      const draw = () => validDrawing(() => [[gridStar(random, 8)]])
      return relationsAgree(draw(), draw())
    },
    ["inside, OtherEdgeInside", "EdgeOutside, EdgeInside", "BordersCross, BordersCross"]
  )
  forAll("lie as JTS says: a star and its pieces", 400, (random) => {
    let drawings: ReadonlyArray<Polygons>
    do drawings = cutStar(random, 12)
    while (drawings.some((drawing) => faultOf(drawing) !== undefined))
    return relationsAgree(random.pick(drawings), random.pick(drawings))
  })
  forAll(
    "lie as JTS says: parts and holes on a grid",
    600,
    (random) => {
      const one = validDrawing(() => gridJumble(random))
      const other = validDrawing(() => (random.chance(0.7) ? excerpt(random, one) : gridJumble(random)))
      return random.chance(0.5) ? relationsAgree(one, other) : relationsAgree(other, one)
    },
    [
      "inside, SideBySide",
      "BackToBack, apart",
      "EdgeOutside, apart",
      "EdgeOutside, SideBySide",
      "GapCovered, SideBySide",
      "BordersCross, BordersCross"
    ]
  )
  forAll("lie as JTS says: corners at any double", 250, (random) => {
    const draw = () => validDrawing(() => wideStar(random))
    return relationsAgree(draw(), draw())
  })
  forAll(
    "lie as JTS says: saws between each other's teeth",
    300,
    (random) => {
      const teeth = 1 + random.below(40)
      const [one, other] = saws(teeth, random.between(1, 60), random.pick([0, 0.5, 3]), random.between(-60, 60))
      // Pushed along the teeth by less than the gap, or by more.
      const pushed = other.map((part) =>
        part.map((ring) => ring.map(([x, y]): Position => [x, y + random.pick([0, 0, 5])]))
      )
      const valid = faultOf(one) === undefined && faultOf(pushed) === undefined
      return valid ? relationsAgree(one, pushed) : "not well-formed"
    },
    ["EdgeOutside, apart", "BackToBack, apart", "BordersCross, BordersCross"]
  )
  forAll(
    "lie as JTS says: stars in holes that are stars",
    300,
    (random) => {
      const [count, inner, turn] = [3 + random.below(60), random.between(0.01, 0.9), random.next()]
      const shell: ReadonlyArray<Position> = [
        [-80, -80],
        [80, -80],
        [80, 80],
        [-80, 80],
        [-80, -80]
      ]
      const around: Polygons = [[shell, spikes(count, inner * 40, 40, turn)]]
      const size = 40 * random.pick([1, 0.9, 0.999, 1.1])
      const star: Polygons = [[spikes(random.chance(0.7) ? count : 7, inner * size, size, turn)]]
      return random.chance(0.5) ? relationsAgree(around, star) : relationsAgree(star, around)
    },
    ["BackToBack, apart", "EdgeOutside, apart", "BordersCross, BordersCross"]
  )
  forAll("lie as their squares do, turned", 300, (random) => relationsFollowCells(random, turnedProjection(random)), [
    "inside",
    "overlap",
    "apart"
  ])
  forAll("lie as their squares do, turned and rounded to 7 decimals", 500, (random) =>
    relationsFollowCells(random, turnedProjection(random, 7))
  )

  forAll("lie as their squares do, turned and rounded to 6 decimals", 500, (random) =>
    relationsFollowCells(random, turnedProjection(random, 6))
  )

  forAll("lie as their squares do, turned and drawn by an unsteady hand", 300, (random) => {
    const turned = turnedProjection(random)
    const unsteady = (n: number) => n + random.between(-0.25, 0.25) * Area.SHARED_DISTANCE
    return relationsFollowCells(random, (position) => {
      const [lng, lat] = turned(position)
      return [unsteady(lng), unsteady(lat)]
    })
  })

  forAll("share a border as far as it is shared by the distance, and no further", 250, (random) => {
    const turned = turnedProjection(random)
    const [x0, x1] = [turned([0, 0]), turned([1, 0])]
    const size = Math.hypot(x1[0] - x0[0], x1[1] - x0[1])
    // A square of 2 at the west side of a square of 4: inside it, or, beyond the side, next to it.
    const pushed = (west: number, by: number): Polygons => {
      const x = west - (by * Area.SHARED_DISTANCE) / size
      const corners: ReadonlyArray<Position> = [
        [x, 1],
        [x + 2, 1],
        [x + 2, 3],
        [x, 3],
        [x, 2],
        [x, 1]
      ]
      return project([[corners]], turned)
    }
    const around = area(
      project(
        [
          [
            [
              [0, 0],
              [4, 0],
              [4, 4],
              [0, 4],
              [0, random.between(0.2, 3.8)],
              [0, 0]
            ]
          ]
        ],
        turned
      )
    )
    for (const by of [-0.9, -0.3, 0.3, 0.9]) {
      assert.isUndefined(whyNotInside(around, area(pushed(0, by))), `${by} inside`)
      assert.isUndefined(whyOverlap(around, area(pushed(-2, by))), `${by} apart`)
    }
    for (const by of [1.1, 1.5, 2, 3, 5, 1000]) {
      assert.isDefined(whyNotInside(around, area(pushed(0, by))), `${by} beyond`)
      assert.isDefined(whyOverlap(around, area(pushed(-2, -by))), `${by} over`)
    }
  })

  /** Splits a rectangle by walls into rooms of 2 by 2 at least. */
  const roomsIn = (random: Random, [x0, y0, x1, y1]: Room): ReadonlyArray<Room> => {
    const [width, height] = [x1 - x0, y1 - y0]
    if (Math.max(width, height) < 4 || random.chance(0.1)) return [[x0, y0, x1, y1]]
    if (width > height) {
      const x = random.between(x0 + 2, x1 - 2)
      return [...roomsIn(random, [x0, y0, x, y1]), ...roomsIn(random, [x, y0, x1, y1])]
    }
    const y = random.between(y0 + 2, y1 - 2)
    return [...roomsIn(random, [x0, y0, x1, y]), ...roomsIn(random, [x0, y, x1, y1])]
  }
  /** Metres on a turned ground somewhere, as a drawing program writes them: with 6 decimals. */
  const onGround = (random: Random) => {
    const [lng, lat, turn] = [random.between(-179, 179), random.between(-80, 80), random.between(0, 7)]
    const degree = 1 / 111_320
    const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6
    return ([x, y]: Position): Position => [
      rounded(lng + ((x * Math.cos(turn) - y * Math.sin(turn)) * degree) / Math.cos((lat * Math.PI) / 180)),
      rounded(lat + (x * Math.sin(turn) + y * Math.cos(turn)) * degree)
    ]
  }
  const drawn = ([x0, y0, x1, y1]: Room, ground: (position: Position) => Position): Polygons => [
    [
      [
        [x0, y0],
        [x1, y0],
        [x1, y1],
        [x0, y1],
        [x0, y0]
      ].map(([x, y]) => ground([x!, y!]))
    ]
  ]

  forAll(
    "are the rooms of a plan with slanted walls of 6 decimals, which share them, or overlap by half a metre or more",
    60,
    (random) => {
      const ground = onGround(random)
      const outline: Room = [0, 0, random.between(6, 30), random.between(6, 30)]
      const rooms = roomsIn(random, outline)
      const areas = rooms.map((room) => area(drawn(room, ground)))
      const building = area(drawn(outline, ground))
      for (const [n, one] of areas.entries()) {
        same(whyNotInside(building, one), undefined, building.polygons, one.polygons)
        for (const other of areas.slice(n + 1)) same(whyOverlap(one, other), undefined, one.polygons, other.polygons)
      }
      const room = random.pick(rooms)
      const [x0, y0, x1, y1] = room
      const pushed = area(drawn([x0 - 1, y0 - 1, x1 + 1, y1 + 1], ground))
      const isAtOutline = x0 === 0 || y0 === 0 || x1 === outline[2] || y1 === outline[3]
      if (isAtOutline) assert.isDefined(whyNotInside(building, pushed))
      const apart = rooms.map((other, n) => [other, whyOverlap(areas[n]!, pushed)] as const)
      for (const [[u0, v0, u1, v1], overlap] of apart) {
        const meets = u0 < x1 + 0.4 && u1 > x0 - 0.4 && v0 < y1 + 0.4 && v1 > y0 - 0.4
        if (meets) assert.isDefined(overlap)
      }
    }
  )

  forAll(
    "overlap where they are one area, drawn with corners as near as the borders that two areas share",
    60,
    (random) => {
      const count = 8 + random.below(90)
      const step = Area.SHARED_DISTANCE * random.between(0.3, 2.5)
      const radius = (count * step) / (2 * Math.PI)
      const circle = (turn: number): Polygons => {
        const corners = Array.from({ length: count }, (_, n): Position => {
          const angle = (2 * Math.PI * (n + turn)) / count
          return [11 + radius * Math.cos(angle), 45 + radius * Math.sin(angle)]
        })
        return [[[...corners, corners[0]!]]]
      }
      const [one, other] = [circle(0), circle(random.next())]
      if (faultOf(one) !== undefined || faultOf(other) !== undefined) return "not well-formed"
      assert.isDefined(whyOverlap(area(one), area(other)), textOf(one))
      return "well-formed"
    },
    ["well-formed"]
  )
})

type Room = readonly [x0: number, y0: number, x1: number, y1: number]
