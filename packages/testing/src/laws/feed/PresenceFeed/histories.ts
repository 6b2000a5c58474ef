/** The laws of the feed on generated histories. */
import {
  EventGrain,
  insideOf,
  type Opened,
  type Place,
  PlacePremises,
  type Premises,
  type PresenceEvent,
  StayPolicyStore,
  type Stores
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { presenceHistory, type PresenceStep } from "../../../arbitraries/presence.ts"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPlace,
  changeOrganization,
  changePlace,
  countIn,
  enter,
  leave,
  removePlace,
  unused
} from "../../shared/fixtures.ts"
import { total, same, concurrently } from "../../shared/outcome.ts"
import { type Laws } from "../../shared/suite.ts"
import { abandonBatch, HOUR, changePolicy, TWELVE_HOURS } from "../../shared/policies.ts"
import {
  totalsOf,
  placeIdOf,
  proveSnapshot,
  readFrom,
  setCapacity,
  publish,
  versionOf
} from "../../shared/presenceFeed.ts"

/** What steps of one moment may do to each other. */
const MET = ["PremisesNotFound", "PlaceNotFound", "ExitNotMatched"]

/** Lives a history: each round at one moment, the next one an hour later. */
const runHistory = Effect.fnUntraced(function* (rounds: ReadonlyArray<ReadonlyArray<PresenceStep>>) {
  const fixture = yield* anOrganization()
  yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
  const places = new Map<number, Place>()
  const opened: Array<Opened> = []
  const seen: Array<PresenceEvent> = []
  let now = NOW
  const premisesAt = (at: number): Premises => {
    const place = places.get(at)
    return place === undefined ? fixture.premises : PlacePremises(place.id)
  }

  const take = (step: PresenceStep): Effect.Effect<unknown, { readonly _tag: string }, Stores> => {
    switch (step._tag) {
      case "Enter":
        return Effect.map(enter(premisesAt(step.at), { now }), (stay) => opened.push(stay))
      case "Leave": {
        const stay = opened.at(-1 - step.stay)
        return stay === undefined ? Effect.void : leave(stay, { now })
      }
      case "Publish":
        return publish(after(now, step.later))
      case "SetCapacity":
        return setCapacity(fixture, premisesAt(step.at), step.capacity, now)
      case "EndPlace":
        return removePlace(fixture, places.get(step.at)!)
      case "Rename": {
        const place = places.get(step.at)
        if (place !== undefined) return changePlace(fixture, place, (one) => ({ ...one, name: step.name }))
        const name = unused(step.name)
        return changeOrganization(fixture.id, (one) => ({ ...one, name }))
      }
      case "Abandon":
        return abandonBatch(fixture, now, step.most)
      case "Grain":
        return changePolicy(fixture, { eventGrain: EventGrain.make(step.seconds) })
    }
  }

  for (const [number, round] of rounds.entries()) {
    for (const at of [1, 2]) if (!places.has(at)) places.set(at, yield* aPlace(fixture))
    const outcomes = yield* concurrently(round.map((step) => Effect.result(take(step))))
    for (const outcome of outcomes) if (Result.isFailure(outcome)) assert.include(MET, outcome.failure._tag)
    for (const step of round) if (step._tag === "EndPlace") places.delete(step.at)

    const standing = [fixture.premises, ...[...places.keys()].map(premisesAt)]
    const expected: Array<readonly [Premises, inside: number, published: number]> = []
    for (const premises of standing) {
      expected.push([premises, yield* countIn(premises, fixture), insideOf(yield* totalsOf(fixture, premises))])
    }
    const { eventGrain = 1 } = yield* StayPolicyStore.use((store) => store.get(fixture.id))
    const version = yield* versionOf(fixture)
    yield* publish(after(now, HOUR / 2))
    const events = yield* readFrom(fixture, version)
    for (const [premises, inside, published] of expected) {
      const added = events.flatMap((event) =>
        event._tag === "PresenceChanged" && event.placeId === placeIdOf(premises) ? [event.entered - event.left] : []
      )
      const all = published + total(added)
      assert.strictEqual(
        inside,
        eventGrain >= 2 ? published : all,
        `round ${number}: who is inside is who was published and, without a publishing interval, who was recorded`
      )
      assert.strictEqual(yield* countIn(premises, fixture), all)
    }
    seen.push(...(yield* readFrom(fixture, seen.at(-1)?.version ?? 0, 3)))
    now = after(now, 5 * HOUR)
  }
  same(seen, yield* readFrom(fixture))
  yield* proveSnapshot(fixture, 2)
})

export const feedHistoryLaws: Laws = (it) => {
  it.prop(
    "the events of any history have no gaps and add up to the open stays",
    { rounds: presenceHistory },
    function* ({ rounds }) {
      yield* runHistory(rounds)
    },
    60
  )
}
