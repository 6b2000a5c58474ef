/** Laws of `HistoryStore` on stays from before the first movement of an organization. */
import {
  earlierPresence,
  type EarlierStay,
  HISTORY_STEPS,
  HistoryStore,
  type Opened,
  OrganizationPremises,
  PlacePremises,
  type Premises,
  SmallestCount,
  type StayId,
  type Timestamp,
  Timestamp as timestamp
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Arbitrary, Clock, Effect, Option } from "effect"
import { anyOf, integer } from "../../../arbitraries/choice.ts"
import { after } from "../../../arbitraries/times.ts"
import {
  aPlace,
  anOrganization,
  countIn,
  enter,
  leave,
  leaveAt,
  NO_ORGANIZATION,
  type OrganizationFixture
} from "../../shared/fixtures.ts"
import { allSucceed, pluck, refused, same, times, total } from "../../shared/outcome.ts"
import { changePolicy, DAY, HOUR } from "../../shared/policies.ts"
import { proveSnapshot, publish, reached, eventsSince, setCapacity } from "../../shared/presenceFeed.ts"
import type { Laws } from "../../shared/suite.ts"
import { MINUTE, nextMorning, rollUpAll, rowsOf } from "./fixtures.ts"

/** An organization with a place, whose mean stays are answered for any number of exits. */
const aTwin = Effect.gen(function* () {
  const fixture = yield* anOrganization()
  yield* changePolicy(fixture, { smallestCount: SmallestCount.make(1) })
  const place = PlacePremises((yield* aPlace(fixture)).id)
  return { fixture, every: [fixture.premises, place] as ReadonlyArray<Premises> }
})

const adopt = (
  { id: organizationId }: Pick<OrganizationFixture, "id">,
  stays: ReadonlyArray<EarlierStay>,
  now: Timestamp
) =>
  HistoryStore.use((store) =>
    store.adopt({
      organizationId,
      presence: earlierPresence(stays, now),
      open: stays.filter(({ exit }) => exit === undefined),
      beganAt: timestamp(Math.min(now, ...pluck(stays, "entrance"))),
      keyId: 0,
      now
    })
  )

/** Records the movements of stays at their times, and publishes each time. Answers the open ones. */
const live = Effect.fnUntraced(function* (stays: ReadonlyArray<EarlierStay>) {
  const opened = new Map<EarlierStay, Opened>()
  const instants = new Set(stays.flatMap(({ entrance, exit = entrance }) => [entrance, exit]))
  for (const now of [...instants].sort((one, other) => one - other)) {
    for (const stay of stays) if (stay.entrance === now) opened.set(stay, yield* enter(stay.premises, { now }))
    for (const stay of stays) if (stay.exit === now) yield* leave(opened.get(stay)!, { now })
    yield* publish(now)
  }
  return stays.flatMap((stay) => (stay.exit === undefined ? [opened.get(stay)!] : []))
})

export const adoptionLaws: Laws = (it) => {
  it.prop(
    "adopted stays are in the history as if their movements had been recorded at their times",
    {
      drafts: Arbitrary.array(
        Arbitrary.all({
          where: integer(0, 1),
          minute: integer(0, 3 * 24 * 60),
          seconds: anyOf([undefined, undefined, 0, 30, 600, 5_000, 90_000])
        }),
        { minLength: 1, maxLength: 10 }
      )
    },
    function* ({ drafts }) {
      const [adopted, lived] = [yield* aTwin, yield* aTwin]
      const morning = yield* nextMorning
      const staysIn = (every: ReadonlyArray<Premises>) =>
        drafts.map(({ where, minute, seconds }): EarlierStay => {
          const entrance = after(morning, minute * MINUTE)
          return {
            premises: every[where]!,
            entrance,
            exit: seconds === undefined ? undefined : after(entrance, seconds * 1000)
          }
        })
      const now = after(morning, 5 * DAY)
      const open = staysIn(adopted.every).filter(({ exit }) => exit === undefined)
      const ids = Option.getOrThrow(yield* adopt(adopted.fixture, staysIn(adopted.every), now))
      const livedOpen = yield* live(staysIn(lived.every))
      const agree = Effect.fnUntraced(function* (now: Timestamp) {
        yield* publish(now)
        yield* proveSnapshot(adopted.fixture)
        for (const [n, premises] of adopted.every.entries()) {
          assert.strictEqual(yield* countIn(premises, adopted.fixture), yield* countIn(lived.every[n]!, lived.fixture))
          for (const step of HISTORY_STEPS) {
            const range = { step, from: morning, to: after(morning, step === "minute" ? 6 * HOUR : 7 * DAY) }
            same(
              yield* rowsOf(adopted.fixture, premises, range, now),
              yield* rowsOf(lived.fixture, lived.every[n]!, range, now)
            )
          }
        }
      })
      yield* agree(now)
      yield* rollUpAll
      // What happens later goes on from there, and the open stays can be left.
      const later = after(now, HOUR)
      for (const { every } of [adopted, lived]) yield* enter(every[1]!, { now: later })
      for (const [n, stayId] of ids.entries()) {
        const { premises } = open[n]!
        yield* leaveAt(premises, { organizationId: adopted.fixture.id, stayId }, { now: later })
        yield* leave(livedOpen[n]!, { now: later })
      }
      yield* agree(after(later, MINUTE))
    },
    15
  )

  it("adopted stays begin the histories of an organization and its places, and reach levels of capacity", function* () {
    const { fixture, every } = yield* aTwin
    const now = yield* Effect.map(Clock.currentTimeMillis, timestamp)
    const entrance = timestamp((Math.floor(now / HOUR) - 7 * 24) * HOUR)
    yield* setCapacity(fixture, fixture.premises, { capacity: 2, warnAt: 0.8 }, now)
    const stays = times(3, (n) => ({ premises: fixture.premises, entrance: after(entrance, n * HOUR) }))
    yield* adopt(fixture, stays, now)
    same((yield* eventsSince(fixture)).at(-1), reached(fixture.premises, { level: "over", inside: 3, capacity: 2 }))
    for (const [premises, most] of [
      [every[0]!, 3],
      [every[1]!, 0]
    ] as const) {
      const rows = yield* rowsOf(fixture, premises, { step: "hour", from: after(entrance, -DAY), to: now }, now)
      same([rows.at(-1)!.most, rows.at(-1)!.least], [most, most])
      // An organization's feed may have begun long ago; that of the place began when it was created.
      if (most === 0) assert.strictEqual(rows[0]!.from, entrance)
    }
  })

  it("of adoptions at the same moment one adopts", function* (fixture) {
    const morning = yield* nextMorning
    const stays = times(3, () => ({ premises: fixture.premises, entrance: morning }))
    const calls = times(8, () => adopt(fixture, stays, after(morning, HOUR)))
    const answers = yield* allSucceed(calls)
    same(answers.flatMap((ids): ReadonlyArray<StayId> => Option.getOrElse(ids, () => [])).length, 3)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 3)
    const range = { step: "hour" as const, from: morning, to: after(morning, DAY) }
    same(total(pluck(yield* rowsOf(fixture, fixture.premises, range, after(morning, HOUR)), "entered")), 3)
  })

  it("nothing is adopted after a movement, by people who are known, or at premises of another organization", function* (fixture, other) {
    const morning = yield* nextMorning
    const now = after(morning, HOUR)
    const stayAt = (premises: Premises) => [{ premises, entrance: morning }]
    const known = yield* anOrganization({ trackingMode: "authenticated" })
    yield* refused(adopt(known, stayAt(known.premises), now), "NotLinked")
    const place = PlacePremises((yield* aPlace(other)).id)
    yield* refused(adopt(fixture, stayAt(place), now), "PremisesNotFound")
    yield* refused(adopt(fixture, stayAt(other.premises), now), "PremisesNotFound")
    const missing = OrganizationPremises(NO_ORGANIZATION)
    yield* refused(adopt({ id: NO_ORGANIZATION }, stayAt(missing), now), "PremisesNotFound")
    for (const isPublished of [false, true]) {
      const { fixture, every } = yield* aTwin
      yield* enter(every[1]!, { now: morning })
      if (isPublished) yield* publish(morning)
      same(yield* adopt(fixture, stayAt(fixture.premises), now), Option.none())
      assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    }
  })
}
