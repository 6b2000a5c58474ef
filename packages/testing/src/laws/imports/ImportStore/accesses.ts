/** Laws of `ImportStore` on accesses: they are as others, except that no movement was made. */
import {
  type OrgAuthServerId,
  type PlaceId,
  PlacePremises,
  type Premises,
  Retention,
  type Timestamp,
  Timestamp as timestamp
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  aPart,
  aPerson,
  aPlace,
  anOrganization,
  closedBy,
  countIn,
  deleteOrganization,
  NO_PLACE,
  neverCreated,
  removePlace,
  setTrackingMode,
  timesIn
} from "../../shared/fixtures.ts"
import { anOrganizationWithPlaces, aVisitor, get, start } from "../../shared/musters.ts"
import { allSucceed, concurrently, refused, same, times, total, pluck } from "../../shared/outcome.ts"
import { anOrganizationWithPlace, collect, erase } from "../../shared/personalData.ts"
import { changePolicy, DAY, forgetBatch, HOUR } from "../../shared/policies.ts"
import { eventsSince, proveSnapshot, snapshotOf } from "../../shared/presenceFeed.ts"
import type { Laws } from "../../shared/suite.ts"
import { importRows, rowAt } from "./fixtures.ts"

const imported = (imported: number, skipped = 0) => ({ imported, skipped, refused: [] })

export const accessLaws: Laws = (it) => {
  it("imported accesses are listed, reported, exported and erased as others", function* () {
    const { fixture, place, inPlace } = yield* anOrganizationWithPlace
    const [ada, ben] = [aPerson(), aPerson()]
    const row = (person: OrgAuthServerId, isOfPlace: boolean, hours: number) =>
      rowAt(isOfPlace ? inPlace : fixture.premises, after(NOW, -hours * HOUR), 90_000, { orgAuthServerId: person })
    const rows = [row(ada, true, 3), row(ada, true, 1), row(ada, false, 2), row(ben, true, 4)]
    same(yield* importRows(fixture, rows, NOW), imported(4))
    const listed = yield* closedBy(inPlace, fixture, [ada, ben])
    same(
      listed.map(({ orgAuthServerId, entrance, exit }) => [orgAuthServerId, entrance, exit]),
      [
        [ben, after(NOW, -4 * HOUR), after(NOW, -4 * HOUR + 90_000)],
        [ada, after(NOW, -3 * HOUR), after(NOW, -3 * HOUR + 90_000)],
        [ada, after(NOW, -HOUR), after(NOW, -HOUR + 90_000)]
      ]
    )
    assert.strictEqual((yield* closedBy(fixture.premises, fixture, [ada])).length, 1)
    same(
      (yield* timesIn(place.id, fixture)).find(({ orgAuthServerId }) => orgAuthServerId === ada)?.milliseconds,
      180_000
    )
    const subject = { _tag: "PersonSubject" as const, organizationId: fixture.id, orgAuthServerId: ada }
    same(
      pluck((yield* collect(subject)).accesses, "entrance"),
      [3, 2, 1].map((hours) => after(NOW, -hours * HOUR))
    )
    assert.strictEqual((yield* erase(subject)).accesses, 3)
    same(pluck(yield* closedBy(inPlace, fixture, [ada, ben]), "orgAuthServerId"), [ben])
  })

  it("imports leave counts, totals and open stays as they are, and an event says that the organization changed", function* (fixture) {
    const before = yield* snapshotOf(fixture)
    const rows = times(3, (n) => rowAt(fixture.premises, after(NOW, -n * HOUR), 60_000))
    yield* importRows(fixture, rows, NOW)
    same(
      (yield* eventsSince(fixture)).slice(before.version).map(({ _tag }) => _tag),
      ["OrganizationChanged"]
    )
    yield* proveSnapshot(fixture)
    same((yield* snapshotOf(fixture)).totals, before.totals)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    // An import of nothing changes nothing.
    same(yield* importRows(fixture, [], NOW), imported(0))
    assert.strictEqual((yield* snapshotOf(fixture)).version, before.version + 1)
  })

  it("a key is imported once, also by imports at the same moment", function* (fixture, other) {
    const row = (key: string | undefined, hours = 1) =>
      rowAt(fixture.premises, after(NOW, -hours * HOUR), 60_000, { key })
    same(
      yield* importRows(fixture, [row("a"), row("a", 2), row("b"), row(undefined), row(undefined)], NOW),
      imported(4, 1)
    )
    same(yield* importRows(fixture, [row("b"), row("c"), row(undefined)], NOW), imported(2, 1))
    // Keys are those of their organization.
    same(yield* importRows(other, [{ ...row("a"), placeId: undefined }], NOW), imported(1))
    const answers = yield* allSucceed(
      times(6, (n) =>
        importRows(
          fixture,
          times(4, (i) => row(`race ${(i + n) % 6}`)),
          NOW
        )
      )
    )
    same(total(pluck(answers, "imported")), 6)
    same(total(pluck(answers, "skipped")), 18)
  })

  it("refused rows are answered, and the others imported", function* (fixture) {
    const hall = yield* aPlace(fixture, { left: 0, bottom: 0, right: 2, top: 2 }, "Hall")
    const rooms = [2, 4].map((left) => aPlace(fixture, { left, bottom: 0, right: left + 2, top: 2 }, "Room"))
    yield* Effect.all(rooms)
    const named = yield* aPlace(fixture, { left: 6, bottom: 0, right: 8, top: 2 })
    const at = (fields: object) => ({ ...rowAt(fixture.premises, after(NOW, -HOUR), 60_000), ...fields })
    const answer = yield* importRows(
      fixture,
      [
        at({ placeName: "Hall", key: "a" }),
        at({ placeName: "Room", key: "b" }),
        at({ placeId: NO_PLACE }),
        at({ placeName: `Place ${named.id}` }),
        at({ placeId: hall.id, orgAuthServerId: aPerson() }),
        at({ exit: after(NOW, -2 * HOUR) })
      ],
      NOW
    )
    same(answer, {
      imported: 2,
      skipped: 0,
      refused: [
        { line: 2, reason: "several places have this placeName" },
        { line: 3, reason: "the organization has no place of this placeId" },
        { line: 5, reason: "the organization is anonymous: leave out orgAuthServerId" },
        { line: 6, reason: "the exit is before the entrance" }
      ]
    })
    // The key of a refused row is free.
    same(yield* importRows(fixture, [at({ placeName: "Hall", key: "b" })], NOW), imported(1))
    yield* refused(importRows(neverCreated(fixture), [at({})], NOW), "OrganizationNotFound")
    yield* deleteOrganization(fixture)
    yield* refused(importRows(fixture, [at({})], NOW), "OrganizationNotFound")
  })

  it("imported accesses are forgotten by their exits, in whatever order they came, and are not imported again", function* () {
    const { fixture, inPlace } = yield* anOrganizationWithPlace
    yield* changePolicy(fixture, { retention: Retention.make((30 * DAY) / 1000) })
    const ada = aPerson()
    const row = (days: number) => ({
      ...rowAt(inPlace, after(NOW, -days * DAY), 60_000, { orgAuthServerId: ada, key: `${days}` })
    })
    const rows = [5, 400, 40, 10, 35, 1].map(row)
    yield* importRows(fixture, rows, NOW)
    assert.strictEqual(yield* forgetBatch(fixture, NOW, 2), 2)
    assert.strictEqual(yield* forgetBatch(fixture, NOW), 1)
    assert.strictEqual(yield* forgetBatch(fixture, NOW), 0)
    same(
      pluck(yield* closedBy(inPlace, fixture, [ada]), "entrance"),
      [10, 5, 1].map((days) => after(NOW, -days * DAY))
    )
    same(yield* importRows(fixture, rows, NOW), imported(0, 6))
  })

  it("an erasure and the removal of a place free the keys of their accesses", function* () {
    const { fixture, place, inPlace } = yield* anOrganizationWithPlace
    const [ada, ben] = [aPerson(), aPerson()]
    const row = (person: OrgAuthServerId, key: string, premises: Premises = fixture.premises) =>
      rowAt(premises, after(NOW, -HOUR), 60_000, { orgAuthServerId: person, key })
    const rows = [row(ada, "ada"), row(ben, "ben")]
    yield* importRows(fixture, [...rows, row(ada, "in place", inPlace), row(ben, "there", inPlace)], NOW)
    yield* erase({ _tag: "PersonSubject", organizationId: fixture.id, orgAuthServerId: ada })
    same(yield* importRows(fixture, [...rows, row(ada, "in place", inPlace)], NOW), imported(2, 1))
    yield* removePlace(fixture, place)
    const again = yield* aPlace(fixture)
    const there = ["in place", "there"].map((key) => row(ben, key, PlacePremises(again.id)))
    same(yield* importRows(fixture, [...rows, ...there], NOW), imported(2, 2))
  })

  it("an import that races with the removal of a place ends with it, or finds none", function* (fixture) {
    for (let round = 0; round < 4; round++) {
      const place = yield* aPlace(fixture, { left: 0, bottom: 0, right: 2, top: 2 })
      const rows = times(50, (n) => ({
        entrance: after(NOW, -HOUR),
        exit: NOW,
        placeId: place.id,
        key: `${round} ${n}`
      }))
      const [answer] = yield* concurrently([importRows(fixture, rows, NOW), removePlace(fixture, place)])
      assert.isTrue(answer.imported === 50 || answer.refused.length === 50)
      // Either way its keys are free.
      const again = yield* aPlace(fixture, { left: 2, bottom: 0, right: 4, top: 2 })
      same(
        yield* importRows(
          fixture,
          rows.map((row) => ({ ...row, placeId: again.id })),
          NOW
        ),
        imported(50)
      )
      yield* removePlace(fixture, again)
    }
  })

  it("a muster is about no imported access", function* () {
    const { fixture, hall, inHall } = yield* anOrganizationWithPlaces
    const visitor = yield* aVisitor(fixture)
    const { id: musterId } = yield* start(fixture)
    const stranger = aPerson()
    const at = (person: OrgAuthServerId, entrance: Timestamp) =>
      rowAt(inHall, entrance, 60_000, { orgAuthServerId: person })
    yield* importRows(fixture, [at(stranger, NOW), at(visitor.person, after(NOW, -HOUR))], after(NOW, HOUR))
    same((yield* get(fixture, musterId)).people, [])
    // Nor when their place ends.
    yield* removePlace(fixture, hall)
    same((yield* get(fixture, musterId)).people, [])
  })

  it("accesses are imported by the present mode, and stay when it changes", function* () {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    const person = aPerson()
    const row = rowAt(fixture.premises, after(NOW, -HOUR), 60_000)
    same((yield* importRows(fixture, [row], NOW)).refused, [
      { line: 1, reason: "orgAuthServerId is missing: the organization knows its people" }
    ])
    yield* importRows(fixture, [{ ...row, orgAuthServerId: person }], NOW)
    yield* setTrackingMode(fixture.id, "anonymous")
    same(yield* importRows(fixture, [row], NOW), imported(1))
    assert.strictEqual((yield* closedBy(fixture.premises, fixture, [person])).length, 1)
  })

  it("many rows are imported as one step", function* (fixture) {
    const part = yield* aPlace(fixture)
    const inner = yield* aPart(fixture, part, { left: 0, bottom: 0, right: 2, top: 2 })
    const now = yield* Effect.map(Clock.currentTimeMillis, timestamp)
    const places: ReadonlyArray<PlaceId | undefined> = [undefined, part.id, inner.id]
    const rows = times(5_000, (n) => ({
      entrance: after(now, -DAY - n * 977),
      exit: after(now, -DAY + n * 1_013),
      placeId: places[n % 3],
      key: `many ${n}`
    }))
    const answers = yield* allSucceed([importRows(fixture, rows, now), importRows(fixture, rows, now)])
    same(
      answers.toSorted((one, other) => other.imported - one.imported),
      [imported(5_000), imported(0, 5_000)]
    )
  })
}
