/** Laws of `StayLog` for the person of a stay, which comes from the caller's link. */
import { AccountLinkStore } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  aUserLinkedTo,
  closedBy,
  closedOf,
  countIn,
  enter,
  leave,
  premisesOf,
  aPerson,
  someUser,
  setTrackingMode,
  timesIn
} from "../../shared/fixtures.ts"
import { refused, same } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

const authenticated = { trackingMode: "authenticated" } as const

export const identityLaws: Laws = (law) => {
  for (const kind of ["organization", "place"] as const) {
    law(`an authenticated ${kind} is entered by linked users alone, and as whom they are linked to`, function* () {
      const { fixture, premises } = yield* premisesOf(kind, authenticated)
      const person = aPerson()
      const by = yield* aUserLinkedTo(fixture.id, person)
      yield* refused(enter(premises, { by: someUser() }), "NotLinked")
      yield* refused(enter(premises, { by: someUser(), claims: person }), "NotLinked")
      yield* refused(enter(premises, { by, claims: aPerson() }), "IdentityNotOwn")
      assert.strictEqual(yield* countIn(premises, fixture), 0)
      assert.strictEqual((yield* enter(premises, { by })).orgAuthServerId, person)
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })

    law(
      `a person who is inside an authenticated ${kind} is inside once: another entrance answers the first`,
      function* () {
        const { fixture, premises } = yield* premisesOf(kind, authenticated)
        const person = aPerson()
        const by = yield* aUserLinkedTo(fixture.id, person)
        const first = yield* enter(premises, { by, timestamp: after(NOW, -5000), keyId: 1 })
        const again = yield* enter(premises, { by, claims: person, timestamp: NOW, keyId: 2 })
        same(
          [again.id, again.entrance, again.keyId, again.orgAuthServerId],
          [first.id, after(NOW, -5000), 1, person],
          "the stay, its entrance and its key are the first's"
        )
        assert.strictEqual(yield* countIn(premises, fixture), 1)
        yield* leave(first, { by })
        const later = yield* enter(premises, { by })
        assert.isTrue(later.id > first.id)
        assert.strictEqual(yield* countIn(premises, fixture), 1)
      }
    )
  }

  law("the same exit of a person again is listed once, and its time is summed once", function* () {
    const { fixture, premises } = yield* premisesOf("place", authenticated)
    if (premises._tag !== "PlacePremises") return
    const person = aPerson()
    const by = yield* aUserLinkedTo(fixture.id, person)
    const opened = yield* enter(premises, { by, timestamp: after(NOW, -5000) })
    const closed = yield* leave(opened, { by, timestamp: NOW })
    same(yield* leave(opened, { by, timestamp: NOW }), closed)
    same(yield* leave(opened, { by }), closed)
    same(yield* closedBy(premises, fixture, [person]), [closed])
    same(yield* timesIn(premises.placeId, fixture), [{ orgAuthServerId: person, milliseconds: 5000 }])
  })

  law("the stay is the person's, whichever user they are", function* () {
    const { fixture, premises } = yield* premisesOf("organization", authenticated)
    const person = aPerson()
    const before = yield* aUserLinkedTo(fixture.id, person)
    const first = yield* enter(premises, { by: before })
    yield* AccountLinkStore.use((store) => store.remove(before, fixture.id))
    const now = yield* aUserLinkedTo(fixture.id, person)
    assert.strictEqual((yield* enter(premises, { by: now })).id, first.id)
    assert.strictEqual(yield* countIn(premises, fixture), 1)
  })

  law("an exit needs the token alone: it works after unlinking, and not for another person", function* () {
    const { fixture, premises } = yield* premisesOf("organization", authenticated)
    const [person, another] = [aPerson(), aPerson()]
    const by = yield* aUserLinkedTo(fixture.id, person)
    const other = yield* aUserLinkedTo(fixture.id, another)
    const opened = yield* enter(premises, { by, timestamp: NOW })
    yield* refused(leave(opened, { by: other }), "ExitNotMatched")
    yield* refused(leave(opened, { by, claims: another }), "IdentityNotOwn")
    assert.strictEqual(yield* countIn(premises, fixture), 1)
    yield* AccountLinkStore.use((store) => store.remove(by, fixture.id))
    const closed = yield* leave(opened, { by, timestamp: NOW })
    assert.strictEqual(closed.orgAuthServerId, person)
    same(yield* closedBy(premises, fixture, [person]), [closed])
  })

  law("a change of the tracking mode leaves open stays as they are", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const person = aPerson()
    const by = yield* aUserLinkedTo(fixture.id, person)
    const anonymous = yield* enter(premises, { by, claims: person, timestamp: NOW })
    yield* setTrackingMode(fixture.id, "authenticated")
    yield* refused(enter(premises), "NotLinked")
    const persons = yield* enter(premises, { by, timestamp: NOW })
    assert.isTrue(persons.id > anonymous.id, "the anonymous stay is not the person's")
    assert.strictEqual(yield* countIn(premises, fixture), 2)
    yield* setTrackingMode(fixture.id, "anonymous")
    const third = yield* enter(premises, { by })
    assert.strictEqual(third.orgAuthServerId, undefined, "an anonymous stay has no person")
    assert.strictEqual(yield* countIn(premises, fixture), 3)
    yield* setTrackingMode(fixture.id, "authenticated")
    const closedAnonymous = yield* leave(anonymous, { timestamp: NOW })
    yield* setTrackingMode(fixture.id, "anonymous")
    const closedPersons = yield* leave(persons, { timestamp: NOW })
    same(yield* closedOf(premises, fixture, [anonymous, persons, third]), [closedAnonymous])
    same(yield* closedBy(premises, fixture, [person]), [closedPersons])
    assert.strictEqual(yield* countIn(premises, fixture), 1)
  })
}
