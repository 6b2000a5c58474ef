/** Features that become places: parents first, in whatever order they come, and each refused by itself. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result } from "effect"
import {
  type AreaAnswer,
  type AreaQuestion,
  checkAreas,
  DEFAULT_AREA_LIMITS,
  FeatureInvalid,
  type OrganizationId,
  parseTrackingArea,
  placeConflict,
  type PlaceFeature,
  type PlaceId,
  type PlaceRecord,
  plannedFeature,
  plannedId,
  planPlaces,
  boundsOf
} from "../../../src/index.ts"
import { anyOf, integer } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const square = (x: number, y: number, side: number): string => {
  const [west, south, east, north] = [x, y, x + side, y + side].map((n) => n / 1000)
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south]
  ]
  return JSON.stringify({ type: "Polygon", coordinates: [ring] })
}

const areaOf = (text: string) => Result.getOrThrow(parseTrackingArea(text))
const organizationArea = areaOf(square(0, 0, 100))

/** Compares the areas of a question. */
const answerOf = ({ area, relations }: AreaQuestion): AreaAnswer => {
  const stored = relations.map(({ other }) => other.trackingArea.text)
  const checks = relations.map(({ relation }, other) => ({ relation, subject: undefined, other }))
  const steps = checkAreas({ area: area.text, stored, relations: checks })
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  const found = step.value
  return found?._tag === "Conflict" ? placeConflict(relations[found.index]!, found.fault) : undefined
}

const plan = (
  features: ReadonlyArray<Result.Result<PlaceFeature, FeatureInvalid>>,
  places: ReadonlyArray<PlaceRecord> = [],
  limits = DEFAULT_AREA_LIMITS
) => {
  const organizationId = 1n as OrganizationId
  const steps = planPlaces(features, { organizationId, organizationArea, places, points: 0, limits })
  let step = steps.next()
  while (step.done !== true) step = steps.next(answerOf(step.value))
  return step.value
}

const planOf = (features: ReadonlyArray<PlaceFeature>, places?: ReadonlyArray<PlaceRecord>) =>
  plan(features.map(Result.succeed), places)

const stored = (id: bigint, text: string): PlaceRecord => {
  const trackingArea = areaOf(text)
  return { id: id as PlaceId, trackingArea, bounds: boundsOf(trackingArea), floor: 3, level: 3, ancestors: [] }
}

const room = (x: number, parent?: string): PlaceFeature => ({ trackingArea: square(x, 10, 5), parent })

describe("places of features", () => {
  it.prop(
    "are the same in whatever order their features come",
    {
      chain: Arbitrary.array(
        Arbitrary.all({ floor: integer(0, 2), slot: integer(0, 3), level: anyOf([undefined, -1, 4]) }),
        {
          minLength: 1,
          maxLength: 8
        }
      ),
      keys: Arbitrary.array(integer(0, 1_000), { minLength: 11, maxLength: 11 })
    },
    ({ chain, keys }) => {
      const buildings = [0, 1, 2].map((n): PlaceFeature => ({ id: `b${n}`, level: n, trackingArea: square(0, 0, 100) }))
      // No two rooms of a building have one slot.
      const slots = new Map(chain.map((one) => [`${one.floor} ${one.slot}`, one]))
      const rooms = Array.from(slots.values(), ({ floor, slot, level }, n): PlaceFeature => {
        return { name: `room ${n}`, level, parent: `b${floor}`, trackingArea: square(30 * floor + 6 * slot, 10 * n, 5) }
      })
      const features = [...buildings, ...rooms]
      const shuffled = features
        .map((one, n) => [keys[n]!, one] as const)
        .sort(([one], [other]) => one - other)
        .map(([, one]) => one)
      const found = planOf(shuffled)
      const named = (planned: typeof found) =>
        Object.fromEntries(
          planned.places.map(({ place, position }) => [
            place.name ?? position.floor,
            [position.floor, position.level, position.ancestors.map((id) => shuffled[plannedFeature(id)!]!.id)]
          ])
        )
      assert.deepStrictEqual(found.refused, [])
      assert.strictEqual(found.places.length, features.length)
      const ids = new Set<PlaceId>()
      for (const { id, position } of found.places) {
        for (const above of position.ancestors) assert.isTrue(ids.has(above))
        ids.add(id)
      }
      for (const [n, { level, parent }] of rooms.entries()) {
        const floor = Number(parent!.slice(1))
        assert.deepStrictEqual(named(found)[`room ${n}`], [level ?? floor, level, [parent]])
      }
    },
    trials()
  )

  it("have a place, a feature's id or a feature's name as their parent, the id first", () => {
    const outer = stored(7n, square(90, 90, 5))
    const { places, refused } = planOf(
      [
        { id: "7", name: "a", trackingArea: square(50, 0, 50) },
        room(60, "7"),
        { ...room(70, "a"), name: "b" },
        { ...room(10, "8"), level: 3 }
      ],
      [outer, stored(8n, square(5, 5, 40))]
    )
    assert.deepStrictEqual(refused, [])
    assert.deepStrictEqual(
      places.map(({ feature, position }) => [feature, position.floor, position.ancestors]),
      [
        [0, 0, []],
        [3, 3, [8n as PlaceId]],
        [1, 0, [plannedId(0)]],
        [2, 0, [plannedId(0)]]
      ]
    )
  })

  it("are refused one by one, with their parts", () => {
    const malformed = new FeatureInvalid({ reason: "It has no geometry." })
    const { places, refused } = plan([
      Result.succeed({ ...room(10), name: "one" }),
      Result.succeed(room(12)),
      Result.fail(malformed),
      Result.succeed({ ...room(20), id: "part", parent: "whole" }),
      Result.succeed({ trackingArea: square(99, 0, 5), id: "whole" }),
      Result.succeed(room(30, "nowhere")),
      Result.succeed({ ...room(40, "y"), id: "x" }),
      Result.succeed({ ...room(40, "x"), id: "y" }),
      Result.succeed(room(40, "y")),
      Result.succeed(room(50, "9")),
      Result.succeed({ ...room(60), name: "two" }),
      Result.succeed({ ...room(70), name: "two" }),
      Result.succeed(room(60, "two")),
      Result.succeed({ ...room(80), name: "self", parent: "self" }),
      Result.succeed({ trackingArea: "[]" })
    ])
    assert.deepStrictEqual(
      places.map(({ feature }) => feature),
      [0, 10, 11]
    )
    assert.deepStrictEqual(
      refused.map(({ feature, refusal }) => [
        feature,
        refusal._tag === "FeatureInvalid" ? refusal.reason : refusal._tag
      ]),
      [
        [1, "PlacesOverlap"],
        [2, "It has no geometry."],
        [3, "Its parent, feature 4, is refused."],
        [4, "PlaceOutsideOrganization"],
        [5, "Its parent is neither another feature nor a placeId."],
        [6, "ParentInsidePlace"],
        [7, "ParentInsidePlace"],
        [8, "ParentInsidePlace"],
        [9, "ParentNotFound"],
        [12, "Several features have the name that is its parent."],
        [13, "Its parent is neither another feature nor a placeId."],
        [14, "TrackingAreaMalformed"]
      ]
    )
    const overlap = refused[0]!.refusal
    assert.strictEqual(overlap._tag === "PlacesOverlap" ? plannedFeature(overlap.placeId) : undefined, 0)
  })

  it("respect the limits of the organization, with the places that are there", () => {
    const rooms = [10, 20, 30].map((x) => Result.succeed(room(x)))
    const found = plan(rooms, [stored(7n, square(0, 0, 5))], { ...DEFAULT_AREA_LIMITS, places: 3 })
    assert.strictEqual(found.places.length, 2)
    assert.deepStrictEqual(
      found.refused.map(({ refusal }) => refusal._tag),
      ["TooManyPlaces"]
    )
    const detailed = plan(rooms, [], { ...DEFAULT_AREA_LIMITS, points: 10 })
    assert.strictEqual(detailed.places.length, 2)
    assert.deepStrictEqual(
      detailed.refused.map(({ refusal }) => refusal._tag),
      ["PlacesTooDetailed"]
    )
  })
})
