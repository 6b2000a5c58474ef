/** The laws of `StayLog` on who may read which stays, and what each reading contains. */
import { PermissionLevel, PlacePremises, StayLog } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPlace,
  aUserLinkedTo,
  closedBy,
  countIn,
  enter,
  leave,
  KIND,
  premisesOf,
  aPerson,
  someUser,
  timesIn,
  setTrackingMode,
  MISSING_PREMISES,
  NO_PLACE
} from "../../shared/fixtures.ts"
import { refused, same } from "../../shared/outcome.ts"
import { withdraw } from "../../accounts/PermissionStore/changes.ts"
import type { Laws } from "../../shared/suite.ts"

const ownOf = (...asked: Parameters<StayLog["Service"]["closedByUser"]>) =>
  StayLog.use((log) => log.closedByUser(...asked))

export const readingLaws: Laws = (law) => {
  law(
    "administrators of any level read what is at their organization and its places, and no other caller does",
    function* () {
      const fixture = yield* anOrganization({ trackingMode: "authenticated" })
      const other = yield* anOrganization()
      const place = yield* aPlace(fixture)
      const person = aPerson()
      const by = yield* aUserLinkedTo(fixture.id, person)
      const readers = yield* Effect.forEach(PermissionLevel.literals, (level) => aBoundAdministrator(fixture, level))
      for (const premises of [fixture.premises, PlacePremises(place.id)]) {
        const closed = yield* leave(yield* enter(premises, { by, timestamp: after(NOW, -1000) }), {
          by,
          timestamp: NOW
        })
        yield* enter(premises, { by })
        for (const { administratorId: owner } of readers) {
          assert.strictEqual(yield* countIn(premises, { owner }), 1)
          same(yield* closedBy(premises, { owner }, [person]), [closed])
        }
        yield* refused(countIn(premises, other), "PermissionTooLow")
        yield* refused(closedBy(premises, other, [person]), "PermissionTooLow")
      }
      for (const { administratorId: owner } of readers) {
        same(yield* timesIn(place.id, { owner }), [{ orgAuthServerId: person, milliseconds: 1000 }])
      }
      yield* refused(timesIn(place.id, other), "PermissionTooLow")
    }
  )

  law("premises that do not exist are refused, with an empty list too", function* () {
    const { owner } = yield* anOrganization()
    for (const premises of MISSING_PREMISES) {
      yield* refused(countIn(premises, { owner }), "PremisesNotFound")
      yield* refused(closedBy(premises, { owner }, []), "PremisesNotFound")
      yield* refused(ownOf(someUser(), premises, [aPerson()]), "AccessesOfAnother")
    }
    yield* refused(timesIn(NO_PLACE, { owner }), "PremisesNotFound")
  })

  law("an administrator who lost their level reads nothing any more", function* () {
    const fixture = yield* anOrganization()
    const { administratorId: owner } = yield* aBoundAdministrator(fixture, "manager")
    assert.strictEqual(yield* countIn(fixture.premises, { owner }), 0)
    yield* withdraw(fixture.id, fixture.owner, owner)
    yield* refused(countIn(fixture.premises, { owner }), "PermissionTooLow")
    yield* refused(closedBy(fixture.premises, { owner }, [aPerson()]), "PermissionTooLow")
  })

  for (const kind of ["organization", "place"] as const) {
    law(`a user reads the stays of the one person they are linked to at ${KIND[kind]}, asked for alone`, function* () {
      const { fixture, premises } = yield* premisesOf(kind, { trackingMode: "authenticated" })
      const [person, another] = [aPerson(), aPerson()]
      const by = yield* aUserLinkedTo(fixture.id, person)
      const other = yield* aUserLinkedTo(fixture.id, another)
      const stay = (from: number, user = by) =>
        Effect.flatMap(enter(premises, { by: user, timestamp: after(NOW, from) }), (opened) =>
          leave(opened, { by: user, timestamp: NOW })
        )
      same(yield* ownOf(by, premises, [person]), [])
      const [late, early] = [yield* stay(-1000), yield* stay(-2000)]
      yield* stay(-1500, other)
      yield* enter(premises, { by })
      same(yield* ownOf(by, premises, [person]), [early, late])
      for (const asked of [[], [another], [person, person], [person, another]]) {
        yield* refused(ownOf(by, premises, asked), "AccessesOfAnother")
      }
      yield* refused(ownOf(someUser(), premises, [person]), "AccessesOfAnother")
      yield* setTrackingMode(fixture.id, "anonymous")
      same(yield* ownOf(by, premises, [person]), [early, late])
    })
  }
}
