/** Laws of `ImportStore` on the histories of premises. */
import {
  HISTORY_STEPS,
  HistoryStore,
  type Opened,
  type Premises,
  type Timestamp,
  Timestamp as timestamp
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Arbitrary, Clock, Effect } from "effect"
import { anyOf, integer } from "../../../arbitraries/choice.ts"
import { after } from "../../../arbitraries/times.ts"
import { countIn, enter, leave, type OrganizationFixture } from "../../shared/fixtures.ts"
import { pluck, same, total } from "../../shared/outcome.ts"
import { DAY, HOUR } from "../../shared/policies.ts"
import { eventsSince, proveSnapshot, publish } from "../../shared/presenceFeed.ts"
import type { Laws } from "../../shared/suite.ts"
import { MINUTE, nextMorning, rollUpAll, rowsOf, stepsOf } from "../../history/HistoryStore/fixtures.ts"
import { aTwin, importRows, type Row, rowAt } from "./fixtures.ts"

type Twin = Effect.Success<typeof aTwin>

/** A stay at one of the premises of a twin. */
interface Stay {
  readonly where: number
  readonly entrance: Timestamp
  readonly seconds: number
}

const rowsAt = ({ every }: Twin, stays: ReadonlyArray<Stay>): ReadonlyArray<Row> =>
  stays.map(({ where, entrance, seconds }) => rowAt(every[where]!, entrance, seconds * 1000))

/** Records the movements of stays at their times, and publishes each time. */
const live = Effect.fnUntraced(function* ({ every }: Twin, stays: ReadonlyArray<Stay>) {
  const opened = new Map<Stay, Opened>()
  const exitOf = ({ entrance, seconds }: Stay) => after(entrance, seconds * 1000)
  const instants = new Set(stays.flatMap((stay) => [stay.entrance, exitOf(stay)]))
  for (const now of [...instants].sort((one, other) => one - other)) {
    for (const stay of stays) if (stay.entrance === now) opened.set(stay, yield* enter(every[stay.where]!, { now }))
    for (const stay of stays) if (exitOf(stay) === now) yield* leave(opened.get(stay)!, { now })
    yield* publish(now)
  }
})

/** Proves that the histories of two organizations are the same for some days. */
const proveSameRows = Effect.fnUntraced(function* (one: Twin, other: Twin, from: Timestamp, now: Timestamp) {
  for (const [n, premises] of one.every.entries()) {
    for (const step of HISTORY_STEPS) {
      const range = { step, from, to: after(from, step === "minute" ? DAY : 7 * DAY) }
      same(
        yield* rowsOf(one.fixture, premises, range, now),
        yield* rowsOf(other.fixture, other.every[n]!, range, now),
        `${step}s of premises ${n}`
      )
    }
  }
})

/** Stays in even minutes, from a time that is still to come. */
const drafts = (maxLength: number) =>
  Arbitrary.array(
    Arbitrary.all({ where: integer(0, 1), minute: integer(0, 24 * 60), minutes: anyOf([0, 1, 10, 100, 1_500]) }),
    { minLength: 1, maxLength }
  )

const staysFrom = (
  from: Timestamp,
  drafts: ReadonlyArray<{ readonly where: number; readonly minute: number; readonly minutes: number }>
) =>
  drafts.map(({ where, minute, minutes }): Stay => ({
    where,
    entrance: after(from, 2 * minute * MINUTE),
    seconds: 120 * minutes
  }))

const beginningIn = ({ owner }: Pick<OrganizationFixture, "owner">, premises: Premises) =>
  Effect.map(
    HistoryStore.use((store) =>
      store.read(owner, premises, stepsOf({ step: "day", from: timestamp(0), to: timestamp(DAY) }))
    ),
    ({ beganAt }) => beganAt
  )

export const importHistoryLaws: Laws = (it) => {
  it.prop(
    "imported accesses are in the history as if their movements had been recorded at their times",
    { some: drafts(10) },
    function* ({ some }) {
      const [imported, lived] = [yield* aTwin, yield* aTwin]
      const morning = yield* nextMorning
      const now = after(morning, 6 * DAY)
      const stays = staysFrom(morning, some)
      yield* importRows(imported.fixture, rowsAt(imported, stays), now)
      yield* live(lived, stays)
      yield* proveSameRows(imported, lived, morning, now)
      yield* rollUpAll
      // What happens later goes on from there.
      const later = after(now, HOUR)
      for (const { every } of [imported, lived]) yield* enter(every[1]!, { now: later })
      yield* publish(later)
      yield* proveSameRows(imported, lived, morning, after(later, MINUTE))
      yield* rollUpAll
      yield* proveSameRows(imported, lived, morning, after(later, MINUTE))
      // Nothing of it is a movement.
      yield* proveSnapshot(imported.fixture)
      const events = yield* eventsSince(imported.fixture)
      same(total(events.map((event) => (event._tag === "PresenceChanged" ? event.entered : 0))), 1)
    },
    10
  )

  it.prop(
    "imports and movements add up to one import of all, whichever come first",
    { first: drafts(6), second: drafts(6), isLive: anyOf([true, false]), isRolledUp: anyOf([true, false]) },
    function* ({ first, second, isLive, isRolledUp }) {
      const [parted, whole] = [yield* aTwin, yield* aTwin]
      const morning = yield* nextMorning
      const now = after(morning, 6 * DAY)
      // No minute has movements of both.
      const [even, odd] = [staysFrom(morning, first), staysFrom(after(morning, MINUTE), second)]
      if (isLive) yield* live(parted, even)
      else yield* importRows(parted.fixture, rowsAt(parted, even), now)
      if (isRolledUp) yield* rollUpAll
      yield* importRows(parted.fixture, rowsAt(parted, odd), now)
      yield* importRows(whole.fixture, rowsAt(whole, [...even, ...odd]), now)
      yield* proveSameRows(parted, whole, morning, now)
    },
    10
  )

  it("what is recorded and in no event yet is in the history beside imported accesses", function* () {
    const { fixture, every } = yield* aTwin
    const morning = yield* nextMorning
    const place = every[1]!
    const opened = yield* enter(place, { now: morning })
    yield* publish(morning)
    yield* leave(opened, { now: after(morning, 2 * HOUR) })
    // Someone else was there from before that until after it.
    yield* importRows(fixture, [rowAt(place, after(morning, HOUR), 2 * HOUR)], after(morning, 4 * HOUR))
    const now = after(morning, 4 * HOUR)
    yield* publish(now)
    const range = { step: "hour" as const, from: morning, to: now }
    for (let n = 0; n < 2; n++) {
      const rows = yield* rowsOf(fixture, place, range, now)
      same(
        rows.map(({ entered, left, least, most, average }) => [entered, left, least, most, average]),
        [
          [1, 0, 0, 1, 1],
          [1, 0, 1, 2, 2],
          [0, 1, 1, 2, 1],
          [0, 1, 0, 1, 0]
        ]
      )
      yield* rollUpAll
    }
    assert.strictEqual(yield* countIn(place, fixture), 0)
  })

  it("a history begins with the first imported access, and stays where it began before", function* () {
    const { fixture, every } = yield* aTwin
    const now = yield* Effect.map(Clock.currentTimeMillis, timestamp)
    const began = yield* beginningIn(fixture, fixture.premises)
    const entrance = timestamp((Math.floor(now / HOUR) - 7 * 24) * HOUR)
    const place = every[1]!
    yield* importRows(fixture, [rowAt(place, entrance, HOUR)], now)
    same(yield* beginningIn(fixture, place), entrance)
    same(yield* beginningIn(fixture, fixture.premises), began)
    yield* importRows(fixture, [rowAt(place, after(entrance, HOUR), HOUR)], now)
    same(yield* beginningIn(fixture, place), entrance)
    const range = { step: "hour" as const, from: after(entrance, -DAY), to: now }
    const rows = yield* rowsOf(fixture, place, range, now)
    same([rows[0]!.from, total(pluck(rows, "entered"))], [entrance, 2])
  })

  it("imports of long ago have the extremes of an hour, though its minutes are past their time", function* () {
    const { fixture, every } = yield* aTwin
    const now = yield* Effect.map(Clock.currentTimeMillis, timestamp)
    const hour = timestamp((Math.floor(now / HOUR) - 365 * 24) * HOUR)
    const half = [rowAt(every[0]!, hour, 20 * MINUTE), rowAt(every[0]!, hour, 20 * MINUTE)]
    yield* importRows(fixture, half, now)
    yield* HistoryStore.use((store) => store.forgetMinutes(after(now, -90 * DAY), 10_000))
    yield* importRows(
      fixture,
      half.map((row) => rowAt(every[0]!, after(row.entrance, 30 * MINUTE), 10 * MINUTE)),
      now
    )
    for (const step of ["hour", "day"] as const) {
      const range = { step, from: timestamp(Math.floor(hour / DAY) * DAY), to: after(hour, HOUR) }
      const rows = yield* rowsOf(fixture, every[0]!, range, now)
      same(rows.map(({ entered, most }) => [entered, most]).at(-1), [4, 2])
    }
    const range = { step: "minute" as const, from: hour, to: after(hour, HOUR) }
    same(yield* rowsOf(fixture, every[0]!, range, now), [])
  })
}
