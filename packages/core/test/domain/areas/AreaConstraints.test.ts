/** The limits on tracking areas: the largest area, places inside their organization and apart, counts of places and points. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result } from "effect"
import {
  areaWeight,
  changePlace,
  OrganizationId,
  type Place,
  type PlaceChange,
  PlaceId,
  placeName,
  type RelationCheck,
  relationKey,
  requireCompared,
  respectsMaxArea,
  squareMetres,
  withinAreaLimits
} from "../../../src/index.ts"
import {
  anyOf,
  maybe,
  organizationId,
  placeId,
  rectangle,
  rectangleArea,
  rectangleInside,
  rectanglesOverlap,
  text,
  wholeGrid
} from "@sojourn/testing"
import { firstConflict, whyOverlap } from "./TrackingArea.texts.ts"
import { refusal, trials, verdict } from "../../trials.ts"

describe("a tracking area", () => {
  it.prop(
    "is no larger than the organization may have",
    { drawn: rectangle(4), share: anyOf([undefined, 0, 0.5, 0.999999, 1, 1.000001, 2]) },
    ({ drawn, share }) => {
      const area = rectangleArea(drawn)
      const size = squareMetres(area)
      const maxArea = share === undefined ? undefined : size * share
      const result = respectsMaxArea(area, maxArea)
      assert.strictEqual(verdict(result), share === undefined || share >= 1 ? "accepted" : "TrackingAreaTooLarge")
      if (Result.isFailure(result))
        assert.deepStrictEqual([result.failure.area, result.failure.maxArea], [size, maxArea])
    },
    trials()
  )

  it.prop(
    "of a place lies inside its organization's, whose border it may touch, whichever of both is the new one",
    { outer: rectangle(4), drawn: rectangle(4) },
    ({ outer, drawn }) => {
      const [organization, place] = [rectangleArea(outer).text, rectangleArea(drawn).text]
      const inside = firstConflict(place, "inside", [organization])
      assert.strictEqual(inside === undefined, rectangleInside(outer, drawn))
      assert.deepStrictEqual(firstConflict(organization, "around", [place]), inside)
    },
    trials(500)
  )

  it.prop(
    "of a place shares no more than a border with others, and is in conflict with the first that it overlaps",
    { drawn: rectangle(4), others: Arbitrary.array(rectangle(4), { maxLength: 6 }) },
    ({ drawn, others }) => {
      const texts = others.map((other) => rectangleArea(other).text)
      const conflict = firstConflict(rectangleArea(drawn).text, "apart", texts)
      const index = others.findIndex((other) => rectanglesOverlap(other, drawn))
      assert.strictEqual(conflict?.index ?? -1, index)
      const fault = index < 0 ? undefined : whyOverlap(rectangleArea(others[index]!), rectangleArea(drawn))
      assert.deepStrictEqual(conflict?.fault, fault)
    },
    trials(500)
  )

  it.prop(
    "weighs its points, and its text where that has more than 128 bytes for each of them",
    { drawn: rectangle(4), padding: anyOf([0, 1, 400, 639, 640, 100_000]), letter: anyOf([" ", "é"]) },
    ({ drawn, padding, letter }) => {
      const { text, polygons } = rectangleArea(drawn)
      const long = text + letter.repeat(padding)
      const bytes = Buffer.byteLength(long)
      assert.strictEqual(areaWeight({ text: long, polygons }), Math.max(5, Math.ceil(bytes / 128)))
    },
    trials(50)
  )
})

describe("an organization", () => {
  it.prop(
    "has no more places than it may, and no more points in all; what adds nothing is accepted above that, too",
    {
      places: anyOf([0, 1, 2, 3, 4]),
      points: anyOf([0, 4, 5, 6, 10]),
      most: anyOf([1, 3]),
      mostPoints: anyOf([5, 10, 11]),
      former: anyOf([undefined, "", " ".repeat(1_000)]),
      padding: anyOf(["", " ".repeat(1_000)])
    },
    ({ places, points, most, mostPoints, former, padding }) => {
      const padded = (by: string) => ({ ...rectangleArea(wholeGrid(1)), text: rectangleArea(wholeGrid(1)).text + by })
      const area = padded(padding)
      const before = former === undefined ? undefined : padded(former)
      const limits = { places: most, points: mostPoints, work: 0 }
      const result = withinAreaLimits(area, { places, points }, limits, before)
      const after = points + areaWeight(area)
      const adds = before === undefined || areaWeight(area) > areaWeight(before)
      const expected =
        before === undefined && places + 1 > most
          ? "TooManyPlaces"
          : adds && after > mostPoints
            ? "PlacesTooDetailed"
            : "accepted"
      assert.strictEqual(verdict(result), expected)
      if (expected === "TooManyPlaces") assert.deepStrictEqual(refusal(result), { _tag: expected, mostPlaces: most })
      if (expected === "PlacesTooDetailed") {
        assert.deepStrictEqual(refusal(result), { _tag: expected, points: after, mostPoints })
      }
    },
    trials(1000)
  )

  it.prop(
    "is changed when every area that the change meets was compared, as it is stored",
    {
      stored: Arbitrary.array(anyOf(["1", "2"]), { maxLength: 4 }),
      compared: Arbitrary.array(anyOf([undefined, "1", "2"]), { maxLength: 4 }),
      before: anyOf(["none", "1", "2"]),
      after: anyOf(["none", "1", "2"])
    },
    ({ stored, compared, before, after }) => {
      const areaOf = (id: number, text: string) => ({
        id: PlaceId.make(BigInt(id)),
        trackingArea: { text, polygons: [] }
      })
      const check = (n: number, text: string, subject: string): RelationCheck => ({
        relation: "apart",
        subject: subject === "none" ? undefined : areaOf(9, subject),
        other: areaOf(n + 1, text)
      })
      const made = compared.flatMap((text, n) => (text === undefined ? [] : [check(n, text, before)]))
      const relations = stored.map((text, n) => check(n, text, after))
      const result = requireCompared(new Map(made.map((one) => [relationKey(one), one])), relations)
      const missing = relations.filter((_, n) => compared[n] !== stored[n] || before !== after)
      if (missing.length === 0) assert.isTrue(Result.isSuccess(result))
      else assert.deepStrictEqual(refusal(result), { _tag: "AreasNotCompared", relations: missing })
    },
    trials(1000)
  )
})

describe("a place", () => {
  const named = maybe(text(0, 128))

  it.prop(
    "is called by its name, or by its id when it has none",
    { id: placeId, name: named },
    ({ id, name }) => {
      const place = { id, organizationId: OrganizationId.make(1n), name, trackingArea: rectangleArea(wholeGrid(1)) }
      assert.strictEqual(placeName(place), name === undefined ? `Place ${id}` : name)
    },
    trials(50)
  )

  it.prop(
    "changes in the fields that are present, and stays in its organization",
    {
      drawn: rectangle(4),
      name: named,
      organizationId,
      sent: anyOf(["none", "own", "another"]),
      to: maybe(rectangle(4)),
      called: anyOf([undefined, null, "", "Hall", "Place 7"])
    },
    ({ drawn, name, organizationId, sent, to, called }) => {
      const place: Place = { id: PlaceId.make(99n), organizationId, name, trackingArea: rectangleArea(drawn) }
      const elsewhere = OrganizationId.make(organizationId === 1n ? 2n : organizationId - 1n)
      const change: PlaceChange = {
        ...(sent === "none" ? {} : { organizationId: sent === "own" ? organizationId : elsewhere }),
        name: called,
        trackingArea: to === undefined ? undefined : rectangleArea(to)
      }
      const result = changePlace(place, change)
      if (sent === "another") {
        const expected = { _tag: "PlaceStaysInOrganization", organizationId }
        return assert.deepStrictEqual(refusal(result), expected, "it tells where the place is")
      }
      assert.deepStrictEqual(Result.getOrThrow(result), {
        ...place,
        name: called === undefined ? name : (called ?? undefined),
        trackingArea: to === undefined ? place.trackingArea : rectangleArea(to)
      })
      const again = changePlace(Result.getOrThrow(result), change)
      assert.deepStrictEqual(again, result, "the same change again changes nothing")
    },
    trials(1000)
  )
})
