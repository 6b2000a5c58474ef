/** Laws of `StayLog` for entrances and exits: the stays that they open and close, their persons, and retry keys. */
import { assert } from "@effect/vitest"
import { PlacePremises, RETRY_KEY_LIFETIME, type RetryKey, StayId } from "@sojourn/core"

import { EARLIEST, LATEST, NOW, after } from "../../../arbitraries/times.ts"
import {
  MISSING_PREMISES,
  NEVER_ISSUED,
  NO_ORGANIZATION,
  aPlace,
  closedOf,
  countIn,
  enter,
  leave,
  leaveAt,
  locate,
  premisesOf,
  unused,
  aLinkedPerson,
  cell,
  displayOf
} from "../../shared/fixtures.ts"
import { allSucceed, refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

export const entranceLaws: Laws = (it) => {
  it("an entrance of an anonymous organization opens an anonymous stay, at the time it claims", function* () {
    const { fixture, premises } = yield* premisesOf("place")
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

  it("an exit of a place closes the stay, which is counted no more and listed from then on", function* () {
    const { fixture, premises } = yield* premisesOf("place")
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

  it("a display counts the people of its organization alone", function* (other) {
    const { fixture, premises } = yield* premisesOf("place")
    yield* enter(premises)
    yield* enter(fixture.premises)
    const display = { owner: displayOf(fixture) }
    for (const one of [premises, fixture.premises]) {
      same(yield* allSucceed([countIn(one, display), countIn(one, fixture), countIn(one, display)]), [1, 1, 1])
      yield* refused(countIn(one, { owner: displayOf(other) }), "PermissionTooLow")
    }
    for (const one of MISSING_PREMISES) yield* refused(countIn(one, display), "PremisesNotFound")
  })

  it("stays of the first and the last instant are kept as they are", function* (fixture) {
    const opened = yield* enter(fixture.premises, { timestamp: EARLIEST, now: EARLIEST })
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

  it("premises that do not exist cannot be entered or left", function* () {
    for (const premises of MISSING_PREMISES) {
      yield* refused(enter(premises), "PremisesNotFound")
      const stay = { organizationId: NO_ORGANIZATION, stayId: StayId.make(1n) }
      yield* refused(leaveAt(premises, stay), "PremisesNotFound")
    }
  })
}

export const exitLaws: Laws = (it) => {
  it("the same exit of a place again, at its time or without one, answers the same and changes nothing", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* enter(premises)
    const opened = yield* enter(premises, { timestamp: NOW })
    const closed = yield* leave(opened, { timestamp: after(NOW, 10) })
    same(yield* leave(opened, { timestamp: after(NOW, 10) }), closed)
    same(yield* leave(opened, { now: after(NOW, 99_000) }), closed)
    same(yield* closedOf(premises, fixture, [opened]), [closed])
    assert.strictEqual(yield* countIn(premises, fixture), 1)
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
  it("a person who is inside an authenticated place is inside once: another entrance answers the first", function* () {
    const { fixture, premises } = yield* premisesOf("place", authenticated)
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

const someKey = () => unused("retry") as RetryKey

export const retryLaws: Laws = (it) => {
  it("an entrance of a place that is repeated with its retry key answers the stay that it opened", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const key = someKey()
    const first = yield* enter(premises, { key, timestamp: after(NOW, -5), keyId: 1 })
    const again = yield* enter(premises, { key, timestamp: NOW, keyId: 2 })
    same([again.id, again.entrance, again.keyId], [first.id, after(NOW, -5), 1])
    assert.strictEqual(yield* countIn(premises, fixture), 1)
    assert.notStrictEqual((yield* enter(premises, { key: someKey() })).id, first.id)
    assert.notStrictEqual((yield* enter(premises)).id, first.id)
  })

  it("50 entrances of a place race with one retry key: one stay", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    const key = someKey()
    const succeeded = yield* allSucceed(times(50, (n) => enter(premises, { key, timestamp: after(NOW, -n) })))
    assert.strictEqual(new Set(succeeded.map((stay) => stay.id)).size, 1)
    assert.strictEqual(new Set(succeeded.map((stay) => stay.entrance)).size, 1)
    assert.strictEqual(yield* countIn(premises, fixture), 1)
  })

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
