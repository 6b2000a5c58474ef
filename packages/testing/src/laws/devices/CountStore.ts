/** Laws of `CountStore`: the people counted, and what the feed publishes of them. */
import {
  type CountFacts,
  countReadings,
  CountStore,
  type Device,
  DeviceStore,
  EventGrain,
  PlacePremises,
  type Premises,
  premisesKey,
  type Reading,
  Timestamp
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Arbitrary, Clock, Effect, Result } from "effect"
import { anyOf, integer } from "../../arbitraries/choice.ts"
import { after, NOW } from "../../arbitraries/times.ts"
import { aDevice, correct, devicesOf, peopleOf, reading, send } from "../shared/devices.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPlace,
  aPlaceToEnter,
  countIn,
  enter,
  leave,
  NO_ORGANIZATION,
  removePlace,
  someAdministrator
} from "../shared/fixtures.ts"
import { allSucceed, concurrently, race, refused, same, times, total } from "../shared/outcome.ts"
import { changePolicy, DAY } from "../shared/policies.ts"
import { changed, eventsSince, LATER, proveSnapshot, publish, totalsOf, versionOf } from "../shared/presenceFeed.ts"
import { type Laws, suite } from "../shared/suite.ts"

/** What the rule makes of the requests of two devices: the numbers of premises, and the drift of each device. */
const byRule = (
  devices: ReadonlyArray<Pick<Device, "id">>,
  requests: ReadonlyArray<readonly [device: number, readings: ReadonlyArray<Reading>, now: Timestamp]>
) => {
  const shared = new Map<string, Pick<CountFacts, "counted" | "missing">>()
  const own = new Map<string, Pick<CountFacts, "newest" | "epochs">>()
  const drift = new Map(devices.map(({ id }) => [id, 0]))
  for (const [device, readings, now] of requests) {
    const ownOf = (key: string) => own.get(`${device} ${key}`) ?? { newest: 0, epochs: new Map() }
    const result = countReadings(
      readings,
      (premises) => {
        const key = premisesKey(premises)
        return { ...ownOf(key), ...(shared.get(key) ?? { counted: 0, missing: [] }) }
      },
      { deviceId: devices[device]!.id, now, begun: undefined }
    )
    if (Result.isFailure(result)) continue
    for (const [key, { counted, missing, newest, epochs, drift: changes }] of result.success.premises) {
      shared.set(key, { counted, missing })
      own.set(`${device} ${key}`, { newest, epochs: new Map([...ownOf(key).epochs, ...epochs]) })
      for (const [id, change] of changes) drift.set(id, drift.get(id)! + change)
    }
  }
  return {
    countedAt: (premises: Premises) => shared.get(premisesKey(premises))?.counted ?? 0,
    drift: [...drift.values()]
  }
}

/** A reading by numbers: which premises, which epoch, and totals, some of which are too large a step. */
const anyReading = Arbitrary.all([integer(0, 1), anyOf(["a", "b"]), integer(0, 30), anyOf([0, 1, 5, 20, 40, 10_050])])

const ofFeed = (events: ReadonlyArray<{ readonly _tag: string }>) =>
  events.filter(({ _tag }) => _tag === "PresenceChanged")

const laws: Laws = (it) => {
  it.prop(
    "readings of any order and number count as the rule says",
    {
      requests: Arbitrary.array(
        Arbitrary.all([
          integer(0, 1),
          Arbitrary.array(anyReading, { minLength: 1, maxLength: 4 }),
          anyOf([0, 900, 60_000, 120_000])
        ]),
        { minLength: 1, maxLength: 12 }
      )
    },
    function* ({ requests }) {
      const fixture = yield* anOrganization()
      const { premises } = yield* aPlaceToEnter(fixture)
      const both = [fixture.premises, premises] as const
      const devices = [(yield* aDevice(fixture, both)).device, (yield* aDevice(fixture, both)).device]
      yield* enter(premises)
      let now = NOW
      const sent = requests.map(([device, readings, wait]) => {
        now = after(now, wait)
        return [device, readings.map(([at, epoch, into, out]) => reading(both[at]!, into, out, epoch)), now] as const
      })
      for (const [device, readings, at] of sent) yield* Effect.ignore(send(devices[device]!, readings, at))
      const expected = byRule(devices, sent)
      const openStays = [
        [fixture.premises, 0],
        [premises, 1]
      ] as const
      for (const [at, open] of openStays) {
        const counted = expected.countedAt(at)
        same(yield* peopleOf(at, fixture), {
          organizationId: fixture.id,
          premises: at,
          counted,
          inside: counted + open
        })
        assert.strictEqual(yield* countIn(at, fixture), counted + open)
      }
      same(
        (yield* devicesOf(fixture)).map(({ drift }) => drift),
        expected.drift
      )
      yield* publish()
      for (const [at, open] of openStays) {
        const { entered, left } = yield* totalsOf(fixture, at)
        assert.strictEqual(entered - left, expected.countedAt(at) + open)
      }
      yield* proveSnapshot(fixture)
    }
  )

  it("a reading that is sent many times at the same moment counts once", function* (fixture) {
    const { device } = yield* aDevice(fixture)
    const sent = times(40, (n) => send(device, [reading(fixture.premises, (n % 10) + 1, 0)]))
    assert.isAtMost(total(yield* allSucceed(sent)), 10)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 10)
  })

  it("many devices count at one door at the same moment, each person once, beside movements", function* (fixture) {
    const devices = yield* Effect.all(times(6, () => aDevice(fixture)))
    const counts = devices.flatMap(({ device }) =>
      times(5, (n) => send(device, [reading(fixture.premises, 2 * (n + 1), n + 1)]))
    )
    const [, entered] = yield* concurrently([race(counts), race(times(20, () => enter(fixture.premises)))])
    yield* race(entered.succeeded.slice(0, 8).map((stay) => leave(stay)))
    const drift = total((yield* devicesOf(fixture)).map((device) => device.drift))
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 6 * 5 + 12 + drift)
    yield* publish()
    const { entered: inAll, left } = yield* totalsOf(fixture, fixture.premises)
    assert.strictEqual(inAll - left, 6 * 5 + 12 + drift)
  })

  it("readings are refused as a whole, and change nothing", function* (fixture) {
    const elsewhere = PlacePremises((yield* aPlace(fixture)).id)
    const { device } = yield* aDevice(fixture)
    yield* send(device, [reading(fixture.premises, 3, 0)])
    const good = reading(fixture.premises, 9, 0)
    yield* refused(send(device, [good, reading(elsewhere, 1, 0)]), "NotCountedByDevice")
    yield* refused(send(device, [good, reading(fixture.premises, 10_010, 0)]), "StepTooLarge")
    same((yield* peopleOf(fixture.premises, fixture)).counted, 3)
    assert.strictEqual((yield* devicesOf(fixture))[0]?.lastSeenAt, NOW)
  })

  it("an epoch that is long over never counts again", function* (fixture) {
    const { device } = yield* aDevice(fixture)
    const epochs = times(1_100, (n) => `${n}`)
    for (let n = 0; n < epochs.length; n += 100) {
      yield* send(
        device,
        epochs.slice(n, n + 100).map((epoch) => reading(fixture.premises, 1, 1, epoch))
      )
    }
    for (const epoch of ["0", "1", "500"]) {
      assert.strictEqual(yield* send(device, [reading(fixture.premises, 9, 0, epoch)]), 0)
    }
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
  })

  it("new epochs count at most 100,000 people within a minute", function* (fixture, other) {
    const { device } = yield* aDevice(fixture)
    const epochs = (first: number, now: Timestamp) =>
      race(times(10, (n) => send(device, [reading(fixture.premises, 10_000, 0, `${first + n}`)], now)))
    assert.deepStrictEqual((yield* epochs(0, NOW)).refusals, {})
    yield* refused(send(device, [reading(fixture.premises, 1, 0, "more")], after(NOW, 59_999)), "NewEpochsTooLarge")
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 100_000)
    assert.deepStrictEqual((yield* epochs(10, after(NOW, 60_000))).refusals, {})
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 200_000)
    yield* send((yield* aDevice(other)).device, [reading(other.premises, 10_000, 0, "more")], after(NOW, 60_000))
  })

  it("people who come in by another door soon after repay what was missing, and are told", function* (fixture) {
    yield* changePolicy(fixture, { eventGrain: EventGrain.make(0) })
    const [one, other] = [(yield* aDevice(fixture)).device, (yield* aDevice(fixture)).device]
    const drift = Effect.map(devicesOf(fixture), (devices) => devices.map((device) => device.drift))
    const before = yield* versionOf(fixture)
    yield* send(one, [reading(fixture.premises, 0, 5)])
    same(yield* drift, [5, 0])
    yield* send(other, [reading(fixture.premises, 3, 0)], after(NOW, 1_000))
    same(yield* drift, [2, 0])
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    yield* publish()
    yield* send(other, [reading(fixture.premises, 9, 0)], after(NOW, 120_000))
    same(yield* drift, [0, 0])
    yield* publish()
    same(yield* eventsSince(fixture, before), [
      changed(fixture.premises, { entered: 3, left: 3, inside: 0 }),
      changed(fixture.premises, { entered: 6, left: 2, inside: 4 })
    ])
    // A correction, and a reset, end what can be repaid.
    yield* send(one, [reading(fixture.premises, 0, 10)], after(NOW, 121_000))
    same(yield* drift, [1, 0])
    yield* correct(fixture.premises, fixture, 0, after(NOW, 122_000))
    yield* send(other, [reading(fixture.premises, 11, 0)], after(NOW, 123_000))
    same(yield* drift, [1, 0])
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 2)
    yield* publish()
    yield* proveSnapshot(fixture)
  })

  it("the drift of a device outlives its places, and what it lacks is repaid to no other", function* (fixture) {
    const { place, premises } = yield* aPlaceToEnter(fixture)
    const [one, other] = [
      (yield* aDevice(fixture, [premises, fixture.premises])).device,
      (yield* aDevice(fixture)).device
    ]
    yield* send(one, [reading(premises, 0, 5), reading(fixture.premises, 0, 2)])
    yield* send(other, [reading(fixture.premises, 0, 4)], after(NOW, 1))
    const drift = Effect.map(devicesOf(fixture), (devices) => devices.map((device) => device.drift))
    yield* removePlace(fixture, place)
    same(yield* drift, [7, 4])
    yield* DeviceStore.use((store) => store.remove({ deviceId: other.id, administratorId: fixture.owner }))
    yield* send(one, [reading(fixture.premises, 6, 2)], after(NOW, 2))
    same(yield* drift, [5])
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
  })

  it("a correction is one event of the difference", function* (fixture) {
    yield* changePolicy(fixture, { eventGrain: EventGrain.make(0) })
    const { device } = yield* aDevice(fixture)
    yield* send(device, [reading(fixture.premises, 5, 0)])
    yield* publish()
    const before = yield* versionOf(fixture)
    same(yield* correct(fixture.premises, fixture, 9), {
      organizationId: fixture.id,
      premises: fixture.premises,
      counted: 9,
      inside: 9
    })
    yield* correct(fixture.premises, fixture, 9)
    yield* enter(fixture.premises, { now: after(NOW, 1) })
    yield* publish()
    yield* publish()
    yield* correct(fixture.premises, fixture, 2)
    yield* publish()
    same(ofFeed(yield* eventsSince(fixture, before)), [
      { ...changed(fixture.premises, { entered: 4, left: 0, inside: 9 }), corrected: true },
      changed(fixture.premises, { entered: 1, left: 0, inside: 10 }),
      { ...changed(fixture.premises, { entered: 0, left: 7, inside: 3 }), corrected: true }
    ])
  })

  it("corrections are for managers, and of premises that exist", function* (fixture) {
    const viewer = yield* aBoundAdministrator(fixture, "viewer")
    const owned = { ...fixture, owner: viewer.administratorId }
    yield* refused(correct(fixture.premises, owned, 1), "PermissionTooLow")
    same((yield* peopleOf(fixture.premises, owned)).counted, 0)
    yield* refused(peopleOf(fixture.premises, { owner: someAdministrator() }), "PermissionTooLow")
    const place = yield* aPlace(fixture)
    yield* removePlace(fixture, place)
    for (const gone of [PlacePremises(place.id), { ...fixture.premises, organizationId: NO_ORGANIZATION }]) {
      yield* refused(correct(gone, fixture, 1), "PremisesNotFound")
      yield* refused(peopleOf(gone, fixture), "PremisesNotFound")
    }
  })

  it("with a publishing interval answers say what was published", function* (fixture) {
    yield* changePolicy(fixture, { eventGrain: EventGrain.make(2) })
    const { device } = yield* aDevice(fixture)
    yield* publish(LATER)
    yield* send(device, [reading(fixture.premises, 5, 0)], after(LATER, 10_000))
    same(yield* peopleOf(fixture.premises, fixture), {
      organizationId: fixture.id,
      premises: fixture.premises,
      counted: 0,
      inside: 0
    })
    yield* publish(after(LATER, 20_000))
    same((yield* peopleOf(fixture.premises, fixture)).counted, 5)
    same((yield* correct(fixture.premises, fixture, 7, after(LATER, 30_000))).counted, 7)
    same((yield* peopleOf(fixture.premises, fixture)).counted, 5)
  })

  it("with a publishing interval events tell nothing of the order of movements, counts and corrections", function* () {
    /** What answers say before the next multiple and after it, and what events say. */
    const told = Effect.fnUntraced(function* (order: ReadonlyArray<number>, start: Timestamp) {
      const fixture = yield* anOrganization()
      const { premises } = fixture
      yield* changePolicy(fixture, { eventGrain: EventGrain.make(60) })
      const [one, other] = [(yield* aDevice(fixture)).device, (yield* aDevice(fixture)).device]
      yield* send(one, [reading(premises, 4, 0)], start)
      yield* enter(premises, { now: start })
      yield* publish(start)
      const before = yield* versionOf(fixture)
      const happenings = [
        (now: Timestamp) => enter(premises, { now }),
        (now: Timestamp) => send(one, [reading(premises, 6, 0)], now),
        (now: Timestamp) => correct(premises, fixture, 1, now),
        (now: Timestamp) => send(other, [reading(premises, 0, 9)], now)
      ]
      const answers = Effect.gen(function* () {
        const { counted, inside } = yield* peopleOf(premises, fixture)
        return [counted, inside, yield* countIn(premises, fixture)]
      })
      const drift = Effect.map(devicesOf(fixture), (devices) => devices.map((device) => device.drift))
      for (const [n, happening] of order.entries()) {
        yield* happenings[happening]!(after(start, 1_000 * (n + 1)))
        same(yield* answers, [4, 5, 5])
        // Drift is answered by the real clock.
        if (start > NOW) same(yield* drift, [0, 0])
      }
      yield* publish(after(start, 60_000))
      const events = yield* eventsSince(fixture, before)
      yield* send(one, [reading(premises, 7, 0)], after(start, 60_001))
      yield* publish(after(start, 120_000))
      yield* proveSnapshot(fixture)
      return { events, answers: yield* answers, drift: yield* drift, premises }
    })
    const orders = [
      [0, 1, 2, 3],
      [2, 0, 1, 3],
      [3, 1, 2, 0],
      [1, 3, 0, 2],
      [3, 2, 1, 0]
    ]
    const soon = Timestamp(Math.ceil((yield* Clock.currentTimeMillis) / 60_000) * 60_000)
    for (const [order, start] of orders.flatMap((order) => [[order, soon] as const, [order, NOW] as const])) {
      const { events, answers, drift, premises } = yield* told(order, start)
      same(drift, [0, 0])
      same(events, [
        changed(premises, { entered: 1, left: 0, inside: 6 }),
        { ...changed(premises, { entered: 0, left: 3, inside: 3 }), corrected: true }
      ])
      same(answers, [2, 4, 4])
    }
  })

  it("with a publishing interval a reset takes the place of what was counted since the last multiple", function* () {
    const fixture = yield* anOrganization()
    const { premises } = fixture
    yield* changePolicy(fixture, { eventGrain: EventGrain.make(60), countedResetAt: "04:00" })
    const { device } = yield* aDevice(fixture)
    const start = Timestamp(Math.ceil((yield* Clock.currentTimeMillis) / 60_000) * 60_000 + DAY)
    yield* send(device, [reading(premises, 4, 0)], start)
    yield* publish(start)
    const before = yield* versionOf(fixture)
    yield* send(device, [reading(premises, 9, 0)], after(start, 1_000))
    yield* CountStore.use((store) => store.reset(after(start, 2_000)))
    yield* send(device, [reading(premises, 11, 0)], after(start, 3_000))
    yield* publish(after(start, 60_000))
    same(yield* eventsSince(fixture, before), [
      { ...changed(premises, { entered: 0, left: 4, inside: 0 }), corrected: true }
    ])
    same((yield* peopleOf(premises, fixture)).counted, 0)
    yield* proveSnapshot(fixture)
  })

  it("the people counted in a place leave with its end", function* (fixture) {
    const { place, premises } = yield* aPlaceToEnter(fixture)
    const { device } = yield* aDevice(fixture, [premises])
    yield* send(device, [reading(premises, 5, 0)])
    yield* enter(premises)
    const before = yield* versionOf(fixture)
    yield* removePlace(fixture, place)
    const left = total(
      ofFeed(yield* eventsSince(fixture, before)).map((event) => ("left" in event ? (event.left as number) : 0))
    )
    assert.strictEqual(left, 6)
    const last = (yield* eventsSince(fixture, before)).at(-1)
    same(last, { _tag: "PlaceChanged", placeId: place.id, changed: "deleted" })
  })

  it("readings that race with the end of their place come before it, or find no place", function* () {
    for (const _ of times(5, (n) => n)) {
      const fixture = yield* anOrganization()
      const { place, premises } = yield* aPlaceToEnter(fixture)
      const { device } = yield* aDevice(fixture, [premises])
      const sent = times(10, (n) => send(device, [reading(premises, n + 1, 0)]))
      const [counted] = yield* concurrently([race(sent), removePlace(fixture, place)])
      assert.strictEqual(counted.succeeded.length + (counted.refusals["NotCountedByDevice"] ?? 0), 10)
      yield* publish()
      yield* proveSnapshot(fixture)
    }
  })

  it("the numbers of an organization become 0 once at the time of its policy", function* () {
    const fixture = yield* anOrganization()
    const { premises } = yield* aPlaceToEnter(fixture)
    const { device } = yield* aDevice(fixture, [fixture.premises, premises])
    const reset = (now: number) => CountStore.use((store) => store.reset(Timestamp(now)))
    const now = yield* Clock.currentTimeMillis
    yield* send(device, [reading(fixture.premises, 5, 0), reading(premises, 7, 0)])
    yield* reset(now + 3 * DAY)
    yield* changePolicy(fixture, { countedResetAt: "04:00", eventGrain: EventGrain.make(0) })
    yield* publish()
    yield* reset(now)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 5)
    const before = yield* versionOf(fixture)
    yield* concurrently(times(5, () => reset(now + DAY)))
    assert.deepStrictEqual([yield* countIn(fixture.premises, fixture), yield* countIn(premises, fixture)], [0, 0])
    yield* send(device, [reading(fixture.premises, 6, 0)], Timestamp(now + DAY + 1))
    yield* reset(now + DAY)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    yield* publish(Timestamp(now + 2 * DAY))
    yield* publish(Timestamp(now + 2 * DAY))
    const corrections = (yield* eventsSince(fixture, before))
      .flatMap((event) => (event._tag === "PresenceChanged" && event.corrected === true ? event : []))
      .sort((one, other) => one.left - other.left)
    same(corrections, [
      { ...changed(fixture.premises, { entered: 0, left: 5, inside: 0 }), corrected: true },
      { ...changed(premises, { entered: 0, left: 7, inside: 0 }), corrected: true }
    ])
    yield* reset(now + 2 * DAY)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
  })

  it("a clock that was ahead by a year, and is right again, puts off no reset", function* () {
    const fixture = yield* anOrganization()
    const { device } = yield* aDevice(fixture)
    const reset = (now: number) => CountStore.use((store) => store.reset(Timestamp(now)))
    const now = yield* Clock.currentTimeMillis
    yield* changePolicy(fixture, { countedResetAt: "04:00", eventGrain: EventGrain.make(0) })
    yield* reset(now + 366 * DAY)
    yield* send(device, [reading(fixture.premises, 5, 0)])
    // The next time is computed anew, and nothing is reset before that.
    yield* reset(now)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 5)
    yield* reset(now + DAY)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
  })
}

/** What every adapter of `CountStore` promises. */
export const countStoreLaws = suite("CountStore", [laws])
