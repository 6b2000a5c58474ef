/** Laws of musters: start, marks, end, and what each of them reports. */
import { type MusterReport, MusterId, MusterStore, PlacePremises } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPart,
  aPerson,
  aPlace,
  deleteOrganization,
  enter,
  leave,
  someAdministrator,
  setTrackingMode,
  NEVER_ISSUED,
  neverCreated,
  removePlace
} from "../../shared/fixtures.ts"
import type { Laws } from "../../shared/suite.ts"
import { allSucceed, race, refused, same, times, expectRefusals, pluck } from "../../shared/outcome.ts"
import { aTimeLongAgo, forget, publish } from "../../shared/presenceFeed.ts"
import { DAY } from "../../shared/policies.ts"
import {
  anOrganizationWithPlaces,
  aVisitor,
  counted,
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
  unsweep,
  swept,
  unmarked,
  visitorsOf,
  proveState
} from "../../shared/musters.ts"

const EMPTY = { inside: 0, safe: 0, left: 0, missing: 0 }
const NO_MUSTER = MusterId.make(NEVER_ISSUED)

const summary = ({ people: _, ...muster }: MusterReport) => muster

export const musterLaws: Laws = (it) => {
  it("a muster has all people inside of the organization or a place of it when it begins", function* () {
    const { fixture, hall, yard, inHall, inYard } = yield* anOrganizationWithPlaces
    const { administratorId: manager } = yield* aBoundAdministrator(fixture, "manager")
    const [ada, bob, cleo, gone] = yield* visitorsOf(fixture)
    yield* ada.enters(fixture.premises, minute(-5))
    yield* bob.enters(inYard, minute(-3))
    yield* bob.enters(inHall, minute(-4))
    yield* bob.enters(fixture.premises, minute(-2))
    yield* cleo.enters(inHall, minute(-1))
    yield* leave(yield* gone.enters(inHall, minute(-9)), { by: gone.user })
    const muster = yield* start(fixture, { administratorId: manager, note: "Fire in the hall" })
    same(summary(muster), {
      id: muster.id,
      organizationId: fixture.id,
      mode: "authenticated",
      kind: "drill",
      note: "Fire in the hall",
      startedAt: minute(1),
      startedBy: manager,
      ...EMPTY,
      inside: 3,
      missing: 3
    })
    const missing = { state: "missing" }
    proveState(muster, ada.person, { placeIds: [], since: minute(-5), ...missing })
    proveState(muster, bob.person, { placeIds: [hall.id, yard.id], since: minute(-4), ...missing })
    proveState(muster, cleo.person, { placeIds: [hall.id], since: minute(-1), ...missing })
    same(yield* get(fixture, muster.id), muster)
    same(yield* list(fixture), [summary(muster)])
    same(yield* musterEvents(fixture), [{ musterId: muster.id, state: "started" }])
  })

  it("people come in, leave and are marked safe: the muster says where each is", function* () {
    const { fixture, hall, inHall } = yield* anOrganizationWithPlaces
    const { administratorId: viewer } = yield* aBoundAdministrator(fixture, "viewer")
    const [ada, bob, late, brief] = yield* visitorsOf(fixture)
    const adaOutside = yield* ada.enters(fixture.premises)
    const adaInHall = yield* ada.enters(inHall)
    yield* bob.enters(inHall)
    const { id } = yield* start(fixture)

    yield* late.enters(inHall, minute(2))
    const briefly = yield* brief.enters(inHall, minute(2))
    yield* brief.leaves(briefly, minute(3))
    yield* ada.leaves(adaInHall, minute(3))
    let muster = yield* get(fixture, id)
    same(countsOf(muster), { inside: 4, safe: 0, left: 1, missing: 3 })
    same(stateOf(muster, ada.person).placeIds, [])
    same(stateOf(muster, late.person).since, minute(2))
    proveState(muster, brief.person, { placeIds: [hall.id], since: minute(2), state: "left", at: minute(3) })

    const stranger = aPerson()
    muster = yield* mark(viewer, id, marked(bob.person, late.person, stranger, brief.person, bob.person), minute(4))
    same(countsOf(muster), { inside: 5, safe: 3, left: 1, missing: 1 })
    proveState(muster, stranger, { placeIds: [], state: "safe", at: minute(4) })
    for (const { person } of [bob, late]) {
      proveState(muster, person, {
        placeIds: [hall.id],
        since: person === bob.person ? NOW : minute(2),
        state: "safe",
        at: minute(4)
      })
    }
    same(yield* get(fixture, id), muster)

    yield* ada.leaves(adaOutside, minute(5))
    yield* brief.enters(fixture.premises, minute(6))
    muster = yield* get(fixture, id)
    same(countsOf(muster), { inside: 5, safe: 4, left: 1, missing: 0 })
    proveState(muster, ada.person, { placeIds: [], since: NOW, state: "left", at: minute(5) })
    // Marked while outside, and back in: safe.
    same(stateOf(muster, brief.person).state, "safe")
  })

  it("marking twice changes nothing and publishes nothing", function* () {
    const { fixture, inHall } = yield* anOrganizationWithPlaces
    const [ada, bob] = [yield* aVisitor(fixture), yield* aVisitor(fixture)]
    yield* ada.enters(inHall)
    yield* bob.enters(inHall)
    const { id } = yield* start(fixture)
    const once = yield* mark(fixture.owner, id, marked(ada.person), minute(2))
    same(yield* mark(fixture.owner, id, marked(ada.person, ada.person), minute(3)), once)
    const published = ["started", "updated"].map((state) => ({ musterId: id, state }))
    same(yield* musterEvents(fixture), published)
    const both = yield* mark(fixture.owner, id, marked(ada.person, bob.person), minute(4))
    same(stateOf(both, ada.person).at, minute(2))
    same(stateOf(both, bob.person).at, minute(4))
    same(yield* musterEvents(fixture), [...published, { musterId: id, state: "updated" }])
  })

  it("marks are taken back, and people who were added by a mark alone with them", function* () {
    const { fixture, hall, inHall } = yield* anOrganizationWithPlaces
    const { administratorId: viewer } = yield* aBoundAdministrator(fixture, "viewer")
    const [ada, bob, late] = yield* visitorsOf(fixture)
    const stranger = aPerson()
    yield* ada.enters(inHall)
    yield* bob.enters(inHall)
    const { id } = yield* start(fixture)
    const all = marked(ada.person, bob.person, late.person, stranger)
    yield* mark(viewer, id, all)
    yield* late.enters(inHall, minute(3))
    const taken = yield* mark(viewer, id, unmarked(ada.person, late.person, stranger, stranger), minute(4))
    same(countsOf(taken), { inside: 3, safe: 1, left: 0, missing: 2 })
    assert.isFalse(isOf(taken, stranger))
    proveState(taken, ada.person, { placeIds: [hall.id], since: NOW, state: "missing" })
    proveState(taken, late.person, { placeIds: [hall.id], since: minute(3), state: "missing" })
    same(yield* mark(viewer, id, unmarked(ada.person, stranger, aPerson()), minute(5)), taken)
    const updated = ["started", "updated", "updated"]
    same(pluck(yield* musterEvents(fixture), "state"), updated)
    const again = yield* mark(viewer, id, all, minute(6))
    same(countsOf(again), { inside: 4, safe: 4, left: 0, missing: 0 })
    same(stateOf(again, ada.person).at, minute(6))
    same(stateOf(again, bob.person).at, minute(2))
    // In one step: added, taken out, added and taken out again.
    const store = yield* MusterStore
    const person = aPerson()
    const markings = [marked(person), unmarked(person), marked(person), unmarked(person, ada.person)]
    yield* store.mark(
      id,
      markings.map((marking) => ({ administratorId: viewer, marking, now: minute(7) }))
    )
    const now = yield* get(fixture, id)
    same(countsOf(now), { inside: 4, safe: 3, left: 0, missing: 1 })
    assert.isFalse(isOf(now, person))
    yield* end(fixture, id)
    yield* refused(mark(viewer, id, unmarked(ada.person)), "MusterEnded")
    yield* refused(mark(someAdministrator(), id, unmarked(ada.person)), "PermissionTooLow")
    yield* refused(mark(viewer, NO_MUSTER, unmarked(ada.person)), "MusterNotFound")
  })

  it("who was taken out makes room for another who was not known to be inside", function* () {
    const { fixture } = yield* anOrganizationWithPlaces
    const { id } = yield* start(fixture)
    const [first, ...others] = times(1_000, () => aPerson())
    yield* mark(fixture.owner, id, marked(first!, ...others))
    yield* refused(mark(fixture.owner, id, marked(aPerson())), "TooManyAdded")
    yield* mark(fixture.owner, id, unmarked(first!))
    same((yield* mark(fixture.owner, id, marked(aPerson()))).safe, 1_000)
    yield* refused(mark(fixture.owner, id, marked(first!)), "TooManyAdded")
  })

  it("places are swept: a muster says which, when, and by whom first", function* () {
    for (const trackingMode of ["authenticated", "anonymous"] as const) {
      const fixture = yield* anOrganization({ trackingMode })
      const { administratorId: viewer } = yield* aBoundAdministrator(fixture, "viewer")
      const hall = yield* aPlace(fixture, { left: 0, bottom: 0, right: 4, top: 8 })
      const yard = yield* aPlace(fixture, { left: 4, bottom: 0, right: 8, top: 8 })
      const elsewhere = yield* aPlace(yield* anOrganization())
      const { id, swept: none } = yield* start(fixture)
      assert.isUndefined(none)
      yield* mark(viewer, id, sweep(yard), minute(2))
      const both = yield* mark(fixture.owner, id, sweep(hall), minute(3))
      const ofHall = swept(hall, fixture.owner, minute(3))
      const ofYard = swept(yard, viewer, minute(2))
      same(both.swept, [ofHall, ofYard])
      same((yield* list(fixture))[0]!.swept, both.swept)
      // Swept before: by whom and when it was first.
      same(yield* mark(fixture.owner, id, sweep(yard), minute(4)), both)
      same((yield* mark(viewer, id, unsweep(hall), minute(5))).swept, [ofYard])
      same((yield* mark(viewer, id, unsweep(hall), minute(6))).swept, [ofYard])
      same(pluck(yield* musterEvents(fixture), "state"), ["started", "updated", "updated", "updated"])
      for (const place of [elsewhere, { id: NEVER_ISSUED as typeof hall.id }]) {
        const refusal = yield* refused(mark(viewer, id, sweep(place)), "SweptPlaceUnknown")
        same(refusal.placeId, place.id)
      }
      yield* refused(mark(someAdministrator(), id, sweep(elsewhere)), "PermissionTooLow")
      yield* removePlace(fixture, yard)
      yield* refused(mark(viewer, id, unsweep(yard)), "SweptPlaceUnknown")
      const ended = yield* end(fixture, id)
      same(ended.swept, [ofYard])
      yield* refused(mark(viewer, id, sweep(elsewhere)), "SweptPlaceUnknown")
      yield* refused(mark(viewer, id, sweep(hall)), "MusterEnded")
      same(yield* get(fixture, id), ended)
    }
  })

  it("an ended muster stays as it was at its end, and ending it again changes nothing", function* () {
    const { fixture, inHall } = yield* anOrganizationWithPlaces
    const [ada, bob, cleo] = [yield* aVisitor(fixture), yield* aVisitor(fixture), yield* aVisitor(fixture)]
    const adaInHall = yield* ada.enters(inHall)
    yield* bob.enters(inHall)
    yield* leave(yield* cleo.enters(inHall, minute(-1)), { by: cleo.user })
    const { id } = yield* start(fixture)
    yield* cleo.leaves(yield* cleo.enters(inHall, minute(2)), minute(3))
    yield* mark(fixture.owner, id, marked(bob.person))
    const open = yield* get(fixture, id)
    const ended = yield* end(fixture, id)
    same(ended, { ...open, endedAt: minute(9) })
    same(countsOf(ended), { inside: 3, safe: 1, left: 1, missing: 1 })

    yield* ada.leaves(adaInHall, minute(10))
    yield* cleo.enters(inHall, minute(11))
    same(yield* get(fixture, id), ended)
    same(yield* end(fixture, id, minute(12)), ended)
    same(yield* list(fixture), [summary(ended)])
    const refusal = yield* refused(mark(fixture.owner, id, marked(ada.person)), "MusterEnded")
    same(refusal.endedAt, minute(9))
    same(yield* get(fixture, id), ended)
    same(pluck(yield* musterEvents(fixture), "state"), ["started", "updated", "ended"])
  })

  it("one muster of an organization is open at a time; they are listed with the newest first", function* () {
    const { fixture } = yield* anOrganizationWithPlaces
    const other = yield* anOrganizationWithPlaces
    same(yield* list(fixture), [])
    const first = yield* start(fixture)
    const refusal = yield* refused(start(fixture), "MusterOpen")
    same(refusal.musterId, first.id)
    yield* start(other.fixture)
    yield* end(fixture, first.id)
    const second = yield* start(fixture, { now: minute(9) })
    assert.notStrictEqual(second.id, first.id)
    same(pluck(yield* list(fixture), "id"), [second.id, first.id])
    yield* expectRefusals(race(times(5, () => start(fixture))), { MusterOpen: 5 })
  })

  it("of musters that are started at the same moment one is", function* () {
    const { fixture } = yield* anOrganizationWithPlaces
    const succeeded = yield* expectRefusals(race(times(8, () => start(fixture))), { MusterOpen: 7 })
    same(pluck(yield* list(fixture), "id"), pluck(succeeded, "id"))
  })

  it("what is missing is refused first, then who may not: viewers read and mark, managers start and end", function* () {
    const { fixture } = yield* anOrganizationWithPlaces
    const { administratorId: viewer } = yield* aBoundAdministrator(fixture, "viewer")
    const { administratorId: manager } = yield* aBoundAdministrator(fixture, "manager")
    const stranger = someAdministrator()
    const nowhere = neverCreated(fixture)
    yield* refused(start(nowhere), "OrganizationNotFound")
    yield* refused(list(nowhere), "OrganizationNotFound")
    yield* refused(get(fixture, NO_MUSTER), "MusterNotFound")
    yield* refused(mark(stranger, NO_MUSTER, counted(1)), "MusterNotFound")
    yield* refused(end(fixture, NO_MUSTER), "MusterNotFound")
    for (const who of [stranger, viewer]) yield* refused(start(fixture, { administratorId: who }), "PermissionTooLow")
    const { id } = yield* start(fixture, { administratorId: manager })
    for (const who of [stranger, viewer]) {
      yield* refused(start(fixture, { administratorId: who }), "PermissionTooLow")
      yield* refused(end({ owner: who }, id), "PermissionTooLow")
    }
    yield* refused(list(fixture, stranger), "PermissionTooLow")
    yield* refused(get({ owner: stranger }, id), "PermissionTooLow")
    yield* refused(mark(stranger, id, counted(1)), "PermissionTooLow")
    yield* refused(mark(viewer, id, counted(1)), "MarkingNotOfMode")
    same((yield* list(fixture, viewer)).length, 1)
    same((yield* get({ owner: viewer }, id)).id, id)
    same(countsOf(yield* mark(viewer, id, marked(aPerson()))), { ...EMPTY, inside: 1, safe: 1 })
    yield* end({ owner: manager }, id)
    yield* refused(mark(viewer, id, counted(1)), "MarkingNotOfMode")
    yield* refused(mark(viewer, id, marked(aPerson())), "MusterEnded")
    yield* refused(mark(stranger, id, marked(aPerson())), "PermissionTooLow")
  })

  it("an anonymous muster has numbers alone, of the organization itself", function* (fixture) {
    const place = yield* aPlace(fixture)
    const inside = yield* Effect.all(times(5, () => enter(fixture.premises)))
    // Exits before it are published before it, after it, or were not published yet: none counts.
    yield* leave(yield* enter(fixture.premises))
    yield* publish()
    yield* leave(yield* enter(fixture.premises))
    const inPlace = yield* enter({ _tag: "PlacePremises", placeId: place.id })
    const muster = yield* start(fixture)
    same(muster.mode, "anonymous")
    assert.isUndefined(muster.people)
    same(countsOf(muster), { inside: 5, safe: 0, left: 0, missing: 5 })
    const { id } = muster
    yield* leave(inside[0]!)
    yield* leave(inside[1]!)
    yield* leave(inPlace)
    yield* enter(fixture.premises)
    same(countsOf(yield* get(fixture, id)), { inside: 6, safe: 0, left: 2, missing: 4 })
    yield* publish()
    same(countsOf(yield* get(fixture, id)), { inside: 6, safe: 0, left: 2, missing: 4 })
    const once = yield* mark(fixture.owner, id, counted(1))
    // Who left and who was counted may be the same people.
    same(countsOf(once), { inside: 6, safe: 1, left: 2, missing: 4 })
    same(yield* mark(fixture.owner, id, counted(1)), once)
    same(countsOf(yield* mark(fixture.owner, id, counted(4))), { inside: 6, safe: 4, left: 2, missing: 2 })
    same(countsOf(yield* mark(fixture.owner, id, counted(7))), { inside: 6, safe: 7, left: 2, missing: 0 })
    same(countsOf(yield* mark(fixture.owner, id, counted(0))), { inside: 6, safe: 0, left: 2, missing: 4 })
    yield* refused(mark(fixture.owner, id, marked(aPerson())), "MarkingNotOfMode")
    yield* refused(mark(fixture.owner, id, unmarked(aPerson())), "MarkingNotOfMode")
    const ended = yield* end(fixture, id)
    yield* leave(inside[2]!)
    same(yield* get(fixture, id), ended)
    same(countsOf(ended), { inside: 6, safe: 0, left: 2, missing: 4 })
    same(pluck(yield* musterEvents(fixture), "state"), ["started", ...times(4, () => "updated"), "ended"])
    same(countsOf(yield* start(fixture)), { inside: 3, safe: 0, left: 0, missing: 3 })
  })

  it("an anonymous muster goes by places where more are inside of them than of the organization itself", function* (fixture) {
    const hall = yield* aPlace(fixture, { left: 0, bottom: 0, right: 4, top: 8 })
    const yard = yield* aPlace(fixture, { left: 4, bottom: 0, right: 8, top: 8 })
    const room = yield* aPart(fixture, hall, { left: 0, bottom: 0, right: 2, top: 2 })
    const [inHall, inYard, inRoom] = [PlacePremises(hall.id), PlacePremises(yard.id), PlacePremises(room.id)]
    yield* enter(fixture.premises)
    yield* enter(inHall)
    const inTheRoom = yield* Effect.all(times(4, () => enter(inRoom)))
    const inTheYard = yield* Effect.all(times(3, () => enter(inYard)))
    yield* leave(yield* enter(inYard))
    const { id, ...muster } = yield* start(fixture)
    // The room has more than the hall around it.
    same(countsOf({ id, ...muster }), { inside: 7, safe: 0, left: 0, missing: 7 })
    yield* leave(inTheYard[0]!)
    yield* leave(inTheRoom[0]!)
    yield* enter(inRoom)
    // Counted nowhere: neither the organization itself nor the hall is what this muster goes by.
    yield* enter(inHall)
    yield* leave(yield* enter(fixture.premises))
    const numbers = { inside: 8, safe: 0, left: 2, missing: 6 }
    same(countsOf(yield* get(fixture, id)), numbers)
    yield* publish()
    same(countsOf(yield* get(fixture, id)), numbers)
    // Where the people of a place that ends are is not known: they are missing.
    yield* leave(inTheYard[1]!)
    yield* removePlace(fixture, yard)
    const without = { inside: 8, safe: 0, left: 3, missing: 5 }
    same(countsOf(yield* get(fixture, id)), without)
    yield* leave(inTheRoom[1]!)
    same(countsOf(yield* end(fixture, id)), { ...without, left: 4, missing: 4 })
  })

  it("an anonymous muster counts exits that the feed has forgotten", function* () {
    const since = yield* aTimeLongAgo
    const fixture = yield* anOrganization({}, since)
    const inside = yield* Effect.all(times(4, () => enter(fixture.premises, { now: since })))
    const leaves = Effect.fnUntraced(function* (index: number, days: number) {
      yield* leave(inside[index]!, { now: after(since, days * DAY) })
      yield* publish(after(since, days * DAY))
    })
    yield* leaves(0, 1)
    const twoDays = after(since, 2 * DAY)
    const starting = start(fixture, { now: twoDays })
    const { id } = yield* Effect.andThen(TestClock.setTime(twoDays), starting).pipe(Effect.provide(TestClock.layer()))
    yield* leaves(1, 3)
    yield* leaves(2, 4)
    const numbers = { inside: 3, safe: 0, left: 2, missing: 1 }
    same(countsOf(yield* get(fixture, id)), numbers)
    // The last event is kept: that of the last exit.
    assert.isAbove(yield* forget(after(since, 20 * DAY)), 2)
    same(countsOf(yield* get(fixture, id)), numbers)
    same(countsOf(yield* end(fixture, id)), numbers)
  })

  it("a muster keeps the tracking mode that it began with", function* () {
    const { fixture, inHall } = yield* anOrganizationWithPlaces
    const ada = yield* aVisitor(fixture)
    const adaInHall = yield* ada.enters(inHall)
    const known = yield* start(fixture)
    yield* setTrackingMode(fixture.id, "anonymous")
    yield* enter(inHall)
    same(countsOf(yield* get(fixture, known.id)), { ...EMPTY, inside: 1, missing: 1 })
    yield* refused(mark(fixture.owner, known.id, counted(1)), "MarkingNotOfMode")
    same(stateOf(yield* mark(fixture.owner, known.id, marked(ada.person)), ada.person).state, "safe")
    yield* leave(adaInHall, { by: ada.user })
    same(stateOf(yield* end(fixture, known.id), ada.person).state, "left")

    const anonymous = yield* start(fixture)
    assert.isUndefined(anonymous.people)
    yield* setTrackingMode(fixture.id, "authenticated")
    yield* ada.enters(fixture.premises)
    assert.isUndefined((yield* get(fixture, anonymous.id)).people)
    yield* refused(mark(fixture.owner, anonymous.id, marked(ada.person)), "MarkingNotOfMode")
    same(countsOf(yield* mark(fixture.owner, anonymous.id, counted(1))), { ...EMPTY, inside: 1, safe: 1 })
  })

  it("entrances and exits at the moment of a start are before it or after it", function* () {
    const { fixture, inHall } = yield* anOrganizationWithPlaces
    const visitors = yield* Effect.all(times(10, () => aVisitor(fixture)))
    const inside = yield* Effect.all(visitors.map((visitor) => visitor.enters(inHall)))
    const comers = yield* Effect.all(times(10, () => aVisitor(fixture)))
    const succeeded = yield* allSucceed([
      ...comers.slice(0, 5).map((comer) => Effect.asVoid(comer.enters(inHall))),
      ...inside.slice(0, 5).map((stay, n) => Effect.asVoid(leave(stay, { by: visitors[n]!.user }))),
      start(fixture),
      ...comers.slice(5).map((comer) => Effect.asVoid(comer.enters(inHall))),
      ...inside.slice(5).map((stay, n) => Effect.asVoid(leave(stay, { by: visitors[n + 5]!.user })))
    ])
    const muster = yield* get(fixture, succeeded.find((one) => one !== undefined)!.id)
    // All comers are inside, and those who left after the start are in it.
    for (const { person } of comers) same(stateOf(muster, person).state, "missing")
    for (const { person } of visitors) if (isOf(muster, person)) same(stateOf(muster, person).state, "left")
    assert.strictEqual(muster.missing, 10)
  })

  it("marks at the same moment are all kept, or come after the end", function* () {
    const { fixture } = yield* anOrganizationWithPlaces
    const people = times(20, () => aPerson())
    const { id } = yield* start(fixture)
    const { refusals } = yield* race([
      ...people.map((person) => Effect.asVoid(mark(fixture.owner, id, marked(person)))),
      Effect.asVoid(end(fixture, id))
    ])
    const tooLate = refusals["MusterEnded"] ?? 0
    assert.strictEqual((yield* get(fixture, id)).safe, 20 - tooLate)
    const updates = times(20 - tooLate, () => "updated")
    same(pluck(yield* musterEvents(fixture), "state"), ["started", ...updates, "ended"])
  })

  it("marking adds at most 1,000 people who were not known to be inside; a refused marking marks no person", function* () {
    const { fixture, inHall } = yield* anOrganizationWithPlaces
    const [ada, late] = [yield* aVisitor(fixture), yield* aVisitor(fixture)]
    yield* ada.enters(inHall)
    const { id } = yield* start(fixture)
    const strangers = (count: number) => marked(aPerson(), ...times(count - 1, () => aPerson()))
    // Of these three two are too many.
    yield* expectRefusals(race(times(3, () => mark(fixture.owner, id, strangers(600)))), { TooManyAdded: 2 })
    same(countsOf(yield* get(fixture, id)), { inside: 601, safe: 600, left: 0, missing: 1 })

    const more = strangers(400)
    if (!("people" in more)) return assert.fail("people are marked")
    const all = marked(ada.person, late.person, ...more.people)
    const refusal = yield* refused(mark(fixture.owner, id, all), "TooManyAdded")
    same(refusal.limit, 1_000)
    same(countsOf(yield* get(fixture, id)), { inside: 601, safe: 600, left: 0, missing: 1 })
    same((yield* mark(fixture.owner, id, more)).safe, 1_000)

    // Who comes in is no longer one of those who were added, nor is who was inside.
    yield* refused(mark(fixture.owner, id, marked(late.person)), "TooManyAdded")
    yield* late.enters(inHall, minute(3))
    yield* mark(fixture.owner, id, all)
    same(countsOf(yield* get(fixture, id)), { inside: 1_002, safe: 1_002, left: 0, missing: 0 })
    same(pluck(yield* musterEvents(fixture), "state"), ["started", "updated", "updated", "updated"])
    yield* refused(mark(fixture.owner, id, marked(aPerson())), "TooManyAdded")
  })

  it("calls in one step are answered each by its own administrator, and in their order", function* () {
    const { fixture, inHall } = yield* anOrganizationWithPlaces
    const { administratorId: viewer } = yield* aBoundAdministrator(fixture, "viewer")
    const stranger = someAdministrator()
    const [ada, bob] = [yield* aVisitor(fixture), yield* aVisitor(fixture)]
    yield* ada.enters(inHall)
    const { id } = yield* start(fixture)
    const store = yield* MusterStore
    const verdicts = (answers: ReadonlyArray<Result.Result<unknown, { readonly _tag: string }>>) =>
      answers.map((answer) => (Result.isSuccess(answer) ? "accepted" : answer.failure._tag))
    const readers = [viewer, stranger, fixture.owner]
    const accepted = ["accepted", "PermissionTooLow", "accepted"]
    same(verdicts(yield* store.get(id, readers)), accepted)
    same(verdicts(yield* store.inside(inHall, readers)), accepted)
    same(verdicts(yield* store.list(fixture.id, readers)), accepted)

    const marking = (administratorId: typeof viewer, minutes: number, ...people: Parameters<typeof marked>) => ({
      administratorId,
      marking: marked(...people),
      now: minute(minutes)
    })
    const answers = yield* store.mark(id, [
      marking(stranger, 2, ada.person),
      marking(viewer, 3, bob.person),
      { administratorId: viewer, marking: counted(1), now: minute(3) },
      marking(viewer, 4, ada.person, bob.person),
      marking(viewer, 5, bob.person)
    ])
    same(verdicts(answers), ["PermissionTooLow", "accepted", "MarkingNotOfMode", "accepted", "accepted"])
    const muster = yield* get(fixture, id)
    same([stateOf(muster, ada.person).at, stateOf(muster, bob.person).at], [minute(4), minute(3)])
    for (const answer of answers) if (Result.isSuccess(answer)) same(answer.success, muster)

    const ending = (administratorId: typeof viewer, minutes: number) => ({ administratorId, now: minute(minutes) })
    const ends = yield* store.end(id, [ending(viewer, 6), ending(fixture.owner, 7), ending(fixture.owner, 8)])
    same(verdicts(ends), ["PermissionTooLow", "accepted", "accepted"])
    same((yield* get(fixture, id)).endedAt, minute(7))
    assert.deepStrictEqual(pluck(yield* musterEvents(fixture), "state"), ["started", "updated", "updated", "ended"])
  })

  it("musters are forgotten after their end, with their people, and no others", function* () {
    const { fixture, inHall } = yield* anOrganizationWithPlaces
    const ada = yield* aVisitor(fixture)
    yield* ada.enters(inHall)
    const [old, recent] = [yield* start(fixture), yield* end(fixture, (yield* list(fixture))[0]!.id, minute(2))]
    assert.strictEqual(old.id, recent.id)
    const later = yield* start(fixture)
    yield* end(fixture, later.id, minute(5))
    const open = yield* start(fixture)
    const forget = MusterStore.use((store) => store.forget(minute(4), 1_000))
    assert.isAtLeast(yield* forget, 1)
    yield* refused(get(fixture, old.id), "MusterNotFound")
    same(pluck(yield* list(fixture), "id"), [open.id, later.id])
    same(stateOf(yield* get(fixture, later.id), ada.person).state, "missing")
  })

  it("musters end with their organization", function* () {
    const { fixture, inHall } = yield* anOrganizationWithPlaces
    const ada = yield* aVisitor(fixture)
    yield* ada.enters(inHall)
    const ended = yield* start(fixture)
    yield* end(fixture, ended.id)
    const open = yield* start(fixture)
    yield* deleteOrganization(fixture)
    for (const { id } of [ended, open]) {
      yield* refused(get(fixture, id), "MusterNotFound")
      yield* refused(end(fixture, id), "MusterNotFound")
    }
    yield* refused(list(fixture), "OrganizationNotFound")
  })
}
