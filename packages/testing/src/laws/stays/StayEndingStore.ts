/** Laws of `StayEndingStore`: stays that managers and policies end. */
import {
  endedStay,
  EventGrain,
  LARGEST_LAG_MS,
  LARGEST_LEAD,
  MusterStore,
  type OrgAuthServerId,
  PlacePremises,
  type Premises,
  type RetryKey,
  StayEndingStore,
  Timestamp
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Arbitrary, Clock, Effect, Option } from "effect"
import { anyOf, integer } from "../../arbitraries/choice.ts"
import { after, NOW } from "../../arbitraries/times.ts"
import { entriesOf } from "../shared/auditEntries.ts"
import { aDevice, peopleOf, reading, send } from "../shared/devices.ts"
import {
  aBoundAdministrator,
  aLinkedPerson,
  anOrganization,
  aPerson,
  aPlace,
  aPlaceToEnter,
  aUserLinkedTo,
  closedBy,
  closedOf,
  countIn,
  enter,
  leave,
  MISSING_PREMISES,
  type OrganizationFixture,
  premisesOf,
  removePlace,
  setTrackingMode,
  someAdministrator,
  someUser,
  unused
} from "../shared/fixtures.ts"
import { countsOf, get, proveState, start } from "../shared/musters.ts"
import { allSucceed, concurrently, pluck, race, refused, same, times, total } from "../shared/outcome.ts"
import { changePolicy, DAY, HOUR } from "../shared/policies.ts"
import { changed, eventsSince, proveSnapshot, publish, totalsOf, versionOf } from "../shared/presenceFeed.ts"
import { type Laws, suite } from "../shared/suite.ts"

const MINUTE = 60_000

interface Options {
  readonly withPlaces?: boolean
  readonly now?: Timestamp
}

const end = (
  premises: Premises,
  { owner: administratorId }: Pick<OrganizationFixture, "owner">,
  people: ReadonlyArray<OrgAuthServerId>,
  { withPlaces = false, now = after(NOW, MINUTE), timestamp }: Options & { readonly timestamp?: Timestamp } = {}
) =>
  StayEndingStore.use((store) =>
    store.end({ premises, withPlaces, administratorId, people, claim: { timestamp, now } })
  )

const clear = (
  premises: Premises,
  { owner: administratorId }: Pick<OrganizationFixture, "owner">,
  { withPlaces = false, now = after(NOW, MINUTE) }: Options = {}
) => StayEndingStore.use((store) => store.clear({ premises, withPlaces, administratorId, now }))

const endDue = (now: number) => StayEndingStore.use((store) => store.endDue(Timestamp(now)))

/** An organization that knows people, with a place. */
const aKnowing = Effect.gen(function* () {
  const fixture = yield* anOrganization({ trackingMode: "authenticated" })
  return { fixture, place: PlacePremises((yield* aPlace(fixture)).id) }
})

/** Publishes movements and corrections, which come apart. */
const publishAll = Effect.andThen(publish(after(NOW, HOUR)), publish(after(NOW, 2 * HOUR)))

const countsIn = (fixture: OrganizationFixture, ...premises: ReadonlyArray<Premises>) =>
  Effect.forEach(premises, (one) => countIn(one, fixture))

const endLaws: Laws = (it) => {
  it("the stays of people end as accesses, and their exit tokens are unknown", function* () {
    const { fixture, place } = yield* aKnowing
    const [one, other] = [yield* aLinkedPerson(fixture), yield* aLinkedPerson(fixture)]
    const stay = yield* enter(place, { by: one.user })
    const stays = [
      stay,
      yield* enter(fixture.premises, { by: one.user }),
      yield* enter(place, { by: other.user }),
      yield* enter(fixture.premises, { by: other.user })
    ]
    const now = after(NOW, MINUTE)
    assert.strictEqual(yield* end(place, fixture, [one.person, one.person, aPerson()], { now }), 1)
    same(yield* countsIn(fixture, place, fixture.premises), [1, 2])
    const [closed] = yield* closedBy(place, fixture, [one.person])
    same(
      { ...closed, id: undefined },
      { ...Option.getOrThrow(endedStay({ ...stay, _tag: "OpenStay" }, { timestamp: undefined, now })), id: undefined }
    )
    for (const timestamp of [undefined, now]) {
      yield* refused(leave(stay, { by: one.user, now, ...(timestamp && { timestamp }) }), "ExitNotMatched")
    }
    // With its places, of everybody.
    const people = [one.person, other.person]
    const timestamp = after(NOW, 30_000)
    assert.strictEqual(yield* end(fixture.premises, fixture, people, { withPlaces: true, timestamp, now }), 3)
    same(yield* countsIn(fixture, place, fixture.premises), [0, 0])
    for (const premises of [place, fixture.premises]) {
      const accesses = yield* closedBy(premises, fixture, people)
      same(accesses.length, 2)
      for (const { id } of accesses) assert.isFalse(stays.some((open) => open.id === id))
    }
    assert.strictEqual(yield* end(fixture.premises, fixture, people, { withPlaces: true }), 0)
    // A person who enters again has another stay.
    const next = yield* enter(place, { by: one.user, now: after(now, 1) })
    assert.strictEqual((yield* leave(next, { by: one.user, now: after(now, 2) })).id, next.id)
  })

  it.prop(
    "of any stays of people those end by the rule that began before the end",
    {
      stays: Arbitrary.array(Arbitrary.all([integer(0, 3), integer(0, 1), integer(-3, 3)]), { maxLength: 8 }),
      asked: Arbitrary.array(integer(0, 3), { minLength: 1, maxLength: 4 }),
      withPlaces: anyOf([true, false]),
      at: anyOf([undefined, -2, 0, 2])
    },
    function* ({ stays, asked, withPlaces, at }) {
      const { fixture, place } = yield* aKnowing
      const people = yield* Effect.all(times(4, () => aLinkedPerson(fixture)))
      const premises = [fixture.premises, place]
      const open = yield* Effect.forEach(stays, ([person, where, minutes]) =>
        enter(premises[where]!, {
          by: people[person]!.user,
          timestamp: after(NOW, minutes * MINUTE),
          now: after(NOW, 2)
        })
      )
      const named = new Set(asked.map((person) => people[person]!.person))
      const claim = { timestamp: at === undefined ? undefined : after(NOW, at * MINUTE), now: after(NOW, 3) }
      const expected = new Map(
        open.flatMap((stay) => {
          const isMeant = withPlaces || stay.premises._tag === "OrganizationPremises"
          const closed = endedStay({ ...stay, _tag: "OpenStay" }, claim)
          if (!isMeant || !named.has(stay.orgAuthServerId!) || Option.isNone(closed)) return []
          return [[stay.id, closed.value] as const]
        })
      )
      const options = {
        withPlaces,
        now: claim.now,
        ...(claim.timestamp !== undefined && { timestamp: claim.timestamp })
      }
      assert.strictEqual(yield* end(fixture.premises, fixture, [...named], options), expected.size)
      const left = new Set(open.map(({ id }) => id)).size - expected.size
      same(total(yield* countsIn(fixture, ...premises)), left)
      const accesses = yield* Effect.forEach(premises, (one) => closedBy(one, fixture, [...named]))
      const spansOf = (list: ReadonlyArray<{ readonly entrance: Timestamp; readonly exit: Timestamp }>) =>
        list.map(({ entrance, exit }) => `${entrance} ${exit}`).sort()
      same(spansOf(accesses.flat()), spansOf([...expected.values()]))
      yield* publish()
      yield* proveSnapshot(fixture)
    },
    10
  )

  it("an end is a manager's, of an organization that knows people, at a time that an exit may have", function* () {
    const { fixture, place } = yield* aKnowing
    const { person, user } = yield* aLinkedPerson(fixture)
    yield* enter(place, { by: user })
    const viewer = { owner: (yield* aBoundAdministrator(fixture, "viewer")).administratorId }
    const manager = { owner: (yield* aBoundAdministrator(fixture, "manager")).administratorId }
    for (const premises of [place, fixture.premises]) {
      for (const caller of [viewer, { owner: someAdministrator() }]) {
        yield* refused(end(premises, caller, [person]), "PermissionTooLow")
        yield* refused(clear(premises, caller), "PermissionTooLow")
      }
      yield* refused(
        end(premises, fixture, [person], { now: NOW, timestamp: after(NOW, LARGEST_LEAD + 1) }),
        "TimestampInFuture"
      )
      yield* refused(
        end(premises, fixture, [person], { now: NOW, timestamp: after(NOW, -LARGEST_LAG_MS - 1) }),
        "TimestampTooOld"
      )
    }
    for (const premises of MISSING_PREMISES) {
      yield* refused(end(premises, fixture, [person]), "PremisesNotFound")
      yield* refused(clear(premises, fixture), "PremisesNotFound")
    }
    yield* setTrackingMode(fixture.id, "anonymous")
    yield* refused(end(place, fixture, [person]), "PeopleNotTracked")
    yield* setTrackingMode(fixture.id, "authenticated")
    assert.strictEqual(yield* end(place, manager, [person], { now: NOW, timestamp: after(NOW, LARGEST_LEAD) }), 1)
  })

  it("of an exit and an end of one stay at the same moment one wins", function* () {
    const { fixture, place } = yield* aKnowing
    for (const round of times(20, (n) => n)) {
      const people = yield* Effect.all(times(5, () => aLinkedPerson(fixture)))
      const now = after(NOW, round * MINUTE)
      const stays = yield* Effect.forEach(people, ({ user }) => enter(place, { by: user, now }))
      const [ended, { succeeded: exits }] = yield* concurrently([
        Effect.map(
          allSucceed(
            times(2, () =>
              end(
                place,
                fixture,
                people.map(({ person }) => person),
                { now: after(now, 2) }
              )
            )
          ),
          total
        ),
        race(stays.map((stay, n) => leave(stay, { by: people[n]!.user, now: after(now, 1) })))
      ])
      assert.strictEqual(ended + exits.length, 5)
      assert.strictEqual(yield* countIn(place, fixture), 0)
    }
    yield* publish(after(NOW, HOUR))
    same((yield* totalsOf(fixture, place)).left, 100)
    yield* proveSnapshot(fixture)
  })

  it("people whose stays end have left the open muster, and are still inside where another stay is open", function* () {
    const { fixture, place } = yield* aKnowing
    const [one, other] = [yield* aLinkedPerson(fixture), yield* aLinkedPerson(fixture)]
    for (const { user } of [one, other]) yield* enter(place, { by: user })
    yield* enter(fixture.premises, { by: other.user })
    const muster = yield* start(fixture)
    const later = yield* aLinkedPerson(fixture)
    yield* enter(place, { by: later.user, now: after(NOW, 2 * MINUTE) })
    const now = after(NOW, 3 * MINUTE)
    assert.strictEqual(yield* end(place, fixture, [one.person, other.person, later.person], { now }), 3)
    const report = yield* get(fixture, muster.id)
    same(countsOf(report), { inside: 3, safe: 0, left: 2, missing: 1 })
    for (const { person } of [one, later]) {
      const since = person === one.person ? NOW : after(NOW, 2 * MINUTE)
      proveState(report, person, { placeIds: [place.placeId], since, state: "left", at: now })
    }
    assert.strictEqual((yield* MusterStore.use((store) => store.inside(place, [fixture.owner]))).length, 1)
  })
}

const clearLaws: Laws = (it) => {
  for (const trackingMode of ["anonymous", "authenticated"] as const) {
    it(`a clear abandons all open stays and takes off the people counted, ${trackingMode}`, function* () {
      const fixture = yield* anOrganization({ trackingMode })
      yield* changePolicy(fixture, { eventGrain: EventGrain.make(0) })
      const place = PlacePremises((yield* aPlace(fixture)).id)
      const { device } = yield* aDevice(fixture, [fixture.premises, place])
      const enters = (premises: Premises) =>
        Effect.flatMap(
          trackingMode === "anonymous" ? Effect.sync(someUser) : aUserLinkedTo(fixture.id, aPerson()),
          (by) => Effect.map(enter(premises, { by }), (stay) => ({ by, stay }))
        )
      const inPlace = yield* Effect.all(times(3, () => enters(place)))
      const whole = yield* Effect.all(times(2, () => enters(fixture.premises)))
      yield* send(device, [reading(place, 5, 1), reading(fixture.premises, 7, 0)])
      yield* publish()
      const before = yield* versionOf(fixture)

      same(yield* clear(place, fixture), { ended: 3, counted: 4 })
      same(yield* countsIn(fixture, place, fixture.premises), [0, 9])
      for (const { by, stay } of inPlace) yield* refused(leave(stay, { by }), "ExitNotMatched")
      same(
        yield* closedOf(
          place,
          fixture,
          inPlace.map(({ stay }) => stay)
        ),
        []
      )
      same(yield* clear(place, fixture), { ended: 0, counted: 0 })
      yield* enters(place)
      same(yield* clear(fixture.premises, fixture, { withPlaces: true }), { ended: 3, counted: 7 })
      same(yield* countsIn(fixture, place, fixture.premises), [0, 0])
      for (const { by, stay } of whole) yield* refused(leave(stay, { by }), "ExitNotMatched")
      same((yield* peopleOf(place, fixture)).counted, 0)

      for (const _ of times(4, () => undefined)) yield* publish(after(NOW, DAY))
      const corrected = (yield* eventsSince(fixture, before)).filter((event) => "corrected" in event && event.corrected)
      same(corrected.map((event) => ("left" in event ? event.left : 0)).sort(), [4, 7])
      yield* proveSnapshot(fixture)
      same((yield* totalsOf(fixture, place)).left, 1 + 3 + 4 + 1)
    })
  }

  it("an organization is cleared without its places unless they are meant", function* (fixture, other) {
    const place = PlacePremises((yield* aPlace(fixture)).id)
    for (const premises of [fixture.premises, place, other.premises]) yield* enter(premises)
    same(yield* clear(fixture.premises, fixture), { ended: 1, counted: 0 })
    same(yield* countsIn(fixture, fixture.premises, place), [0, 1])
    same(yield* clear(fixture.premises, fixture, { withPlaces: true }), { ended: 1, counted: 0 })
    assert.strictEqual(yield* countIn(other.premises, other), 1)
  })

  it("a crowd of several batches is cleared as a whole", function* (fixture) {
    yield* concurrently(times(1_203, () => enter(fixture.premises)))
    same(yield* clear(fixture.premises, fixture), { ended: 1_203, counted: 0 })
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    yield* publish()
    yield* proveSnapshot(fixture)
  })

  it("entrances and exits that race with a clear are before or after it", function* () {
    for (const _ of times(10, (n) => n)) {
      const { fixture, premises } = yield* premisesOf("place")
      const { device } = yield* aDevice(fixture, [premises])
      const stays = yield* Effect.all(times(20, () => enter(premises)))
      const [{ ended, counted }, entered, left] = yield* concurrently([
        clear(premises, fixture),
        allSucceed(times(20, () => enter(premises))),
        race(stays.map((stay) => leave(stay))),
        ...times(5, (n) => send(device, [reading(premises, n + 1, 0)]))
      ] as const)
      assert.strictEqual(left.succeeded.length + (left.refusals["ExitNotMatched"] ?? 0), 20)
      const { counted: rest, inside } = yield* peopleOf(premises, fixture)
      assert.strictEqual(counted + rest, 5)
      assert.strictEqual(ended + left.succeeded.length + inside - rest, 20 + entered.length)
      yield* publishAll
      yield* proveSnapshot(fixture)
    }
  })

  it("a clear that races with the end of its place is before it, or finds no place", function* () {
    for (const _ of times(5, (n) => n)) {
      const fixture = yield* anOrganization()
      const { place, premises } = yield* aPlaceToEnter(fixture)
      yield* Effect.all(times(20, () => enter(premises)))
      const [cleared] = yield* concurrently([race([clear(premises, fixture)]), removePlace(fixture, place)])
      assert.strictEqual(cleared.succeeded.length + (cleared.refusals["PremisesNotFound"] ?? 0), 1)
      yield* publishAll
      yield* proveSnapshot(fixture)
    }
  })

  it("clears at the same moment end each stay once", function* (fixture) {
    yield* concurrently(times(30, () => enter(fixture.premises)))
    const cleared = yield* allSucceed(times(6, () => clear(fixture.premises, fixture)))
    assert.strictEqual(total(cleared.map(({ ended }) => ended)), 30)
  })

  it("a clear keeps the people of the open muster, who have left", function* () {
    const { fixture, place } = yield* aKnowing
    const { person, user } = yield* aLinkedPerson(fixture)
    yield* enter(place, { by: user })
    const muster = yield* start(fixture)
    yield* clear(fixture.premises, fixture, { withPlaces: true, now: after(NOW, 3 * MINUTE) })
    const report = yield* get(fixture, muster.id)
    same(countsOf(report), { inside: 1, safe: 0, left: 1, missing: 0 })
    proveState(report, person, { placeIds: [place.placeId], since: NOW, state: "left" })
  })

  it("a retry key leads to the stay that a clear abandoned, and counts no person", function* (fixture) {
    const key = unused("retry") as RetryKey
    const first = yield* enter(fixture.premises, { key })
    yield* clear(fixture.premises, fixture)
    assert.strictEqual((yield* enter(fixture.premises, { key, now: after(NOW, HOUR) })).id, first.id)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
  })

  it("with a publishing interval a clear reveals no movement since the last multiple, and is published at the next", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { eventGrain: EventGrain.make(60) })
    const { premises } = fixture
    const { device } = yield* aDevice(fixture)
    const start = Timestamp(Math.ceil((yield* Clock.currentTimeMillis) / MINUTE) * MINUTE)
    yield* enter(premises, { now: start })
    yield* send(device, [reading(premises, 3, 0)], start)
    yield* publish(start)
    const before = yield* versionOf(fixture)
    yield* enter(premises, { now: after(start, 1_000) })
    yield* send(device, [reading(premises, 9, 0)], after(start, 1_000))
    for (const seconds of [2, 3]) {
      same(yield* clear(premises, fixture, { now: after(start, seconds * 1_000) }), { ended: 1, counted: 3 })
      same(yield* countIn(premises, fixture), 4)
    }
    yield* publish(after(start, 4_000))
    same(yield* eventsSince(fixture, before), [])
    yield* publish(after(start, MINUTE))
    same(yield* eventsSince(fixture, before), [
      changed(premises, { entered: 1, left: 2, inside: 3 }),
      { ...changed(premises, { entered: 0, left: 3, inside: 0 }), corrected: true }
    ])
    yield* proveSnapshot(fixture)
  })
}

const dailyLaws: Laws = (it) => {
  it("the stays of an organization end once at the time of its policy", function* (fixture, other) {
    const { premises } = yield* aPlaceToEnter(fixture)
    const now = yield* Clock.currentTimeMillis
    const entered = { now: Timestamp(now) }
    for (const one of [fixture.premises, premises, other.premises]) yield* enter(one, entered)
    yield* endDue(now + 3 * DAY)
    yield* changePolicy(fixture, { staysEndAt: "03:00", timeZone: "Asia/Kathmandu" })
    yield* endDue(now)
    same(yield* countsIn(fixture, fixture.premises, premises), [1, 1])
    const counts = yield* concurrently(times(5, () => endDue(now + DAY)))
    assert.isAtLeast(total(counts), 1)
    same(yield* countsIn(fixture, fixture.premises, premises), [0, 0])
    const entries = Effect.map(entriesOf(fixture), (all) => all.filter(({ actor }) => actor.id === "staysEndAt"))
    same(pluck(yield* entries, "action"), ["stay.abandon"])
    assert.strictEqual(yield* countIn(other.premises, other), 1)
    // Whoever enters after the moment stays until the next.
    const late = yield* enter(premises, { now: Timestamp(now + DAY) })
    yield* endDue(now + DAY)
    assert.strictEqual(yield* countIn(premises, fixture), 1)
    yield* endDue(now + 2 * DAY)
    assert.strictEqual(yield* countIn(premises, fixture), 0)
    yield* endDue(now + 3 * DAY)
    same(pluck(yield* entries, "action"), ["stay.abandon", "stay.abandon"])
    yield* refused(leave(late, { now: Timestamp(now + 2 * DAY) }), "ExitNotMatched")
    yield* publish(Timestamp(now + 3 * DAY))
    same((yield* totalsOf(fixture, premises)).left, 2)
    yield* proveSnapshot(fixture)
  })

  it("a policy that was lifted ends no stays, and a time that changes counts from then on", function* (fixture) {
    const now = yield* Clock.currentTimeMillis
    yield* enter(fixture.premises, { now: Timestamp(now) })
    yield* changePolicy(fixture, { staysEndAt: "03:00" })
    yield* changePolicy(fixture, { staysEndAt: null })
    yield* endDue(now + 2 * DAY)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    yield* changePolicy(fixture, { staysEndAt: "03:00" })
    yield* endDue(now + DAY)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
  })

  it("a clock that was ahead by a year, and is right again, puts off no end", function* (fixture) {
    const now = yield* Clock.currentTimeMillis
    yield* changePolicy(fixture, { staysEndAt: "03:00" })
    yield* endDue(now + 366 * DAY)
    yield* enter(fixture.premises, { now: Timestamp(now) })
    // The next time is computed anew, and nothing ends before that.
    yield* endDue(now)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    yield* endDue(now + DAY)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
  })
}

/** What every adapter of `StayEndingStore` promises. */
export const stayEndingStoreLaws = suite("StayEndingStore", [endLaws, clearLaws, dailyLaws])
