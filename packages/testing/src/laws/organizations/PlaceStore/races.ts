/** Laws of `PlaceStore` for concurrent changes of places and areas. */
import {
  Administrator,
  type AreaLimits,
  Organizations,
  type Place,
  PlaceStore,
  areaWeight,
  boundsOf,
  withinAreaLimits
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { type GridRectangle, rectangleArea, rectangleInside, rectanglesOverlap } from "../../../arbitraries/areas.ts"
import {
  anOrganization,
  aPlace,
  closedOf,
  countIn,
  enter,
  onGround,
  type OrganizationFixture,
  placesOf,
  removePlace,
  aPlaceToEnter,
  cell
} from "../../shared/fixtures.ts"
import { allSucceed, race, refused, same, times, concurrently, expectRefusals } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { editPlace, makePlace } from "./servers.ts"

const tryPlace = (fixture: OrganizationFixture, area: GridRectangle) => makePlace(fixture, { area })

const tryMove = (fixture: OrganizationFixture, place: Place, rectangle: GridRectangle) =>
  editPlace(fixture, place, { trackingArea: rectangleArea(rectangle).text })

/** Creates a place if the limit on the number of places allows it. */
const tryPlaceAmong = ({ id, owner }: OrganizationFixture, rectangle: GridRectangle, limits: AreaLimits) =>
  Effect.flatMap(PlaceStore, (store) => {
    const trackingArea = rectangleArea(rectangle)
    return store.create({
      organizationId: id,
      administratorId: owner,
      bounds: boundsOf(trackingArea),
      decide: ({ others }) =>
        Result.map(withinAreaLimits(trackingArea, others, limits), () => onGround({ organizationId: id, trackingArea }))
    })
  })

const tryArea = ({ id, owner }: OrganizationFixture, rectangle: GridRectangle) =>
  Organizations.use((organizations) =>
    organizations.editTrackingArea(Administrator(owner), id, rectangleArea(rectangle).text)
  ).pipe(Effect.provide(Layer.fresh(Organizations.layer)))

export const placeRaceLaws: Laws = (it) => {
  it("of 20 places that overlap and are created at the same moment there is one", function* (fixture) {
    const succeeded = yield* expectRefusals(
      race(times(20, (n) => tryPlace(fixture, { left: n % 3, bottom: 0, right: 8 - (n % 2), top: 4 }))),
      { PlacesOverlap: 19 }
    )
    same(yield* placesOf(fixture.id), succeeded)
  })

  it("places that share a border at most are all created, also at the same moment", function* (fixture) {
    yield* allSucceed(times(16, (n) => tryPlace(fixture, cell(n % 8, Math.floor(n / 8)))))
  })

  it("two places that move into the same area at the same moment do not both get there", function* () {
    for (const _ of times(5, (n) => n)) {
      const fixture = yield* anOrganization()
      const [one, other] = [yield* tryPlace(fixture, cell(0)), yield* tryPlace(fixture, cell(7))]
      const { succeeded } = yield* race([tryMove(fixture, one, cell(4)), tryMove(fixture, other, cell(4))])
      assert.strictEqual(succeeded.length, 1)
    }
  })

  it("an organization's area that shrinks while places are created never leaves one outside", function* () {
    for (const n of times(5, (index) => index)) {
      const fixture = yield* anOrganization()
      const small = { left: 0, bottom: 0, right: 4, top: 4 }
      const places = times(8, (x) => cell(x, n))
      const [created, shrunk] = yield* concurrently([
        race(places.map((place) => tryPlace(fixture, place))),
        race([tryArea(fixture, small)])
      ])
      const kept = yield* placesOf(fixture.id)
      assert.strictEqual(kept.length, created.succeeded.length)
      const inside = places.filter((place) => rectangleInside(small, place) && rectanglesOverlap(small, place)).length
      if (shrunk.succeeded.length === 1) assert.isTrue(kept.length <= inside, "every place is inside the new area")
      else same(shrunk.refusals, { PlaceOutsideOrganization: 1 })
    }
  })

  it("an organization never has more places than it may, nor more points, however many are created at once", function* () {
    for (const limits of [
      { places: 3, points: 1_000, work: 0 },
      { places: 1_000, points: 3 * areaWeight(rectangleArea(cell(0))), work: 0 }
    ]) {
      const fixture = yield* anOrganization()
      const { succeeded } = yield* race(times(8, (n) => tryPlaceAmong(fixture, cell(n), limits)))
      assert.strictEqual(succeeded.length, 3)
      same((yield* placesOf(fixture.id)).length, 3)
    }
  })

  it("entrances that race with the removal of their place end with it", function* (fixture) {
    const { place, premises } = yield* aPlaceToEnter(fixture)
    const [entered] = yield* concurrently([race(times(30, () => enter(premises))), removePlace(fixture, place)])
    assert.strictEqual(entered.succeeded.length + (entered.refusals["PremisesNotFound"] ?? 0), 30)
    yield* refused(countIn(premises, fixture), "PremisesNotFound")
    same(yield* closedOf(premises, fixture, entered.succeeded), [])
    yield* refused(enter(premises), "PremisesNotFound")
  })

  it("of 10 removals of one place at the same moment one removes it", function* (fixture) {
    const place = yield* aPlace(fixture)
    yield* expectRefusals(race(times(10, () => removePlace(fixture, place))), { PlaceNotFound: 9 })
  })
}
