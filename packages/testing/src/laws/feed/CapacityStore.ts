/** Laws of `CapacityStore`: what is set is read again, and published in the feed. */
import {
  type Capacity,
  OrganizationId,
  OrganizationPremises,
  PlaceId,
  PlacePremises,
  levelOf,
  type Stores
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { capacity } from "../../arbitraries/capacities.ts"
import { after, NOW } from "../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPlace,
  deleted,
  enter,
  type Ground,
  leave,
  ONE,
  premisesOf,
  removed,
  someAdministrator
} from "../shared/fixtures.ts"
import { race, refused, same, times } from "../shared/outcome.ts"
import { withdraw } from "../accounts/PermissionStore/changes.ts"
import {
  capacityOf,
  changed,
  totalsOf,
  eventsSince,
  proveSnapshot,
  reached,
  setsCapacity,
  publish,
  versionOf
} from "./PresenceFeed/fixtures.ts"
import { generated, type LawOptions, type Laws, suite } from "../shared/suite.ts"

const NEVER = 9223372036854775807n
const SECOND = 1000

const TEN: Capacity = { capacity: 10, warnAt: 0.8 }

/** The organization in the name of another administrator. */
const inTheNameOf = (ground: Ground, owner: Ground["owner"]): Ground => ({ ...ground, owner })

const recordLaws: Laws = (it, options) => {
  for (const kind of ["organization", "place"] as const) {
    it.effect(`${ONE[kind]} has no capacity before it is set and after it is lifted`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        const organizationId = ground.organization.id
        same(yield* capacityOf(ground, premises), { organizationId, premises, inside: 0, level: "none" })
        const set = { organizationId, premises, inside: 0, capacity: TEN, level: "normal" }
        same(yield* setsCapacity(ground, premises, TEN), set)
        same(yield* capacityOf(ground, premises), set)
        same((yield* totalsOf(ground, premises)).capacity, TEN)
        yield* enter(premises)
        same(yield* capacityOf(ground, premises), { ...set, inside: 1 })
        same(yield* setsCapacity(ground, premises, undefined), { organizationId, premises, inside: 1, level: "none" })
        same(yield* capacityOf(ground, premises), { organizationId, premises, inside: 1, level: "none" })
        same((yield* totalsOf(ground, premises)).capacity, undefined)
      })
    )

    it.effect.prop(
      `a capacity of ${ONE[kind]} is kept exactly as it was given`,
      { capacity, later: capacity },
      ({ capacity, later }) =>
        Effect.gen(function* () {
          const { ground, premises } = yield* premisesOf(kind)
          yield* enter(premises)
          for (const one of [capacity, later, { capacity: 10_000_000, warnAt: 0.1 + 0.2 }]) {
            const reading = yield* setsCapacity(ground, premises, one)
            same([reading.capacity, reading.level, reading.inside], [one, levelOf(one, 1), 1])
            same(yield* capacityOf(ground, premises), reading)
          }
        }),
      generated(options)
    )

    it.effect(`managers of ${ONE[kind]} set its capacity, viewers read it, and a refusal changes nothing`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        const [viewer, manager] = [
          yield* aBoundAdministrator(ground, "viewer"),
          yield* aBoundAdministrator(ground, "manager")
        ]
        const as = ({ administratorId }: typeof viewer) => inTheNameOf(ground, administratorId)
        yield* setsCapacity(as(manager), premises, TEN)
        const before = yield* versionOf(ground)
        const stranger = inTheNameOf(ground, someAdministrator())
        for (const one of [as(viewer), stranger, yield* anOrganization()]) {
          yield* refused(setsCapacity(one, premises, { capacity: 1, warnAt: 1 }), "PermissionTooLow")
        }
        yield* refused(setsCapacity(as(manager), premises, undefined, NOW, "owner"), "PermissionTooLow")
        for (const one of [stranger, yield* anOrganization()]) {
          yield* refused(capacityOf(one, premises), "PermissionTooLow")
        }
        for (const one of [as(viewer), as(manager), ground]) same((yield* capacityOf(one, premises)).capacity, TEN)
        same(yield* eventsSince(ground, before), [])
        yield* withdraw(ground.organization.id, ground.owner, manager.administratorId)
        yield* refused(setsCapacity(as(manager), premises, undefined), "PermissionTooLow")
        yield* refused(capacityOf(as(manager), premises), "PermissionTooLow")
      })
    )
  }

  it.effect("the capacities of an organization and of its places are their own", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const [one, other] = [PlacePremises((yield* aPlace(ground)).id), PlacePremises((yield* aPlace(ground)).id)]
      yield* setsCapacity(ground, ground.premises, { capacity: 1, warnAt: 1 })
      yield* setsCapacity(ground, one, { capacity: 2, warnAt: 1 })
      for (const [premises, expected] of [
        [ground.premises, 1],
        [one, 2],
        [other, undefined]
      ] as const) {
        same((yield* capacityOf(ground, premises)).capacity?.capacity, expected)
      }
      yield* enter(ground.premises)
      same((yield* capacityOf(ground, ground.premises)).level, "full")
      same((yield* capacityOf(ground, one)).level, "normal")
    })
  )

  it.effect("a capacity ends with its premises", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const place = yield* aPlace(ground)
      const premises = PlacePremises(place.id)
      yield* setsCapacity(ground, premises, TEN)
      yield* removed(ground, place)
      const gone = yield* anOrganization()
      yield* setsCapacity(gone, gone.premises, TEN)
      yield* deleted(gone)
      for (const nowhere of [
        premises,
        gone.premises,
        PlacePremises(PlaceId.make(NEVER)),
        OrganizationPremises(OrganizationId.make(NEVER))
      ]) {
        yield* refused(setsCapacity(ground, nowhere, TEN), "PremisesNotFound")
        yield* refused(capacityOf(ground, nowhere), "PremisesNotFound")
      }
    })
  )
}

const levelLaws: Laws = (it) => {
  for (const kind of ["organization", "place"] as const) {
    it.effect(`setting or lifting a capacity of ${ONE[kind]} publishes the level if it changes`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        const stays = yield* Effect.all(times(9, () => enter(premises)))
        yield* publish()
        const before = yield* versionOf(ground)
        yield* setsCapacity(ground, premises, undefined)
        yield* setsCapacity(ground, premises, TEN)
        yield* setsCapacity(ground, premises, TEN)
        yield* setsCapacity(ground, premises, { ...TEN, capacity: 11 })
        yield* setsCapacity(ground, premises, { ...TEN, capacity: 12 })
        yield* setsCapacity(ground, premises, { capacity: 12, warnAt: 0.75 })
        yield* setsCapacity(ground, premises, { ...TEN, capacity: 9 })
        yield* setsCapacity(ground, premises, { ...TEN, capacity: 5 })
        yield* setsCapacity(ground, premises, undefined)
        yield* setsCapacity(ground, premises, undefined)
        same(yield* eventsSince(ground, before), [
          reached(premises, "warning", 9, 10),
          reached(premises, "normal", 9, 12),
          reached(premises, "warning", 9, 12),
          reached(premises, "full", 9, 9),
          reached(premises, "over", 9, 5),
          reached(premises, "none", 9)
        ])
        yield* Effect.forEach(stays, (stay) => leave(stay))
        yield* publish(after(NOW, 7_200_000))
        yield* proveSnapshot(ground)
      })
    )

    it.effect(`movements of ${ONE[kind]} that jump over levels publish the last level alone`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        yield* setsCapacity(ground, premises, { capacity: 10, warnAt: 0.5 })
        let now = after(NOW, SECOND)
        const inside: Array<Effect.Success<ReturnType<typeof enter>>> = []
        const moveTo = Effect.fnUntraced(function* (count: number) {
          const before = yield* versionOf(ground)
          for (const stay of inside.splice(count)) yield* leave(stay)
          while (inside.length < count) inside.push(yield* enter(premises))
          now = after(now, SECOND)
          yield* publish(now)
          const events = yield* eventsSince(ground, before)
          same((yield* capacityOf(ground, premises)).level, (yield* totalsOf(ground, premises)).level)
          return events.flatMap((one) => (one._tag === "CapacityChanged" ? [`${one.level} ${one.inside}`] : []))
        })
        const published = []
        for (const count of [4, 5, 4, 11, 10, 11, 10, 9, 5, 6, 5, 0]) published.push(yield* moveTo(count))
        same(published, [
          [],
          ["warning 5"],
          ["normal 4"],
          ["over 11"],
          ["full 10"],
          ["over 11"],
          ["full 10"],
          ["warning 9"],
          [],
          [],
          [],
          ["normal 0"]
        ])
        yield* proveSnapshot(ground)
      })
    )

    it.effect(`a level of ${ONE[kind]} is held on the way down, also when the same capacity is set again`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        const capacity = { capacity: 60, warnAt: 0.5 }
        yield* setsCapacity(ground, premises, capacity)
        const stays = yield* Effect.all(times(30, () => enter(premises)))
        same((yield* capacityOf(ground, premises)).level, "warning")
        yield* publish()
        yield* Effect.forEach(stays.slice(0, 2), (stay) => leave(stay))
        same((yield* capacityOf(ground, premises)).level, "warning")
        same((yield* setsCapacity(ground, premises, capacity)).level, "warning")
        same((yield* setsCapacity(ground, premises, { ...capacity, capacity: 61 })).level, "normal")
        same((yield* setsCapacity(ground, premises, capacity)).level, "normal")
        yield* proveSnapshot(ground)
      })
    )

    it.effect(`setting a capacity of ${ONE[kind]} publishes its recorded changes first, if they are due`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        yield* enter(premises)
        yield* publish(NOW)
        const before = yield* versionOf(ground)
        yield* Effect.all(times(7, () => enter(premises)))
        same((yield* setsCapacity(ground, premises, TEN, after(NOW, SECOND))).inside, 8)
        same(yield* eventsSince(ground, before), [changed(premises, 7, 0, 8), reached(premises, "warning", 8, 10)])
        yield* publish()
        same((yield* eventsSince(ground, before)).length, 2)
        yield* proveSnapshot(ground)
      })
    )

    it.effect(`the level of a capacity of ${ONE[kind]} waits with the changes that wait for their interval`, () =>
      Effect.gen(function* () {
        const { ground, premises } = yield* premisesOf(kind)
        yield* enter(premises)
        yield* publish(NOW)
        const before = yield* versionOf(ground)
        yield* Effect.all(times(7, () => enter(premises)))
        for (const capacity of [TEN, { ...TEN, capacity: 7 }, TEN, TEN]) {
          const { inside, level } = yield* setsCapacity(ground, premises, capacity, after(NOW, SECOND - 1))
          same({ inside, level }, { inside: 8, level: levelOf(capacity, 8) })
        }
        same(yield* eventsSince(ground, before), [])
        yield* proveSnapshot(ground)
        yield* publish(after(NOW, SECOND))
        same(yield* eventsSince(ground, before), [changed(premises, 7, 0, 8), reached(premises, "warning", 8, 10)])
        // That there is no level needs no number of people.
        yield* enter(premises)
        yield* setsCapacity(ground, premises, undefined, after(NOW, SECOND))
        same((yield* eventsSince(ground, before)).slice(2), [reached(premises, "none", 8)])
        yield* publish()
        yield* proveSnapshot(ground)
      })
    )
  }

  it.effect("setting a capacity publishes no changes of other premises", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const place = PlacePremises((yield* aPlace(ground)).id)
      yield* enter(place)
      const before = yield* versionOf(ground)
      yield* setsCapacity(ground, ground.premises, TEN)
      same(yield* eventsSince(ground, before), [reached(ground.premises, "normal", 0, 10)])
    })
  )
}

const raceLaws: Laws = (it) => {
  it.effect("concurrent settings of a capacity follow each other, and the last one is kept", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      yield* Effect.all(times(10, () => enter(ground.premises)))
      const { succeeded, refusals } = yield* race(
        times(30, (n) =>
          setsCapacity(ground, ground.premises, n % 5 === 0 ? undefined : { capacity: n, warnAt: 1 / (1 + (n % 3)) })
        )
      )
      same(refusals, {})
      const last = yield* capacityOf(ground, ground.premises)
      assert.isTrue(succeeded.some(({ capacity }) => capacity?.capacity === last.capacity?.capacity))
      same(last.level, levelOf(last.capacity, 10))
      const sum = (yield* proveSnapshot(ground)).get(undefined)!
      same(sum.level, last.level)
    })
  )

  it.effect("concurrent settings of a capacity and movements count each movement once", () =>
    Effect.gen(function* () {
      const { ground, premises } = yield* premisesOf("place")
      const opened = yield* Effect.all(
        times(20, () => enter(premises)),
        { concurrency: "unbounded" }
      )
      yield* Effect.all(
        [
          ...opened.map((stay) => Effect.asVoid(leave(stay))),
          ...times(25, () => Effect.asVoid(enter(premises))),
          ...times(12, (n) =>
            Effect.asVoid(setsCapacity(ground, premises, { capacity: 1 + (n % 4) * 9, warnAt: 0.5 }))
          ),
          ...times(6, (n) => Effect.asVoid(publish(after(NOW, n * SECOND))))
        ],
        { concurrency: "unbounded" }
      )
      yield* publish()
      const reading = yield* capacityOf(ground, premises)
      assert.strictEqual(reading.inside, 25)
      const { entered, left, level } = (yield* proveSnapshot(ground)).get(
        premises._tag === "PlacePremises" ? premises.placeId : undefined
      )!
      same([entered, left, level], [45, 20, reading.level])
    })
  )

  it.effect("setting a capacity that races with the end of its place comes before it, or finds no place", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      for (const place of [yield* aPlace(ground), yield* aPlace(ground), yield* aPlace(ground)]) {
        const premises = PlacePremises(place.id)
        yield* enter(premises)
        const [{ succeeded, refusals }] = yield* Effect.all(
          [
            race(times(6, (n) => setsCapacity(ground, premises, { capacity: n + 1, warnAt: 1 }))),
            removed(ground, place)
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(succeeded.length + (refusals["PremisesNotFound"] ?? 0), 6)
      }
      yield* proveSnapshot(ground)
    })
  )

  it.effect("a withdrawn permission sets no capacity afterwards", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const { administratorId } = yield* aBoundAdministrator(ground, "manager")
      const [{ succeeded, refusals }] = yield* Effect.all(
        [
          race(
            times(10, (n) =>
              setsCapacity(inTheNameOf(ground, administratorId), ground.premises, { capacity: n + 1, warnAt: 1 })
            )
          ),
          withdraw(ground.organization.id, ground.owner, administratorId)
        ],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(succeeded.length + (refusals["PermissionTooLow"] ?? 0), 10)
      const kept = (yield* capacityOf(ground, ground.premises)).capacity?.capacity
      assert.include([undefined, ...succeeded.map(({ capacity }) => capacity?.capacity)], kept)
    })
  )
}

/**
 * What every `CapacityStore` promises. The laws publish events with times of their own: nothing else may publish events on their database.
 */
export const capacityStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: CapacityStore`, stores, [recordLaws, levelLaws, raceLaws], options)
