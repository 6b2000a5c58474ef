/** Laws of `HistoryStore`: the rows of a history and the events of its feed add up to the same. */
import {
  historyRows,
  type HistoryStep,
  HistoryStore,
  type Opened,
  OrganizationPremises,
  PlacePremises,
  PresenceFeed,
  type Premises,
  SmallestCount,
  type Timestamp,
  Timestamp as timestamp
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Arbitrary, Clock, Effect } from "effect"
import { anyOf, integer } from "../../../arbitraries/choice.ts"
import { after } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  aLinkedPerson,
  aPlace,
  deleteOrganization,
  enter,
  type OrganizationFixture,
  leave,
  NO_ORGANIZATION,
  NO_PLACE,
  premisesOf,
  removePlace,
  someAdministrator,
  setTrackingMode,
  displayOf,
  anOrganization
} from "../../shared/fixtures.ts"
import { allSucceed, refused, same, times, total, pluck } from "../../shared/outcome.ts"
import { changePolicy, DAY, HOUR } from "../../shared/policies.ts"
import { placeIdOf, publish, readFrom } from "../../shared/presenceFeed.ts"
import { MINUTE, nextMorning, rollUp, rollUpAll, rowsOf, stepsOf, twoDays } from "./fixtures.ts"
import { historyRaceLaws } from "./races.ts"
import { type Laws, suite } from "../../shared/suite.ts"

/** Every `PresenceChanged` of some premises. */
const changesOf = (fixture: OrganizationFixture, premises: Premises) =>
  Effect.map(readFrom(fixture), (events) =>
    events.flatMap((event) =>
      event._tag === "PresenceChanged" && event.placeId === placeIdOf(premises)
        ? [{ ...event, exits: 0, stayed: 0 }]
        : []
    )
  )

const enterAndPublish = (premises: Premises, now: Timestamp) => Effect.andThen(enter(premises, { now }), publish(now))

const agreementLaws: Laws = (it) => {
  it.prop(
    "rows are what the feed published, whatever of it is in buckets",
    {
      kind: anyOf(["organization", "place"]),
      step: anyOf(["minute", "hour", "day"]),
      timeZone: anyOf([undefined, "Europe/Rome", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe"]),
      steps: Arbitrary.array(
        Arbitrary.all({
          what: anyOf(["enter", "enter", "leave", "publish", "publish", "rollUp"]),
          wait: anyOf([2_000, 45_000, 20 * MINUTE, 7 * HOUR]),
          most: integer(1, 4)
        }),
        { minLength: 5, maxLength: 25 }
      )
    },
    function* ({ kind, step, timeZone, steps }) {
      const { fixture, premises } = yield* premisesOf(kind as "organization" | "place")
      const inside: Array<Opened> = []
      const beganAt = yield* Effect.map(Clock.currentTimeMillis, timestamp)
      let now = after(beganAt, MINUTE)
      for (const { what, wait, most } of steps) {
        now = after(now, wait)
        if (what === "enter") inside.push(yield* enter(premises, { now }))
        if (what === "leave" && inside.length > 0) yield* leave(inside.shift()!, { now })
        if (what === "publish") yield* publish(now)
        if (what === "rollUp") yield* rollUp(most)
      }
      const changes = yield* changesOf(fixture, premises)
      const published = changes.at(-1)?.inside ?? 0
      const query = twoDays(step as HistoryStep, now, timeZone)
      const range = stepsOf(query)
      const { beganAt: began } = yield* HistoryStore.use((store) => store.read(fixture.owner, premises, range))
      const withoutStays = (rows: ReturnType<typeof historyRows>) =>
        rows.map((row) => ({ ...row, averageStay: undefined }))
      const expected = historyRows(range, { beganAt: began, buckets: [], changes, inside: published }, now)
      same(withoutStays(yield* rowsOf(fixture, premises, query, now)), withoutStays(expected))
      yield* rollUpAll
      same(withoutStays(yield* rowsOf(fixture, premises, query, now)), withoutStays(expected))
      // What ended before the range, and what is recorded and not yet published, is in no row of it.
      const earlier = { ...query, from: after(query.from, -DAY), to: query.from }
      same(
        withoutStays(yield* rowsOf(fixture, premises, earlier, now)),
        withoutStays(historyRows(stepsOf(earlier), { beganAt: began, buckets: [], changes, inside: published }, now))
      )
    }
  )

  it("the time zone of a history is that of the organization's policy", function* (fixture) {
    const place = PlacePremises((yield* aPlace(fixture)).id)
    const zoneOf = (premises: Premises) => HistoryStore.use((store) => store.timeZone(premises))
    for (const timeZone of ["Europe/Rome", null]) {
      yield* changePolicy(fixture, { timeZone })
      for (const premises of [fixture.premises, place]) same(yield* zoneOf(premises), timeZone ?? undefined)
    }
    for (const premises of [PlacePremises(NO_PLACE), OrganizationPremises(NO_ORGANIZATION)]) {
      yield* refused(zoneOf(premises), "PremisesNotFound")
    }
  })

  it("servers that roll up at one moment add each event once", function* (fixture) {
    const morning = yield* nextMorning
    const range = twoDays("hour", morning)
    for (let n = 1; n <= 60; n++) {
      const stay = yield* enter(fixture.premises, { now: after(morning, n * MINUTE) })
      if (n % 3 === 0) yield* leave(stay, { now: after(morning, n * MINUTE) })
      yield* publish(after(morning, n * MINUTE))
    }
    const now = after(morning, 3 * HOUR)
    const before = yield* rowsOf(fixture, fixture.premises, range, now)
    for (let round = 0; round < 8; round++) {
      yield* allSucceed(times(8, () => rollUp(1)))
      same(yield* rowsOf(fixture, fixture.premises, range, now), before)
    }
    yield* rollUpAll
    same(yield* rowsOf(fixture, fixture.premises, range, now), before)
    same([total(pluck(before, "entered")), total(pluck(before, "left"))], [60, 20])
  })

  for (const [clock, jump] of [
    ["an hour ahead", HOUR],
    ["a day behind", -DAY]
  ] as const) {
    it(`a clock that was ${clock} for a while leaves all counts right, and later rows`, function* (fixture) {
      const noon = after(yield* nextMorning, DAY + 4 * HOUR)
      const stays: Array<Opened> = []
      const happen = Effect.fnUntraced(function* (now: Timestamp, entered: number, left: number) {
        for (let n = 0; n < entered; n++) stays.push(yield* enter(fixture.premises, { now }))
        for (let n = 0; n < left; n++) yield* leave(stays.shift()!, { now })
        yield* publish(now)
      })
      const range = { from: after(noon, -2 * DAY - 12 * HOUR), to: after(noon, 2 * DAY + 12 * HOUR) }
      const read = (step: HistoryStep, now: Timestamp) => rowsOf(fixture, fixture.premises, { step, ...range }, now)
      yield* happen(noon, 4, 1)
      yield* happen(after(noon, jump + MINUTE), 2, 1)
      yield* happen(after(noon, jump + 2 * MINUTE), 1, 1)
      yield* happen(after(noon, 3 * MINUTE), 3, 2)
      yield* happen(after(noon, 10 * MINUTE), 1, 0)
      // Rows to come are not published, as before; what a clock behind recorded counts when it was published after the event before it.
      const now = after(noon, 20 * MINUTE)
      const halfHour = { step: "minute", from: after(noon, 4 * MINUTE), to: after(noon, 30 * MINUTE) } as const
      for (const rolled of [Effect.void, rollUpAll]) {
        yield* rolled
        for (const step of ["hour", "day"] as const) {
          const rows = yield* read(step, now)
          assert.isAtMost(rows.at(-1)!.from, now)
          for (const { least, most, average } of rows) assert.isTrue(least <= average && average <= most)
          const { most, entered } = rows.at(-1)!
          assert.isAtLeast(entered, 4)
          assert.isAtLeast(most, 6)
        }
        const minutes = yield* rowsOf(fixture, fixture.premises, halfHour, now)
        same(pluck(minutes, "entered"), [...times(6, () => 0), 1, ...times(10, () => 0)])
        same(pluck(minutes, "most"), [...times(6, () => 5), ...times(11, () => 6)])
      }
      // The time has come that a clock ahead published before.
      yield* happen(after(noon, HOUR + 2 * MINUTE), 0, 1)
      yield* happen(after(noon, DAY + 2 * MINUTE), 2, 0)
      for (const rolled of [Effect.void, rollUpAll]) {
        yield* rolled
        for (const step of ["hour", "day"] as const) {
          const rows = yield* read(step, after(noon, DAY + HOUR))
          same([total(pluck(rows, "entered")), total(pluck(rows, "left"))], [13, 6])
          same([rows.at(-1)!.most, rows.at(-1)!.average <= 7], [7, true])
        }
      }
    })
  }

  it("the mean stay is of the exits that were recorded in a step, by the stays' own times", function* (fixture) {
    const morning = yield* nextMorning
    yield* changePolicy(fixture, { smallestCount: SmallestCount.make(1) })
    const first = yield* enter(fixture.premises, { now: morning, timestamp: after(morning, -HOUR) })
    const second = yield* enter(fixture.premises, { now: morning })
    yield* leave(first, { now: after(morning, 10 * MINUTE) })
    yield* publish(after(morning, 10 * MINUTE))
    yield* rollUpAll
    // Published by an event of the next step, though it happened before.
    yield* leave(second, { now: after(morning, HOUR + MINUTE), timestamp: after(morning, 20 * MINUTE) })
    yield* publish(after(morning, HOUR + MINUTE))
    const range = { step: "hour", from: morning, to: after(morning, 3 * HOUR) } as const
    for (const rolled of [Effect.void, rollUpAll]) {
      yield* rolled
      const rows = yield* rowsOf(fixture, fixture.premises, range, after(morning, 2 * HOUR))
      assert.deepStrictEqual(pluck(rows, "averageStay"), [70 * 60, 20 * 60, undefined])
    }
  })

  it("an anonymous organization's mean stay is of enough exits, of a step that is over, and in whole minutes", function* (fixture) {
    const morning = yield* nextMorning
    const range = { step: "hour", from: morning, to: after(morning, HOUR) } as const
    /** At so many minutes of the hour, or milliseconds before its end. */
    const averageAt = (now: Timestamp) =>
      Effect.map(rowsOf(fixture, fixture.premises, range, now), (rows) => rows[0]!.averageStay)
    const stays = yield* Effect.all(times(6, () => enter(fixture.premises, { now: morning })))
    const leaves = (stay: Opened, minutes: number) => leave(stay, { now: after(morning, minutes * MINUTE) })
    for (const [n, stay] of stays.slice(0, 4).entries()) yield* leaves(stay, 10.25 + n)
    yield* publish(after(morning, 20 * MINUTE))
    assert.strictEqual(yield* averageAt(after(morning, HOUR)), undefined)
    yield* leaves(stays[4]!, 30.25)
    yield* publish(after(morning, 40 * MINUTE))
    yield* rollUpAll
    assert.strictEqual(yield* averageAt(after(morning, HOUR - 1)), undefined)
    // (10.25 + 11.25 + 12.25 + 13.25 + 30.25) / 5 = 15.45
    assert.strictEqual(yield* averageAt(after(morning, HOUR)), 15 * 60)
    for (const [count, average] of [
      [6, undefined],
      [5, 15 * 60],
      [1, 15 * 60],
      [null, 15 * 60]
    ] as const) {
      yield* changePolicy(fixture, { smallestCount: count === null ? null : SmallestCount.make(count) })
      assert.strictEqual(yield* averageAt(after(morning, HOUR)), average)
      assert.strictEqual(yield* averageAt(after(morning, HOUR - 1)), count === 1 ? average : undefined)
    }
    // What is recorded of the hour and not published yet will be in its row.
    yield* leaves(stays[5]!, 59)
    assert.strictEqual(yield* averageAt(after(morning, HOUR + MINUTE)), undefined)
    yield* publish(after(morning, HOUR + MINUTE))
    // (77.25 + 59) / 6 = 22.708
    assert.strictEqual(yield* averageAt(after(morning, HOUR + MINUTE)), 23 * 60)
    for (const mode of ["authenticated", "anonymous", "authenticated"] as const) {
      yield* setTrackingMode(fixture.id, mode)
      assert.strictEqual(yield* averageAt(after(morning, HOUR - 1)), undefined)
      assert.strictEqual(yield* averageAt(after(morning, HOUR + MINUTE)), 23 * 60)
    }
  })

  it("a mean stay after an anonymous time is of people alone, exactly, and of an anonymous time never is", function* (fixture) {
    const morning = yield* nextMorning
    const range = { step: "hour", from: morning, to: after(morning, 4 * HOUR) } as const
    const averages = Effect.map(rowsOf(fixture, fixture.premises, range, after(morning, 4 * HOUR)), (rows) =>
      pluck(rows, "averageStay")
    )
    const enters = (minutes: number) => enter(fixture.premises, { now: after(morning, minutes * MINUTE) })
    const leaves = (stay: Opened, minutes: number) => leave(stay, { now: after(morning, minutes * MINUTE) })
    const [published, pending, open] = [yield* enters(0), yield* enters(0), yield* enters(0)]
    yield* leaves(published, 30)
    yield* publish(after(morning, 70 * MINUTE))
    yield* leaves(pending, 71)
    yield* setTrackingMode(fixture.id, "authenticated")
    yield* publish(after(morning, 2 * HOUR))
    yield* leaves(open, 130)
    yield* publish(after(morning, 131 * MINUTE))
    same(yield* averages, [undefined, undefined, undefined, undefined])
    const { user: by } = yield* aLinkedPerson(fixture)
    const known = yield* enter(fixture.premises, { by, now: after(morning, 190 * MINUTE) })
    yield* leave(known, { by, now: after(morning, 191.5 * MINUTE) })
    yield* publish(after(morning, 200 * MINUTE))
    for (const rolled of [Effect.void, rollUpAll]) {
      yield* rolled
      same(yield* averages, [undefined, undefined, undefined, 90])
    }
    yield* setTrackingMode(fixture.id, "anonymous")
    same(yield* averages, [undefined, undefined, undefined, undefined])
  })
}

const lifeLaws: Laws = (it) => {
  it("what the feed forgets stays in the history", function* (fixture) {
    const morning = yield* nextMorning
    const feed = yield* PresenceFeed
    for (const n of [1, 2, 3]) yield* enterAndPublish(fixture.premises, after(morning, n * MINUTE))
    const range = twoDays("hour", morning)
    const before = yield* rowsOf(fixture, fixture.premises, range, after(morning, HOUR))
    while ((yield* feed.forget(after(morning, DAY), 1_000)) > 0);
    const [page] = yield* feed.eventsAfter([{ organizationId: fixture.id, version: 0 }], 10)
    assert.strictEqual(page?._tag, "Unknown")
    same(yield* rowsOf(fixture, fixture.premises, range, after(morning, HOUR)), before)
    yield* enterAndPublish(fixture.premises, after(morning, 2 * HOUR))
    yield* rollUpAll
    const rows = yield* rowsOf(fixture, fixture.premises, range, after(morning, 2 * HOUR))
    const last = rows.slice(-3)
    same(
      [pluck(last, "entered"), pluck(last, "least"), pluck(last, "most")],
      [
        [3, 0, 1],
        [0, 3, 3],
        [3, 3, 4]
      ]
    )
  })

  it("forgotten minutes are published no more, hours and days are", function* (fixture) {
    const morning = yield* nextMorning
    const store = yield* HistoryStore
    for (const n of [1, 2, 3, 4]) yield* enterAndPublish(fixture.premises, after(morning, n * MINUTE))
    yield* rollUpAll
    const read = (step: HistoryStep) =>
      rowsOf(fixture, fixture.premises, twoDays(step, morning), after(morning, 6 * MINUTE))
    const [minutes, hours, days] = [yield* read("minute"), yield* read("hour"), yield* read("day")]
    // Other suites' buckets are older, and go too.
    const before = after(morning, 3 * MINUTE)
    while ((yield* store.forgetMinutes(before, 1)) > 0);
    same(
      yield* read("minute"),
      minutes.filter(({ from }) => from >= before)
    )
    assert.isAbove(minutes.length, (yield* read("minute")).length)
    same([yield* read("hour"), yield* read("day")], [hours, days])
    assert.strictEqual(yield* store.forgetMinutes(before, 1), 0)
  })

  it("forgotten minutes are published no more where nothing has happened yet", function* (fixture) {
    const morning = yield* nextMorning
    const store = yield* HistoryStore
    const before = after(morning, 3 * MINUTE)
    while ((yield* store.forgetMinutes(before, 1)) > 0);
    const minutes = yield* rowsOf(fixture, fixture.premises, twoDays("minute", morning), after(morning, 6 * MINUTE))
    assert.isTrue(minutes.every(({ from }) => from >= before))
    assert.isAbove(minutes.length, 0)
  })

  it("a place's history begins and ends with it, and others' histories go on", function* (fixture) {
    const place = yield* aPlace(fixture)
    const other = yield* aPlace(fixture)
    const now = after(yield* Effect.map(Clock.currentTimeMillis, timestamp), HOUR)
    for (const premises of [fixture.premises, PlacePremises(place.id), PlacePremises(other.id)])
      yield* enter(premises, { now })
    yield* publish(now)
    yield* enter(PlacePremises(place.id), { now })
    const range = twoDays("day", now)
    const read = (premises: Premises) => rowsOf(fixture, premises, range, now)
    const sum = (rows: ReturnType<typeof historyRows>) => rows.reduce((total, { entered }) => total + entered, 0)
    assert.strictEqual(sum(yield* read(PlacePremises(place.id))), 1)
    yield* rollUpAll
    yield* removePlace(fixture, place)
    yield* refused(read(PlacePremises(place.id)), "PremisesNotFound")
    yield* rollUpAll
    assert.strictEqual(sum(yield* read(PlacePremises(other.id))), 1)
    assert.strictEqual(sum(yield* read(fixture.premises)), 1)
    yield* deleteOrganization(fixture)
    yield* refused(read(PlacePremises(other.id)), "PremisesNotFound")
    yield* refused(read(fixture.premises), "PremisesNotFound")
  })

  it("roll-ups beside the ends of places and organizations refuse nothing, and end", function* (fixture, other) {
    const morning = yield* nextMorning
    const places = yield* Effect.all(times(6, () => aPlace(fixture)))
    for (const premises of [fixture.premises, other.premises, ...places.map(({ id }) => PlacePremises(id))])
      for (const n of [1, 2, 3]) {
        yield* enterAndPublish(premises, after(morning, n * MINUTE))
      }
    yield* allSucceed([
      Effect.asVoid(deleteOrganization(other)),
      ...places.map((place) => Effect.asVoid(removePlace(fixture, place))),
      ...times(12, () => Effect.asVoid(rollUp(2)))
    ])
    yield* rollUpAll
    const rows = yield* rowsOf(fixture, fixture.premises, twoDays("hour", morning), after(morning, HOUR))
    assert.strictEqual(total(pluck(rows, "entered")), 3)
  })

  it("viewers and displays read; administrators who are not bound, and displays of others, are refused", function* () {
    const morning = yield* nextMorning
    const store = yield* HistoryStore
    const { fixture, premises } = yield* premisesOf("place")
    const viewer = yield* aBoundAdministrator(fixture, "viewer")
    const range = stepsOf(twoDays("hour", morning))
    for (const one of [premises, fixture.premises]) {
      for (const reader of [viewer.administratorId, displayOf(fixture)]) {
        assert.strictEqual((yield* store.read(reader, one, range)).inside, 0)
      }
      for (const stranger of [someAdministrator(), displayOf(yield* anOrganization())]) {
        yield* refused(store.read(stranger, one, range), "PermissionTooLow")
      }
    }
  })
}

/** The laws of `HistoryStore`. */
export const historyStoreLaws = suite("HistoryStore", [agreementLaws, lifeLaws, historyRaceLaws])
