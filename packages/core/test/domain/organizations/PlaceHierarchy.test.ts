/** Floors and rooms: the relations that a change compares, against a slow oracle that checks every pair of places. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result } from "effect"
import {
  boundsOf,
  MAX_PLACE_DEPTH,
  moveDescendants,
  nearPlaces,
  PlaceId,
  type PlaceRecord,
  positionOf,
  relationsOf
} from "../../../src/index.ts"
import {
  anyOf,
  type GridRectangle,
  integer,
  maybe,
  rectangle,
  rectangleArea,
  rectangleInside,
  rectanglesOverlap,
  wholeGrid
} from "@sojourn/testing"
import { firstConflict } from "../areas/TrackingArea.texts.ts"
import { trials } from "../../trials.ts"

/** A place as the oracle knows it. */
interface Plot {
  readonly id: PlaceId
  readonly area: GridRectangle
  readonly level: number | undefined
  readonly parentId: PlaceId | undefined
}

type Plots = ReadonlyMap<PlaceId, Plot>

const ancestorsOf = (plots: Plots, { parentId }: Plot): ReadonlyArray<PlaceId> | undefined => {
  const ancestors: Array<PlaceId> = []
  for (let at = parentId; at !== undefined; at = plots.get(at)!.parentId) {
    if (ancestors.length > plots.size) return undefined
    ancestors.unshift(at)
  }
  return ancestors
}

const floorOf = (plots: Plots, plot: Plot): number =>
  plot.level ?? (plot.parentId === undefined ? 0 : floorOf(plots, plots.get(plot.parentId)!))

/** Whether all parents are places that are not parts of their parts, and at most so many places lie above one another. */
const isTree = (plots: Plots): boolean =>
  [...plots.values()].every((plot) => {
    if (plot.parentId !== undefined && !plots.has(plot.parentId)) return false
    const ancestors = ancestorsOf(plots, plot)
    return ancestors !== undefined && !ancestors.includes(plot.id) && ancestors.length < MAX_PLACE_DEPTH
  })

/** Whether each place lies inside its parent, and all that must be apart are. */
const isSound = (plots: Plots): boolean =>
  [...plots.values()].every(
    (one) =>
      (one.parentId === undefined || rectangleInside(plots.get(one.parentId)!.area, one.area)) &&
      [...plots.values()].every(
        (other) =>
          one.id === other.id ||
          ancestorsOf(plots, one)!.includes(other.id) ||
          ancestorsOf(plots, other)!.includes(one.id) ||
          floorOf(plots, one) !== floorOf(plots, other) ||
          !rectanglesOverlap(one.area, other.area)
      )
  )

const recordOf = (plots: Plots, plot: Plot): PlaceRecord => ({
  id: plot.id,
  trackingArea: rectangleArea(plot.area),
  bounds: boundsOf(rectangleArea(plot.area)),
  level: plot.level,
  floor: floorOf(plots, plot),
  ancestors: ancestorsOf(plots, plot)!
})

/** Whether the rules accept a change of one place. */
const accepts = (before: Plots, after: Plot): boolean => {
  const stored = before.get(after.id)
  const self = stored && recordOf(before, stored)
  const others = [...before.values()].filter(({ id }) => id !== after.id).map((plot) => recordOf(before, plot))
  const area = rectangleArea(after.area)
  const isPositioned = stored?.level !== after.level || stored?.parentId !== after.parentId
  const records = nearPlaces(others, { ...after, bounds: boundsOf(area) }, self, isPositioned)
  const position = positionOf(after, records, self?.id)
  if (Result.isFailure(position)) return false
  const descendants = self === undefined ? Result.succeed([]) : moveDescendants(self, position.success, records)
  if (Result.isFailure(descendants)) return false
  const isMoved = stored === undefined || boundsText(stored.area) !== boundsText(after.area)
  const change = {
    self,
    position: position.success,
    bounds: isMoved ? boundsOf(area) : undefined,
    descendants: descendants.success
  }
  return relationsOf(change, records).every(
    ({ relation, subject, other }) =>
      firstConflict((subject?.trackingArea ?? area).text, relation, [other.trackingArea.text]) === undefined
  )
}

const boundsText = (area: GridRectangle) => JSON.stringify(area)

const SIZE = 3

/** A place to create, or a change of one that exists, by numbers. Parents are places by their number, above all: none. */
const step = Arbitrary.all([
  integer(0, 9),
  rectangle(SIZE),
  maybe(anyOf([0, 1, 2])),
  integer(0, 12),
  anyOf(["area", "level", "parent", "all"])
])

type Step = typeof step extends Arbitrary.Arbitrary<infer A> ? A : never

interface Seen {
  readonly before: Plots
  readonly after: Plot
}

/** The changes that a history tries on a tree that stays sound. */
const changesOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Seen> => {
  const plots = new Map<PlaceId, Plot>()
  return steps.map(([at, area, level, parent, changed]) => {
    const id = PlaceId.make(BigInt(at + 1))
    const parentId = parent < 10 ? PlaceId.make(BigInt(parent + 1)) : undefined
    const drawn: Plot = { id, area, level, parentId }
    const stored = plots.get(id)
    const after: Plot =
      stored === undefined || changed === "all"
        ? drawn
        : changed === "area"
          ? { ...stored, area }
          : changed === "level"
            ? { ...stored, level }
            : { ...stored, parentId }
    const before = new Map(plots)
    const whole = new Map(plots).set(id, after)
    if (isTree(whole) && isSound(whole)) plots.set(id, after)
    return { before, after }
  })
}

const isAllowed = ({ before, after }: Seen): boolean => {
  const whole = new Map(before).set(after.id, after)
  return isTree(whole) && isSound(whole)
}

describe("a change of a place with floors and rooms", () => {
  const history = { steps: Arbitrary.array(step, { minLength: 1, maxLength: 30 }) }

  it.prop(
    "is accepted exactly when every place then lies inside its parent, and all places of a floor are apart",
    history,
    ({ steps }) => {
      for (const seen of changesOf(steps)) {
        assert.strictEqual(accepts(seen.before, seen.after), isAllowed(seen), JSON.stringify(seen.after.area))
      }
    },
    trials(500)
  )
})

describe("the position of a place", () => {
  const record = (id: bigint, ancestors: ReadonlyArray<bigint>, level?: number): PlaceRecord => ({
    id: PlaceId.make(id),
    trackingArea: rectangleArea(wholeGrid(1)),
    bounds: { west: 0, east: 1, south: 0, north: 1 },
    level,
    floor: level ?? 0,
    ancestors: ancestors.map((ancestor) => PlaceId.make(ancestor))
  })

  it("is refused under a place that does not exist, under itself, and under its own part", () => {
    const records = [record(1n, []), record(2n, [1n])]
    const under = (parentId: bigint) =>
      positionOf({ parentId: PlaceId.make(parentId) }, records.slice(1), PlaceId.make(1n))
    const refusal = (parentId: bigint) => Result.getOrThrow(Result.flip(under(parentId)))._tag
    assert.deepStrictEqual(
      [refusal(1n), refusal(2n), refusal(3n)],
      ["ParentInsidePlace", "ParentInsidePlace", "ParentNotFound"]
    )
  })

  it("is refused above the largest depth, for the place and for its parts", () => {
    const chain = Array.from({ length: MAX_PLACE_DEPTH }, (_, index) =>
      record(
        BigInt(index + 1),
        Array.from({ length: index }, (_, above) => BigInt(above + 1))
      )
    )
    const last = chain.at(-1)!
    const deeper = positionOf({ parentId: last.id }, chain)
    assert.strictEqual(Result.getOrThrow(Result.flip(deeper))._tag, "PlacesTooDeep")
    const other = record(100n, [])
    const position = Result.getOrThrow(positionOf({ parentId: other.id }, [...chain, other], chain[0]!.id))
    const moved = moveDescendants(chain[0]!, position, [...chain.slice(1), other])
    assert.strictEqual(Result.getOrThrow(Result.flip(moved))._tag, "PlacesTooDeep")
  })
})
