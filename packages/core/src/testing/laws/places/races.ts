import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { placeFits } from "../../../domain/AreaConstraints.ts"
import { changeOrganization } from "../../../domain/Organization.ts"
import { changePlace, type Place } from "../../../domain/Place.ts"
import { PlacePremises } from "../../../domain/Premises.ts"
import { OrganizationStore } from "../../../ports/OrganizationStore.ts"
import { PlaceStore } from "../../../ports/PlaceStore.ts"
import { type GridRectangle, rectangleArea, rectangleInside, rectanglesOverlap } from "../../arbitraries/areas.ts"
import { NOW } from "../../arbitraries/times.ts"
import { anOrganization, aPlace, closedOf, countIn, enter, type Ground, removed } from "../given.ts"
import { race, refused, same, times } from "../outcome.ts"
import type { Laws } from "../suite.ts"

/** Creates a place where the rules let it. */
const tryPlace = ({ organization, owner }: Ground, rectangle: GridRectangle) =>
  PlaceStore.use((store) =>
    store.create({
      organizationId: organization.id,
      administratorId: owner,
      decide: ({ organizationArea, others }) => {
        const trackingArea = rectangleArea(rectangle)
        return Result.map(placeFits(trackingArea, organizationArea, others), () => ({
          organizationId: organization.id,
          trackingArea
        }))
      }
    })
  )

/** Moves a place where the rules let it. */
const tryMove = ({ owner }: Ground, place: Place, rectangle: GridRectangle) =>
  PlaceStore.use((store) =>
    store.update({
      placeId: place.id,
      administratorId: owner,
      decide: (before, { organizationArea, others }) =>
        changePlace(before, organizationArea, others, { trackingArea: rectangleArea(rectangle) })
    })
  )

/** Changes an organization's area where the rules let it. */
const tryArea = ({ organization, owner }: Ground, rectangle: GridRectangle) =>
  OrganizationStore.use((store) =>
    store.update({
      organizationId: organization.id,
      administratorId: Option.some(owner),
      withPlaces: true,
      decide: (facts) =>
        changeOrganization(facts.organization, facts.places, { trackingArea: rectangleArea(rectangle) }, NOW)
    })
  )

const cell = (x: number, y = 0): GridRectangle => ({ left: x, bottom: y, right: x + 1, top: y + 1 })

export const placeRaceLaws: Laws = (it) => {
  it.effect("of 20 places that overlap and are created at the same moment there is one", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const { succeeded, refusals } = yield* race(
        times(20, (n) => tryPlace(ground, { left: n % 3, bottom: 0, right: 8 - (n % 2), top: 4 }))
      )
      assert.strictEqual(succeeded.length, 1)
      same(refusals, { PlacesOverlap: 19 })
      same(yield* PlaceStore.use((store) => store.list(ground.organization.id)), succeeded)
    })
  )

  it.effect("places that share a border at most are all created, also at the same moment", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const { succeeded } = yield* race(times(16, (n) => tryPlace(ground, cell(n % 8, Math.floor(n / 8)))))
      assert.strictEqual(succeeded.length, 16)
    })
  )

  it.effect("two places that move onto the same ground at the same moment do not both get there", () =>
    Effect.gen(function* () {
      for (const _ of times(5, (n) => n)) {
        const ground = yield* anOrganization()
        const [one, other] = [yield* tryPlace(ground, cell(0)), yield* tryPlace(ground, cell(7))]
        const { succeeded } = yield* race([tryMove(ground, one, cell(4)), tryMove(ground, other, cell(4))])
        assert.strictEqual(succeeded.length, 1)
      }
    })
  )

  it.effect("an organization's area that shrinks while places are created never leaves one outside", () =>
    Effect.gen(function* () {
      for (const n of times(5, (index) => index)) {
        const ground = yield* anOrganization()
        const small = { left: 0, bottom: 0, right: 4, top: 4 }
        const places = times(8, (x) => cell(x, n))
        const [created, shrunk] = yield* Effect.all(
          [race(places.map((place) => tryPlace(ground, place))), race([tryArea(ground, small)])],
          { concurrency: "unbounded" }
        )
        const kept = yield* PlaceStore.use((store) => store.list(ground.organization.id))
        assert.strictEqual(kept.length, created.succeeded.length)
        const inside = places.filter((place) => rectangleInside(small, place) && rectanglesOverlap(small, place)).length
        if (shrunk.succeeded.length === 1) assert.isTrue(kept.length <= inside, "every place is inside the new area")
        else same(shrunk.refusals, { PlaceOutsideOrganization: 1 })
      }
    })
  )

  it.effect("entrances that race with the removal of their place end with it", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const place = yield* aPlace(ground)
      const premises = PlacePremises(place.id)
      const [entered] = yield* Effect.all([race(times(30, () => enter(premises))), removed(ground, place)], {
        concurrency: "unbounded"
      })
      assert.strictEqual(entered.succeeded.length + (entered.refusals["PremisesNotFound"] ?? 0), 30)
      yield* refused(countIn(premises, ground), "PremisesNotFound")
      same(yield* closedOf(premises, ground, entered.succeeded), [])
      yield* refused(enter(premises), "PremisesNotFound")
    })
  )

  it.effect("of 10 removals of one place at the same moment one removes it", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const place = yield* aPlace(ground)
      const { succeeded, refusals } = yield* race(times(10, () => removed(ground, place)))
      assert.strictEqual(succeeded.length, 1)
      same(refusals, { PlaceNotFound: 9 })
    })
  )
}
