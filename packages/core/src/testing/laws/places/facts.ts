import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AdministratorId } from "../../../domain/Ids.ts"
import type { Place } from "../../../domain/Place.ts"
import { PlacePremises } from "../../../domain/Premises.ts"
import { type PlaceFacts, PlaceStore } from "../../../ports/PlaceStore.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPlace,
  countIn,
  enter,
  type Ground,
  someAdministrator
} from "../given.ts"
import { refused, same } from "../outcome.ts"
import type { Laws } from "../suite.ts"

const seen = (facts: PlaceFacts) => Result.fail({ _tag: "Seen" as const, facts })

/** The facts of a creation, which refuses itself. */
const factsOfCreation = ({ organization }: Ground, administratorId: AdministratorId) =>
  Effect.map(
    refused(
      PlaceStore.use((store) => store.create({ organizationId: organization.id, administratorId, decide: seen })),
      "Seen"
    ),
    ({ facts }) => facts
  )

/** The facts of an update, which refuses itself. */
const factsOfUpdate = (place: Place, administratorId: AdministratorId) =>
  refused(
    PlaceStore.use((store) =>
      store.update({
        placeId: place.id,
        administratorId,
        decide: (before, facts) => Result.fail({ _tag: "Seen" as const, before, facts })
      })
    ),
    "Seen"
  )

const levelOfRemoval = (place: Place, administratorId: AdministratorId) =>
  Effect.map(
    refused(
      PlaceStore.use((store) =>
        store.remove({
          placeId: place.id,
          administratorId,
          decide: (level) => Result.fail({ _tag: "Seen" as const, level })
        })
      ),
      "Seen"
    ),
    ({ level }) => Option.getOrUndefined(level)
  )

const areas = (places: PlaceFacts["others"]) =>
  [...places].sort((one, other) => (one.id < other.id ? -1 : 1)).map(({ id, trackingArea }) => ({ id, trackingArea }))

export const placeFactLaws: Laws = (it) => {
  it.effect("a change of a place is decided on its organization's area and the organization's other places", () =>
    Effect.gen(function* () {
      const [ground, other] = [yield* anOrganization(), yield* anOrganization()]
      const one = yield* aPlace(ground, { left: 0, bottom: 0, right: 1, top: 1 })
      const two = yield* aPlace(ground, { left: 1, bottom: 0, right: 2, top: 1 })
      yield* aPlace(other)
      const creation = yield* factsOfCreation(ground, ground.owner)
      same(creation.organizationArea, ground.organization.trackingArea)
      same(areas(creation.others), areas([one, two]))
      const update = yield* factsOfUpdate(one, ground.owner)
      same(update.before, one)
      same(update.facts.organizationArea, ground.organization.trackingArea)
      same(areas(update.facts.others), areas([two]))
    })
  )

  it.effect("a change of a place is decided on the administrator's level in its organization", () =>
    Effect.gen(function* () {
      const [ground, other] = [yield* anOrganization(), yield* anOrganization()]
      const place = yield* aPlace(ground)
      const viewer = yield* aBoundAdministrator(ground, "viewer")
      const expected = [
        [ground.owner, "owner"],
        [viewer.administratorId, "viewer"],
        [other.owner, undefined],
        [someAdministrator(), undefined]
      ] as const
      for (const [administratorId, level] of expected) {
        assert.strictEqual(Option.getOrUndefined((yield* factsOfCreation(ground, administratorId)).level), level)
        assert.strictEqual(Option.getOrUndefined((yield* factsOfUpdate(place, administratorId)).facts.level), level)
        assert.strictEqual(yield* levelOfRemoval(place, administratorId), level)
      }
    })
  )

  it.effect("a change of a place that is refused changes nothing", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const place = yield* aPlace(ground)
      yield* enter(PlacePremises(place.id))
      yield* factsOfCreation(ground, ground.owner)
      yield* factsOfUpdate(place, ground.owner)
      yield* levelOfRemoval(place, ground.owner)
      same(yield* PlaceStore.use((store) => store.list(ground.organization.id)), [place])
      assert.strictEqual(yield* countIn(PlacePremises(place.id), ground), 1)
    })
  )
}
