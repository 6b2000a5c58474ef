/** Laws of `StayLog` for readings: who may read which stays, and their order and contents. */
import { assert } from "@effect/vitest"
import { OrgAuthServerId, PermissionLevel, PlacePremises, StayId, StayLog } from "@sojourn/core"
import { Effect } from "effect"
import { PEOPLE } from "../../../arbitraries/ids.ts"
import { NOW, after } from "../../../arbitraries/times.ts"
import {
  MISSING_PREMISES,
  NEVER_ISSUED,
  NO_PLACE,
  aBoundAdministrator,
  aPerson,
  aPlace,
  aUserLinkedTo,
  anOrganization,
  closedBy,
  closedOf,
  countIn,
  enter,
  leave,
  premisesOf,
  setTrackingMode,
  someUser,
  timesIn,
  aLinkedPerson
} from "../../shared/fixtures.ts"
import { refused, same } from "../../shared/outcome.ts"
import { withdraw } from "../../shared/permissions.ts"
import type { Laws } from "../../shared/suite.ts"

/** A stay of a person, or an anonymous one, that lasted from one moment to another. */
export const aStay = Effect.fnUntraced(function* (
  premises: Parameters<typeof enter>[0],
  from: number,
  milliseconds: number,
  by?: Parameters<typeof aUserLinkedTo>[2]
) {
  const opened = yield* enter(premises, { timestamp: after(NOW, from), ...(by === undefined ? {} : { by }) })
  const exit = after(NOW, from + milliseconds)
  return yield* leave(opened, { timestamp: exit, now: exit, ...(by === undefined ? {} : { by }) })
})

export const listLaws: Laws = (it) => {
  it("closed stays are listed by entrance and then by id, each once, however they are asked for", function* (fixture) {
    const late = yield* aStay(fixture.premises, -10, 5)
    const early = yield* aStay(fixture.premises, -30, 25)
    const tied = yield* aStay(fixture.premises, -10, 1)
    const open = yield* enter(fixture.premises, { timestamp: after(NOW, -20) })
    const never = { id: StayId.make(NEVER_ISSUED) }
    const requested = [tied, late, open, tied, never, early, late]
    same(yield* closedOf(fixture.premises, fixture, requested), [early, late, tied])
    same(yield* closedOf(fixture.premises, fixture, []), [])
  })

  it("a list holds the stays of its own premises alone", function* () {
    const one = yield* anOrganization({ trackingMode: "authenticated" })
    const other = yield* anOrganization({ trackingMode: "authenticated" })
    const place = PlacePremises((yield* aPlace(one)).id)
    const { person, user: by } = yield* aLinkedPerson(one)
    yield* aUserLinkedTo(other.id, person, by)
    const inOne = yield* aStay(one.premises, -10, 1, by)
    const inOther = yield* aStay(other.premises, -10, 2, by)
    const inPlace = yield* aStay(place, -10, 3, by)
    same(yield* closedBy(one.premises, one, [person]), [inOne])
    same(yield* closedBy(other.premises, other, [person]), [inOther])
    same(yield* closedBy(place, one, [person]), [inPlace])
    yield* setTrackingMode(one.id, "anonymous")
    yield* setTrackingMode(other.id, "anonymous")
    const stays = [
      yield* aStay(one.premises, -5, 1),
      yield* aStay(other.premises, -5, 1),
      yield* aStay(place, -5, 1)
    ] as const
    same(yield* closedOf(one.premises, one, stays), [stays[0]])
    same(yield* closedOf(other.premises, other, stays), [stays[1]])
    same(yield* closedOf(place, one, stays), [stays[2]])
  })

  it("people are found by their very ids, whatever characters they hold", function* () {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    const people = PEOPLE.map((id) => OrgAuthServerId.make(id))
    const stays = yield* Effect.forEach(people, (person, index) =>
      Effect.gen(function* () {
        const by = yield* aUserLinkedTo(fixture.id, person)
        return yield* aStay(fixture.premises, -100 + index, 1, by)
      })
    )
    for (const [index, person] of people.entries()) {
      same(yield* closedBy(fixture.premises, fixture, [person]), [stays[index]], person)
    }
    const all = [...people, ...people].reverse()
    same(yield* closedBy(fixture.premises, fixture, all), stays)
    same(yield* closedBy(fixture.premises, fixture, [OrgAuthServerId.make("ADA"), aPerson()]), [])
    same(yield* closedBy(fixture.premises, fixture, []), [])
  })

  it("the time per person sums a place's closed stays of people, ordered by person", function* () {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    const place = yield* aPlace(fixture, { left: 0, bottom: 0, right: 4, top: 4 })
    const other = yield* aPlace(fixture, { left: 4, bottom: 0, right: 8, top: 4 })
    const here = PlacePremises(place.id)
    const report = timesIn(place.id, fixture)
    same(yield* report, [])
    const people = ["bob", "Zoe", "ada"].map((id) => OrgAuthServerId.make(id))
    const users = yield* Effect.forEach(people, (person) => aUserLinkedTo(fixture.id, person))
    yield* aStay(here, -10_000, 1500, users[0])
    yield* aStay(here, -20_000, 999, users[2])
    yield* aStay(here, -5000, 2, users[0])
    yield* aStay(here, -5000, 0, users[1])
    yield* aStay(fixture.premises, -5000, 1_000_000, users[0])
    yield* aStay(PlacePremises(other.id), -5000, 1_000_000, users[0])
    yield* enter(here, { by: users[2]!, timestamp: after(NOW, -9_000_000) })
    yield* setTrackingMode(fixture.id, "anonymous")
    yield* aStay(here, -5000, 1_000_000, users[0])
    const expected = [
      { orgAuthServerId: "Zoe", milliseconds: 0 },
      { orgAuthServerId: "ada", milliseconds: 999 },
      { orgAuthServerId: "bob", milliseconds: 1502 }
    ]
    same(yield* report, expected)
    assert.strictEqual(typeof (yield* report)[0]?.milliseconds, "number")
  })
}

const ownOf = (...requested: Parameters<StayLog["Service"]["closedByUser"]>) =>
  StayLog.use((log) => log.closedByUser(...requested))

export const readingLaws: Laws = (it) => {
  it("administrators of any level read what is at their organization and its places, and no other caller does", function* (other) {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    const place = yield* aPlace(fixture)
    const { person, user: by } = yield* aLinkedPerson(fixture)
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
  })

  it("premises that do not exist are refused, with an empty list too", function* ({ owner }) {
    for (const premises of MISSING_PREMISES) {
      yield* refused(countIn(premises, { owner }), "PremisesNotFound")
      yield* refused(closedBy(premises, { owner }, []), "PremisesNotFound")
      yield* refused(ownOf(someUser(), premises, [aPerson()]), "AccessesOfAnother")
    }
    yield* refused(timesIn(NO_PLACE, { owner }), "PremisesNotFound")
  })

  it("an administrator who lost their level reads nothing any more", function* (fixture) {
    const { administratorId: owner } = yield* aBoundAdministrator(fixture, "manager")
    assert.strictEqual(yield* countIn(fixture.premises, { owner }), 0)
    yield* withdraw(fixture.id, fixture.owner, owner)
    yield* refused(countIn(fixture.premises, { owner }), "PermissionTooLow")
    yield* refused(closedBy(fixture.premises, { owner }, [aPerson()]), "PermissionTooLow")
  })

  it("a user reads the stays of the one person they are linked to at a place, asked for alone", function* () {
    const { fixture, premises } = yield* premisesOf("place", { trackingMode: "authenticated" })
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
    for (const requested of [[], [another], [person, person], [person, another]]) {
      yield* refused(ownOf(by, premises, requested), "AccessesOfAnother")
    }
    yield* refused(ownOf(someUser(), premises, [person]), "AccessesOfAnother")
    yield* setTrackingMode(fixture.id, "anonymous")
    same(yield* ownOf(by, premises, [person]), [early, late])
  })
}
