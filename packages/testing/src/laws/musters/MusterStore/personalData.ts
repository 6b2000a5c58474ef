/** Laws of the personal data in musters: export, erasure, retention. */
import { AdministratorSubject, ERASED, NOTHING_STORED, PersonSubject, UserSubject } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { NOW } from "../../../arbitraries/times.ts"
import { aBoundAdministrator, aPerson } from "../../shared/fixtures.ts"
import type { Laws } from "../../shared/suite.ts"
import { allSucceed, pluck, same, times } from "../../shared/outcome.ts"
import { collect, erase } from "../../shared/personalData.ts"
import {
  anOrganizationWithPlaces,
  aVisitor,
  end,
  get,
  isOf,
  list,
  mark,
  marked,
  minute,
  musterEvents,
  countsOf,
  start,
  stateOf,
  sweep,
  swept,
  unmarked
} from "../../shared/musters.ts"

export const musterPersonalDataLaws: Laws = (it) => {
  it("what musters keep of a person is collected, and erased with the person", function* () {
    const { fixture, hall, inHall } = yield* anOrganizationWithPlaces
    const { id: organizationId } = fixture
    const [ada, bob] = [yield* aVisitor(fixture), yield* aVisitor(fixture)]
    yield* ada.enters(inHall)
    yield* bob.enters(inHall)
    const first = yield* start(fixture)
    yield* mark(fixture.owner, first.id, marked(ada.person), minute(2))
    const ended = yield* end(fixture, first.id)
    const open = yield* start(fixture)
    yield* mark(fixture.owner, open.id, marked(ada.person), minute(3))
    const of = { organizationId, orgAuthServerId: ada.person, placeIds: [hall.id], since: NOW }
    for (const subject of [UserSubject(ada.user), PersonSubject(organizationId, ada.person)]) {
      same((yield* collect(subject)).musterEntries, [
        { ...of, musterId: first.id, state: "safe", at: minute(2) },
        { ...of, musterId: open.id, markedAt: minute(3) }
      ])
    }
    const ofBob = { ...of, orgAuthServerId: bob.person }
    same((yield* collect(PersonSubject(organizationId, bob.person))).musterEntries, [
      { ...ofBob, musterId: first.id, state: "missing" },
      { ...ofBob, musterId: open.id }
    ])
    assert.strictEqual((yield* erase(UserSubject(ada.user))).musterEntries, 2)

    const frozen = yield* get(fixture, first.id)
    same(countsOf(frozen), countsOf(ended))
    assert.isFalse(isOf(frozen, ada.person))
    same(stateOf(frozen, bob.person), stateOf(ended, bob.person))
    const now = yield* get(fixture, open.id)
    same(countsOf(now), { inside: 1, safe: 0, left: 0, missing: 1 })
    assert.isFalse(isOf(now, ada.person))
    same((yield* musterEvents(fixture)).slice(-2), [
      { musterId: open.id, state: "updated" },
      { musterId: open.id, state: "updated" }
    ])
    same(yield* collect(PersonSubject(organizationId, ada.person)), NOTHING_STORED)
    assert.strictEqual((yield* erase(PersonSubject(organizationId, ada.person))).musterEntries, 0)
    assert.strictEqual((yield* musterEvents(fixture)).length, 6)

    assert.strictEqual((yield* erase(PersonSubject(organizationId, bob.person))).musterEntries, 2)
    for (const { id } of [first, open]) same((yield* get(fixture, id)).people, [])
    same(yield* collect(PersonSubject(organizationId, bob.person)), NOTHING_STORED)
  })

  it("a person without a stay is erased from the musters where they were marked", function* () {
    const { fixture } = yield* anOrganizationWithPlaces
    const person = aPerson()
    const { id } = yield* start(fixture)
    yield* mark(fixture.owner, id, marked(person))
    const subject = PersonSubject(fixture.id, person)
    assert.strictEqual((yield* erase(subject)).musterEntries, 1)
    same((yield* get(fixture, id)).people, [])
    same(yield* collect(subject), NOTHING_STORED)
  })

  it("of a mark and an erasure of a person at the same moment one is first, and other marks stay", function* () {
    const { fixture, inHall } = yield* anOrganizationWithPlaces
    const { id: organizationId } = fixture
    const visitors = yield* Effect.all(times(20, () => aVisitor(fixture)))
    for (const { enters } of visitors) yield* enters(inHall)
    const erased = visitors.slice(0, 10).map(({ person }) => person)
    const kept = visitors.slice(10).map(({ person }) => person)
    const { id } = yield* start(fixture)
    yield* allSucceed([
      ...erased.map((person) => Effect.asVoid(erase(PersonSubject(organizationId, person)))),
      ...erased.map((person, nth) => Effect.asVoid(mark(fixture.owner, id, marked(person, kept[nth]!))))
    ])
    const muster = yield* get(fixture, id)
    for (const person of kept) same(stateOf(muster, person).state, "safe")
    // A mark after the erasure adds a person who is not known to be inside.
    const markedLater = erased.filter((person) => isOf(muster, person))
    for (const person of markedLater) same(stateOf(muster, person).state, "safe")
    same(countsOf(muster), { inside: 10 + markedLater.length, safe: 10 + markedLater.length, left: 0, missing: 0 })
    for (const person of erased) {
      const { musterEntries } = yield* collect(PersonSubject(organizationId, person))
      assert.strictEqual(musterEntries.length, markedLater.includes(person) ? 1 : 0)
      yield* erase(PersonSubject(organizationId, person))
    }
    same(countsOf(yield* get(fixture, id)), { inside: 10, safe: 10, left: 0, missing: 0 })
  })

  it("the places that an administrator searched are collected, and lose the name when they are erased", function* () {
    const { fixture, hall, yard } = yield* anOrganizationWithPlaces
    const { id: organizationId, owner } = fixture
    const { administratorId } = yield* aBoundAdministrator(fixture, "viewer")
    const first = yield* start(fixture)
    yield* mark(administratorId, first.id, sweep(hall), minute(2))
    yield* mark(owner, first.id, sweep(yard), minute(3))
    yield* end(fixture, first.id)
    const open = yield* start(fixture)
    yield* mark(administratorId, open.id, sweep(yard), minute(4))
    const subject = AdministratorSubject(administratorId)
    same((yield* collect(subject)).sweptPlaces, [
      { organizationId, musterId: first.id, placeId: hall.id, at: minute(2) },
      { organizationId, musterId: open.id, placeId: yard.id, at: minute(4) }
    ])
    // With the entry of the audit on the permission.
    assert.strictEqual((yield* erase(subject)).mentions, 3)
    const erased = ERASED as typeof administratorId
    same((yield* get(fixture, first.id)).swept, [swept(hall, erased, minute(2)), swept(yard, owner, minute(3))])
    same((yield* get(fixture, open.id)).swept, [swept(yard, erased, minute(4))])
    same(yield* collect(subject), NOTHING_STORED)
    same(pluck(yield* list(fixture), "startedBy"), [owner, owner])
  })

  it("a mark that was taken back is of nothing that is stored", function* () {
    const { fixture, hall, inHall } = yield* anOrganizationWithPlaces
    const { id: organizationId } = fixture
    const ada = yield* aVisitor(fixture)
    const stranger = aPerson()
    yield* ada.enters(inHall)
    const { id: musterId } = yield* start(fixture)
    yield* mark(fixture.owner, musterId, marked(ada.person, stranger))
    yield* mark(fixture.owner, musterId, unmarked(ada.person, stranger))
    same(yield* collect(PersonSubject(organizationId, stranger)), NOTHING_STORED)
    const entry = { organizationId, orgAuthServerId: ada.person, placeIds: [hall.id], since: NOW, musterId }
    same((yield* collect(PersonSubject(organizationId, ada.person))).musterEntries, [entry])
  })

  it("the musters of an administrator are collected, and lose the name when they are erased", function* () {
    const { fixture } = yield* anOrganizationWithPlaces
    const { id: organizationId } = fixture
    const { administratorId } = yield* aBoundAdministrator(fixture, "manager")
    const first = yield* start(fixture, { administratorId, note: "Fire" })
    yield* end(fixture, first.id)
    const open = yield* start(fixture, { administratorId })
    const subject = AdministratorSubject(administratorId)
    const started = { organizationId, kind: "drill", startedAt: minute(1) }
    same((yield* collect(subject)).startedMusters, [
      { ...started, id: first.id, note: "Fire" },
      { ...started, id: open.id }
    ])
    assert.strictEqual((yield* erase(subject)).mentions, 3)
    same(
      (yield* list(fixture)).map(({ id, startedBy, note }) => ({ id, startedBy, note: note ?? "none" })),
      [
        { id: open.id, startedBy: ERASED, note: "none" },
        { id: first.id, startedBy: ERASED, note: "none" }
      ]
    )
    same(yield* collect(subject), NOTHING_STORED)
  })
}
