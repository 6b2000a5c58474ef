import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import {
  changePlace,
  keepsPlacesInside,
  OrganizationId,
  type Place,
  type PlaceChange,
  placeFits,
  PlaceId,
  placeName,
  respectsMaxArea,
  squareMetres
} from "../../src/index.ts"
import {
  anyOf,
  type GridRectangle,
  maybe,
  organizationId,
  placeId,
  rectangle,
  rectangleArea,
  rectangleInside,
  rectanglesOverlap,
  text
} from "../../src/testing/index.ts"
import { refusal, trials, verdict } from "../trials.ts"

const rectangles = Arbitrary.array(rectangle(4), { maxLength: 4 })
const placesOf = (all: ReadonlyArray<GridRectangle>) =>
  all.map((drawn, index) => ({ id: PlaceId.make(BigInt(index + 1)), drawn, trackingArea: rectangleArea(drawn) }))

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
    "of an organization holds all its places, which may touch its border",
    { outer: rectangle(4), all: rectangles },
    ({ outer, all }) => {
      const result = keepsPlacesInside(rectangleArea(outer), placesOf(all))
      const outside = all.findIndex((drawn) => !rectangleInside(outer, drawn))
      assert.strictEqual(verdict(result), outside < 0 ? "accepted" : "PlaceOutsideOrganization")
      if (Result.isSuccess(result)) return
      const named = Option.getOrThrow(result.failure.placeId)
      assert.isFalse(rectangleInside(outer, all[Number(named) - 1]!), "the place that is named is outside")
    },
    trials(500)
  )

  it.prop(
    "of a place lies inside its organization's and shares no more than a border with other places",
    { outer: rectangle(4), drawn: rectangle(4), others: rectangles },
    ({ outer, drawn, others }) => {
      const result = placeFits(rectangleArea(drawn), rectangleArea(outer), placesOf(others))
      const expected = !rectangleInside(outer, drawn)
        ? "PlaceOutsideOrganization"
        : others.some((other) => rectanglesOverlap(other, drawn))
          ? "PlacesOverlap"
          : "accepted"
      assert.strictEqual(verdict(result), expected)
      if (Result.isSuccess(result)) return
      if (result.failure._tag === "PlaceOutsideOrganization") assert.isTrue(Option.isNone(result.failure.placeId))
      else
        assert.isTrue(rectanglesOverlap(others[Number(result.failure.placeId) - 1]!, drawn), "the place that is named")
    },
    trials(1000)
  )
})

describe("a place", () => {
  const named = maybe(text(0, 128))

  it.prop(
    "is called by its name, or by its id when it has none",
    { id: placeId, name: named, drawn: rectangle(4) },
    ({ id, name, drawn }) => {
      const place = { id, organizationId: OrganizationId.make(1n), name, trackingArea: rectangleArea(drawn) }
      assert.strictEqual(placeName(place), name === undefined ? `Place ${id}` : name)
    },
    trials()
  )

  it.prop(
    "changes in the fields that are present, and fits where it is put; one that stays is not looked at again",
    {
      outer: rectangle(4),
      drawn: rectangle(4),
      others: rectangles,
      name: named,
      organizationId,
      sent: anyOf(["none", "own", "another"]),
      to: maybe(rectangle(4)),
      called: anyOf([undefined, null, "", "Hall", "Place 7"])
    },
    ({ outer, drawn, others, name, organizationId, sent, to, called }) => {
      const place: Place = { id: PlaceId.make(99n), organizationId, name, trackingArea: rectangleArea(drawn) }
      const elsewhere = OrganizationId.make(organizationId === 1n ? 2n : organizationId - 1n)
      const change: PlaceChange = {
        ...(sent === "none" ? {} : { organizationId: sent === "own" ? organizationId : elsewhere }),
        name: called,
        trackingArea: to === undefined ? undefined : rectangleArea(to)
      }
      const result = changePlace(place, rectangleArea(outer), placesOf(others), change)
      const moves = to !== undefined && rectangleArea(to).text !== place.trackingArea.text
      const expected =
        sent === "another"
          ? "PlaceStaysInOrganization"
          : moves && !rectangleInside(outer, to)
            ? "PlaceOutsideOrganization"
            : moves && others.some((other) => rectanglesOverlap(other, to))
              ? "PlacesOverlap"
              : "accepted"
      assert.strictEqual(verdict(result), expected)
      if (sent === "another") {
        assert.deepStrictEqual(refusal(result), { _tag: expected, organizationId }, "it tells where the place is")
      }
      if (Result.isFailure(result)) return
      assert.deepStrictEqual(result.success, {
        ...place,
        name: called === undefined ? name : (called ?? undefined),
        trackingArea: to === undefined ? place.trackingArea : rectangleArea(to)
      })
      const again = changePlace(result.success, rectangleArea(outer), placesOf(others), change)
      assert.deepStrictEqual(Result.getOrUndefined(again), result.success, "the same change again changes nothing")
    },
    trials(1000)
  )
})
