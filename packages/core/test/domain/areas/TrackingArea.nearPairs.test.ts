/** The sweep against all pairs of edges, each tried with exact predicates: it must leave out none that touch or cross. */
import { assert, describe, it } from "@effect/vitest"
import { type Border, borderOf, cornerTouches, crosses } from "../../../src/domain/areas/geometry/Border.ts"
import { visitNearPairs } from "../../../src/domain/areas/geometry/NearPairs.ts"
import {
  type Polygons,
  type Position,
  SHARED_DISTANCE,
  TOUCHING_DISTANCE
} from "../../../src/domain/areas/TrackingArea.ts"
import {
  gridJumble,
  gridScribble,
  gridStar,
  polyomino,
  project,
  type Random,
  randomCells,
  randomFrom,
  turnedProjection,
  wideStar
} from "./TrackingArea.drawings.ts"
import { chain, saws, spikes, tips, turned } from "./TrackingArea.hostile.ts"

/** Corners on a grid much finer than the touching distance, or not so much. */
const tinyScribble = (random: Random): Polygons => {
  const step = TOUCHING_DISTANCE * random.pick([0.25, 0.5, 0.9, 1, 1.1, 2])
  return gridScribbleOf(random, 12).map((rings) =>
    rings.map((ring) => ring.map(([x, y]): Position => [45 + x * 8 * step, y * 8 * step]))
  )
}
const gridScribbleOf = (random: Random, size: number): Polygons => [[gridScribble(random, size)]]

/** Moves each corner by a step of about the touching distance, or leaves it. */
const unsteady = (random: Random, polygons: Polygons): Polygons => {
  const off = () => (random.below(5) - 2) * TOUCHING_DISTANCE * 0.5
  return polygons.map((rings) => rings.map((ring) => ring.map(([x, y]): Position => [x + off(), y + off()])))
}

const draw = (random: Random): Polygons => {
  const drawing = random.pick([
    () => [[gridStar(random, 8)]],
    () => gridScribbleOf(random, 6),
    () => gridJumble(random),
    () => polyomino(random, randomCells(random)),
    () => wideStar(random),
    () => tinyScribble(random),
    () => [[spikes(3 + random.below(40), random.next(), 1, random.next())]],
    () =>
      turned(random.pick(saws(3 + random.below(30), random.between(1, 90), random.below(3))), random.next() * 7, 0.5),
    () => random.pick(tips(10 + random.below(50))),
    () => random.pick(chain(10 + random.below(50)))
  ])()
  return random.chance(0.3) ? project(drawing, turnedProjection(random, 7)) : drawing
}

const touchOrCross = (one: Border, e: number, other: Border, f: number, distance: number): boolean =>
  crosses(one, e, other, f) ||
  cornerTouches(one, e, other, f, distance) ||
  cornerTouches(one, one.next[e]!, other, f, distance) ||
  cornerTouches(other, f, one, e, distance) ||
  cornerTouches(other, other.next[f]!, one, e, distance)

/** All pairs that touch or cross: within a border each pair once, however its edges are named. */
const expected = (one: Border, distance: number, other?: Border): ReadonlyArray<string> => {
  const pairs: Array<string> = []
  for (let e = 0; e < one.count; e++) {
    for (let f = other === undefined ? e + 1 : 0; f < (other ?? one).count; f++) {
      if (touchOrCross(one, e, other ?? one, f, distance)) pairs.push(`${e} ${f}`)
    }
  }
  return pairs.sort()
}

const visited = (one: Border, distance: number, other?: Border): Array<readonly [number, number]> => {
  const pairs: Array<readonly [number, number]> = []
  const seen = visitNearPairs(one, other, distance, (e, f) => {
    if (touchOrCross(one, e, other ?? one, f, distance)) pairs.push([e, f])
    return false
  })
  assert.isFalse(seen)
  return pairs
}

/** Where a pair stands from west to east: by its later edge, then by its earlier one. */
const ranked = (one: Border, distance: number, other: Border | undefined, [e, f]: readonly [number, number]) => {
  const place = (border: Border, edge: number, after: number) =>
    [Math.min(border.ax[edge]!, border.bx[edge]!) - distance, after + edge] as const
  return [place(one, e, 0), place(other ?? one, f, other === undefined ? 0 : one.count)]
    .sort((a, b) => b[0] - a[0] || b[1] - a[1])
    .flat()
}
const inOrder = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): boolean => {
  const i = a.findIndex((n, at) => n !== b[at])
  return i < 0 || a[i]! < b[i]!
}

const RUNS = Math.round(600 * Number(process.env.SOJOURN_RUNS_FACTOR ?? 1))
const SEED = Number(process.env.SOJOURN_SEED ?? 20260301)

describe("the pairs of edges that are near", () => {
  it(
    `are all that touch or cross, from west to east (${RUNS} cases from seed ${SEED})`,
    {
      timeout: 600_000 * Math.max(1, RUNS / 600)
    },
    () => {
      let met = 0
      for (let seed = SEED; seed < SEED + RUNS; seed++) {
        const random = randomFrom(seed)
        const drawing = draw(random)
        const one = borderOf(drawing)
        const alone = random.chance(0.3)
        const other = alone ? undefined : borderOf(random.chance(0.5) ? unsteady(random, drawing) : draw(random))
        const distance = alone ? TOUCHING_DISTANCE : random.pick([TOUCHING_DISTANCE, SHARED_DISTANCE])
        const wanted = expected(one, distance, other)
        met += wanted.length
        const pairs = visited(one, distance, other)
        const names = pairs.map(([e, f]) => (alone && e > f ? `${f} ${e}` : `${e} ${f}`)).sort()
        assert.deepStrictEqual(names, wanted, `seed ${seed}`)
        const ranks = pairs.map((pair) => ranked(one, distance, other, pair))
        assert.isTrue(
          ranks.every((rank, i) => i === 0 || inOrder(ranks[i - 1]!, rank)),
          `seed ${seed}: order`
        )
      }
      assert.isAbove(met, RUNS)
    }
  )

  it("end with the first visit that has seen enough", () => {
    const star = borderOf([[spikes(100, 0.1, 1)]])
    for (const other of [undefined, star]) {
      let visits = 0
      assert.isTrue(visitNearPairs(star, other, TOUCHING_DISTANCE, () => ++visits === 7))
      assert.strictEqual(visits, 7)
    }
  })
})
