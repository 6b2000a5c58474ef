/** Laws of `StayLog` for entrances and exits: the stays that they open and close, their persons, and retry keys. */
import { assert } from "@effect/vitest"
import { LARGEST_LEAD, PlacePremises, RETRY_KEY_LIFETIME, type RetryKey, StayId } from "@sojourn/core"

import { EARLIEST, LATEST, NOW, after } from "../../../arbitraries/times.ts"
import {
  KIND,
  MISSING_PREMISES,
  NEVER_ISSUED,
  NO_ORGANIZATION,
  aPerson,
  aPlace,
  aUserLinkedTo,
  anOrganization,
  closedBy,
  closedOf,
  countIn,
  enter,
  leave,
  leaveAt,
  locate,
  premisesOf,
  setTrackingMode,
  someUser,
  timesIn,
  unused,
  aLinkedPerson,
  unlink,
  cell
} from "../../shared/fixtures.ts"
import { allSucceed, refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

export const entranceLaws: Laws = (it) => {
  for (const kind of ["organization", "place"] as const) {
    it(`an entrance of an anonymous ${kind} opens an anonymous stay, at the time it claims`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      const opened = yield* enter(premises, { timestamp: after(NOW, -1234), keyId: 7 })
      const { id, organizationId, entrance, keyId, orgAuthServerId } = opened
      same(opened.premises, premises)
      same(
        { organizationId, entrance, keyId, orgAuthServerId },
        { organizationId: fixture.id, entrance: after(NOW, -1234), keyId: 7 }
      )
      assert.isTrue(id >= 1n)
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })

    it(`every entrance of an anonymous ${kind} opens a stay of its own, also of one user at one moment`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      const first = yield* enter(premises, { timestamp: NOW })
      const second = yield* enter(premises, { timestamp: NOW })
      assert.isTrue(second.id > first.id)
      assert.strictEqual(yield* countIn(premises, fixture), 2)
    })

    it(`an exit of ${KIND[kind]} closes the stay, which is counted no more and listed from then on`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      const opened = yield* enter(premises, { timestamp: NOW })
      const other = yield* enter(premises, { timestamp: NOW })
      same(yield* closedOf(premises, fixture, [opened, other]), [])
      const closed = yield* leave(opened, { timestamp: after(NOW, 5000), now: after(NOW, 5000) })
      const expected = {
        _tag: "ClosedStay",
        id: opened.id,
        organizationId: fixture.id,
        premises,
        entrance: NOW,
        exit: after(NOW, 5000)
      }
      same(closed, expected)
      same(yield* closedOf(premises, fixture, [opened, other]), [expected])
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })
  }

  it("a movement without a timestamp happens now", function* ({ premises }) {
    const opened = yield* enter(premises, { now: after(NOW, 17) })
    assert.strictEqual(opened.entrance, after(NOW, 17))
    assert.strictEqual((yield* leave(opened, { now: after(NOW, 18) })).exit, after(NOW, 18))
  })

  it("stays of the first and the last instant are kept as they are", function* (fixture) {
    const opened = yield* enter(fixture.premises, { timestamp: EARLIEST })
    assert.strictEqual(opened.entrance, EARLIEST)
    yield* leave(opened, { timestamp: LATEST, now: LATEST })
    const [listed] = yield* closedOf(fixture.premises, fixture, [opened])
    same([listed?.entrance, listed?.exit], [EARLIEST, LATEST])
  })

  it("every stay has an id of its own, whatever organization and premises it is of", function* (one, other) {
    const place = PlacePremises((yield* aPlace(one)).id)
    const ids = new Set<bigint>()
    for (const premises of [one.premises, other.premises, place, one.premises, place]) {
      const stay = yield* enter(premises)
      yield* leave(stay)
      ids.add(stay.id)
    }
    assert.strictEqual(ids.size, 5)
  })

  it("being in a place and being in its organization are two stays", function* (fixture) {
    const place = PlacePremises((yield* aPlace(fixture)).id)
    const inPlace = yield* enter(place)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    yield* enter(fixture.premises)
    yield* leave(inPlace)
    assert.strictEqual(yield* countIn(place, fixture), 0)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    same(yield* closedOf(fixture.premises, fixture, [inPlace]), [])
  })

  it("premises that do not exist cannot be entered or left", function* () {
    for (const premises of MISSING_PREMISES) {
      yield* refused(enter(premises), "PremisesNotFound")
      const stay = { organizationId: NO_ORGANIZATION, stayId: StayId.make(1n) }
      yield* refused(leaveAt(premises, stay), "PremisesNotFound")
    }
  })

  it("a timestamp lies at most five minutes ahead; one that is refused changes nothing", function* (fixture) {
    const ahead = after(NOW, LARGEST_LEAD)
    const error = yield* refused(enter(fixture.premises, { timestamp: after(ahead, 1) }), "TimestampInFuture")
    same([error.timestamp, error.now], [after(ahead, 1), NOW])
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    const opened = yield* enter(fixture.premises, { timestamp: ahead })
    yield* refused(leave(opened, { timestamp: after(ahead, 1) }), "TimestampInFuture")
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    assert.strictEqual((yield* leave(opened, { timestamp: ahead })).exit, ahead)
  })

  for (const trackingMode of ["anonymous", "authenticated"] as const) {
    it(`an entrance by a clock ahead of ours is followed at once by an exit now: ${trackingMode}`, function* () {
      const { organization, premises } = yield* anOrganization({ trackingMode })
      const by = yield* aUserLinkedTo(organization.id, aPerson())
      const ahead = after(NOW, 60_000)
      const opened = yield* enter(premises, { by, timestamp: ahead })
      assert.strictEqual((yield* leaveAt(premises, locate(opened), { by })).exit, ahead)
    })
  }
}

export const exitLaws: Laws = (it) => {
  for (const kind of ["organization", "place"] as const) {
    it(`the same exit of ${KIND[kind]} again, at its time or without one, answers the same and changes nothing`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      yield* enter(premises)
      const opened = yield* enter(premises, { timestamp: NOW })
      const closed = yield* leave(opened, { timestamp: after(NOW, 10) })
      same(yield* leave(opened, { timestamp: after(NOW, 10) }), closed)
      same(yield* leave(opened, { now: after(NOW, 99_000) }), closed)
      same(yield* closedOf(premises, fixture, [opened]), [closed])
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })

    it(`an exit of ${KIND[kind]} at another time than the first is not matched, and the first stands`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      yield* enter(premises)
      const opened = yield* enter(premises, { timestamp: NOW })
      const closed = yield* leave(opened, { timestamp: after(NOW, 10) })
      for (const distance of [9, 11, -1, 5000]) {
        yield* refused(leave(opened, { timestamp: after(NOW, distance), now: after(NOW, 5000) }), "ExitNotMatched")
      }
      same(yield* closedOf(premises, fixture, [opened]), [closed])
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })
  }

  it("an exit before its entrance is refused, and a later one works", function* (fixture) {
    const opened = yield* enter(fixture.premises, { timestamp: NOW })
    const error = yield* refused(leave(opened, { timestamp: after(NOW, -1) }), "ExitBeforeEntrance")
    assert.strictEqual(error.entrance, NOW)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    assert.strictEqual((yield* leave(opened, { timestamp: NOW })).exit, NOW)
  })

  it("a stay is left at its own premises alone", function* (one, other) {
    const place = PlacePremises((yield* aPlace(one, cell(0))).id)
    const otherPlace = PlacePremises((yield* aPlace(one, cell(1))).id)
    const inOne = yield* enter(one.premises)
    const inPlace = yield* enter(place)
    yield* refused(leaveAt(place, locate(inOne)), "ExitNotMatched")
    yield* refused(leaveAt(one.premises, locate(inPlace)), "ExitNotMatched")
    yield* refused(leaveAt(otherPlace, locate(inPlace)), "ExitNotMatched")
    yield* refused(leaveAt(other.premises, locate(inOne)), "ExitNotMatched")
    yield* refused(leaveAt(other.premises, { ...locate(inOne), organizationId: other.id }), "ExitNotMatched")
    assert.strictEqual(yield* countIn(one.premises, one), 1)
    assert.strictEqual(yield* countIn(place, one), 1)
    yield* leave(inOne)
    yield* leave(inPlace)
    yield* refused(leaveAt(place, locate(inOne)), "ExitNotMatched")
    yield* refused(leaveAt(one.premises, locate(inPlace)), "ExitNotMatched")
  })

  it("a stay that is not there, or not of the organization that its token says, is not matched", function* (fixture, other) {
    const opened = yield* enter(fixture.premises)
    yield* refused(
      leaveAt(fixture.premises, { ...locate(opened), stayId: StayId.make(NEVER_ISSUED) }),
      "ExitNotMatched"
    )
    yield* refused(leaveAt(fixture.premises, { ...locate(opened), organizationId: other.id }), "ExitNotMatched")
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
  })
}

const authenticated = { trackingMode: "authenticated" } as const

export const identityLaws: Laws = (it) => {
  for (const kind of ["organization", "place"] as const) {
    it(`an authenticated ${kind} is entered by linked users alone, and as whom they are linked to`, function* () {
      const { fixture, premises } = yield* premisesOf(kind, authenticated)
      const { person, user: by } = yield* aLinkedPerson(fixture)
      yield* refused(enter(premises, { by: someUser() }), "NotLinked")
      yield* refused(enter(premises, { by: someUser(), claims: person }), "NotLinked")
      yield* refused(enter(premises, { by, claims: aPerson() }), "IdentityNotOwn")
      assert.strictEqual(yield* countIn(premises, fixture), 0)
      assert.strictEqual((yield* enter(premises, { by })).orgAuthServerId, person)
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })

    it(`a person who is inside an authenticated ${kind} is inside once: another entrance answers the first`, function* () {
      const { fixture, premises } = yield* premisesOf(kind, authenticated)
      const { person, user: by } = yield* aLinkedPerson(fixture)
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
    })
  }

  it("the same exit of a person again is listed once, and its time is summed once", function* () {
    const { fixture, premises } = yield* premisesOf("place", authenticated)
    if (premises._tag !== "PlacePremises") return
    const { person, user: by } = yield* aLinkedPerson(fixture)
    const opened = yield* enter(premises, { by, timestamp: after(NOW, -5000) })
    const closed = yield* leave(opened, { by, timestamp: NOW })
    same(yield* leave(opened, { by, timestamp: NOW }), closed)
    same(yield* leave(opened, { by }), closed)
    same(yield* closedBy(premises, fixture, [person]), [closed])
    same(yield* timesIn(premises.placeId, fixture), [{ orgAuthServerId: person, milliseconds: 5000 }])
  })

  it("the stay is the person's, whichever user they are", function* () {
    const { fixture, premises } = yield* premisesOf("organization", authenticated)
    const { person, user: before } = yield* aLinkedPerson(fixture)
    const first = yield* enter(premises, { by: before })
    yield* unlink(fixture, before)
    const now = yield* aUserLinkedTo(fixture.id, person)
    assert.strictEqual((yield* enter(premises, { by: now })).id, first.id)
    assert.strictEqual(yield* countIn(premises, fixture), 1)
  })

  it("an exit needs the token alone: it works after unlinking, and not for another person", function* () {
    const { fixture, premises } = yield* premisesOf("organization", authenticated)
    const [person, another] = [aPerson(), aPerson()]
    const by = yield* aUserLinkedTo(fixture.id, person)
    const other = yield* aUserLinkedTo(fixture.id, another)
    const opened = yield* enter(premises, { by, timestamp: NOW })
    yield* refused(leave(opened, { by: other }), "ExitNotMatched")
    yield* refused(leave(opened, { by, claims: another }), "IdentityNotOwn")
    assert.strictEqual(yield* countIn(premises, fixture), 1)
    yield* unlink(fixture, by)
    const closed = yield* leave(opened, { by, timestamp: NOW })
    assert.strictEqual(closed.orgAuthServerId, person)
    same(yield* closedBy(premises, fixture, [person]), [closed])
  })

  it("a change of the tracking mode leaves open stays as they are", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const { person, user: by } = yield* aLinkedPerson(fixture)
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

const someKey = () => unused("retry") as RetryKey

export const retryLaws: Laws = (it) => {
  for (const kind of ["organization", "place"] as const) {
    it(`an entrance of ${KIND[kind]} that is repeated with its retry key answers the stay that it opened`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      const key = someKey()
      const first = yield* enter(premises, { key, timestamp: after(NOW, -5), keyId: 1 })
      const again = yield* enter(premises, { key, timestamp: NOW, keyId: 2 })
      same([again.id, again.entrance, again.keyId], [first.id, after(NOW, -5), 1])
      assert.strictEqual(yield* countIn(premises, fixture), 1)
      assert.notStrictEqual((yield* enter(premises, { key: someKey() })).id, first.id)
      assert.notStrictEqual((yield* enter(premises)).id, first.id)
    })

    it(`an entrance of ${KIND[kind]} that is repeated after its exit answers the same stay and changes no counter`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      const key = someKey()
      const first = yield* enter(premises, { key, timestamp: NOW })
      const closed = yield* leave(first, { timestamp: after(NOW, 1) })
      const again = yield* enter(premises, { key })
      same([again.id, again.entrance], [first.id, NOW])
      assert.strictEqual(yield* countIn(premises, fixture), 0)
      same(yield* closedOf(premises, fixture, [first]), [closed])
    })

    it(`50 entrances of ${KIND[kind]} race with one retry key: one stay`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      const key = someKey()
      const succeeded = yield* allSucceed(times(50, (n) => enter(premises, { key, timestamp: after(NOW, -n) })))
      assert.strictEqual(new Set(succeeded.map((stay) => stay.id)).size, 1)
      assert.strictEqual(new Set(succeeded.map((stay) => stay.entrance)).size, 1)
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })
  }

  it("a retry key stands for its stay for 24 hours, and for another one after", function* (fixture) {
    const key = someKey()
    const first = yield* enter(fixture.premises, { key })
    const inTime = yield* enter(fixture.premises, { key, now: after(NOW, RETRY_KEY_LIFETIME - 1) })
    assert.strictEqual(inTime.id, first.id)
    const late = after(NOW, RETRY_KEY_LIFETIME + 1)
    const second = yield* enter(fixture.premises, { key, now: late })
    assert.isTrue(second.id > first.id)
    assert.strictEqual(second.entrance, late)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 2)
    const again = yield* enter(fixture.premises, { key, now: after(late, RETRY_KEY_LIFETIME - 1) })
    assert.strictEqual(again.id, second.id)
  })

  it("a retry key belongs to its premises", function* (one, other) {
    const place = PlacePremises((yield* aPlace(one)).id)
    const key = someKey()
    const ids = new Set<bigint>()
    for (const premises of [one.premises, other.premises, place]) ids.add((yield* enter(premises, { key })).id)
    assert.strictEqual(ids.size, 3)
  })
}
