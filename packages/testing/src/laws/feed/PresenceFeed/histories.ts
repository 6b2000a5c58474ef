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
  type StoreError,
  type Stores
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
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
  removed,
  unused
} from "../../shared/fixtures.ts"
import { same } from "../../shared/outcome.ts"
import { generated, type Laws } from "../../shared/suite.ts"
import { abandoned, HOUR, rules, TWELVE_HOURS } from "../../policies/StayPolicyStore/fixtures.ts"
import { totalsOf, placeIdOf, proveSnapshot, readFrom, setsCapacity, publish, versionOf } from "./fixtures.ts"

/** What steps of one moment may do to each other. */
const MET = ["PremisesNotFound", "PlaceNotFound", "ExitNotMatched"]

/** Lives a history: each round at one moment, the next one an hour later. */
const live = Effect.fnUntraced(function* (rounds: ReadonlyArray<ReadonlyArray<PresenceStep>>) {
  const ground = yield* anOrganization()
  yield* rules(ground, { longestStay: TWELVE_HOURS })
  const places = new Map<number, Place>()
  const opened: Array<Opened> = []
  const seen: Array<PresenceEvent> = []
  let now = NOW
  const premisesAt = (at: number): Premises => {
    const place = places.get(at)
    return place === undefined ? ground.premises : PlacePremises(place.id)
  }

  const take = (step: PresenceStep): Effect.Effect<unknown, { readonly _tag: string }, Stores> => {
    switch (step._tag) {
      case "Enter":
        return Effect.map(enter(premisesAt(step.at), { now }), (stay) => opened.push(stay))
      case "Leave": {
        const stay = opened.at(-1 - step.stay)
        return stay === undefined ? Effect.void : leave(stay, { now })
      }
      case "Tell":
        return publish(after(now, step.later))
      case "SetCapacity":
        return setsCapacity(ground, premisesAt(step.at), step.capacity, now)
      case "EndPlace":
        return removed(ground, places.get(step.at)!)
      case "Rename": {
        const place = places.get(step.at)
        if (place !== undefined) return changePlace(ground, place, (one) => ({ ...one, name: step.name }))
        return changeOrganization(ground.organization.id, (one) => ({ ...one, name: unused(step.name) }))
      }
      case "Abandon":
        return abandoned(ground, now, step.most)
      case "Grain":
        return rules(ground, { eventGrain: EventGrain.make(step.seconds) })
    }
  }

  for (const [number, round] of rounds.entries()) {
    for (const at of [1, 2]) if (!places.has(at)) places.set(at, yield* aPlace(ground))
    const outcomes = yield* Effect.all(
      round.map((step) => Effect.result(take(step))),
      { concurrency: "unbounded" }
    )
    for (const outcome of outcomes) if (Result.isFailure(outcome)) assert.include(MET, outcome.failure._tag)
    for (const step of round) if (step._tag === "EndPlace") places.delete(step.at)

    const standing = [ground.premises, ...[...places.keys()].map(premisesAt)]
    const expected: Array<readonly [Premises, inside: number, published: number]> = []
    for (const premises of standing) {
      expected.push([premises, yield* countIn(premises, ground), insideOf(yield* totalsOf(ground, premises))])
    }
    const { eventGrain = 1 } = yield* StayPolicyStore.use((store) => store.get(ground.organization.id))
    const version = yield* versionOf(ground)
    yield* publish(after(now, HOUR / 2))
    const events = yield* readFrom(ground, version)
    for (const [premises, inside, published] of expected) {
      const added = events.flatMap((event) =>
        event._tag === "PresenceChanged" && event.placeId === placeIdOf(premises) ? [event.entered - event.left] : []
      )
      const all = published + added.reduce((sum, one) => sum + one, 0)
      assert.strictEqual(
        inside,
        eventGrain >= 2 ? published : all,
        `round ${number}: who is inside is who was published and, without a publishing interval, who was recorded`
      )
      assert.strictEqual(yield* countIn(premises, ground), all)
    }
    seen.push(...(yield* readFrom(ground, seen.at(-1)?.version ?? 0, 3)))
    now = after(now, 5 * HOUR)
  }
  same(seen, yield* readFrom(ground))
  yield* proveSnapshot(ground, 2)
})

export const feedHistoryLaws: Laws = (it, options) => {
  it.effect.prop(
    "the events of any history have no gaps and add up to the open stays",
    { rounds: presenceHistory },
    ({ rounds }) => live(rounds) as Effect.Effect<void, StoreError, Stores>,
    generated({ ...options, runs: options.runs ?? 60 })
  )
}
