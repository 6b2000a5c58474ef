/** The laws of the feed on who reads it: pages, snapshots, what is forgotten, and how readers wake up. */
import {
  EventGrain,
  type FeedPosition,
  OrganizationId,
  PlacePremises,
  PresenceFeed,
  type StoreError,
  type Timestamp,
  type Stores
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPerson,
  aPlace,
  aUserLinkedTo,
  deleteOrganization,
  enter,
  type OrganizationFixture,
  leave,
  removePlace,
  setTrackingMode,
  NO_ORGANIZATION
} from "../../shared/fixtures.ts"
import { same, times, pluck } from "../../shared/outcome.ts"
import { abandonBatch, DAY, changePolicy, TWELVE_HOURS } from "../../shared/policies.ts"
import {
  aTimeLongAgo,
  forget,
  totalsOf,
  pageOf,
  proveSnapshot,
  readFrom,
  setCapacity,
  snapshotOf,
  snapshotsOf,
  publish
} from "../../shared/presenceFeed.ts"
import type { Laws } from "../../shared/suite.ts"

/** An organization that counts people without an interval, and has so many events, each a day after the one before. */
const anOrganizationWith = Effect.fnUntraced(function* (events: number, since: Timestamp = NOW) {
  const fixture = yield* anOrganization({ trackingMode: "authenticated" }, since)
  const by = yield* aUserLinkedTo(fixture.id, aPerson())
  for (let n = 0; n < events; n += 2) {
    const stay = yield* enter(fixture.premises, { by, now: after(since, n * DAY) })
    yield* publish(after(since, n * DAY))
    if (n + 1 === events) break
    yield* leave(stay, { by, now: after(since, (n + 1) * DAY) })
    yield* publish(after(since, (n + 1) * DAY))
  }
  return fixture
})

const pagesOf = (positions: ReadonlyArray<FeedPosition>, most = 1000) =>
  PresenceFeed.use((feed) => feed.eventsAfter(positions, most))

export const pageAndSnapshotLaws: Laws = (it) => {
  it("a page begins after its position and has at most the requested number of events", function* () {
    const fixture = yield* anOrganizationWith(5)
    const all = yield* readFrom(fixture)
    assert.strictEqual(all.length, 5)
    for (const most of [1, 2, 3, 5, 6]) {
      same(yield* readFrom(fixture, 0, most), all)
      for (const version of [0, 1, 3, 5]) {
        const page = yield* pageOf(fixture, version, most)
        same(page, { _tag: "Events", organizationId: fixture.id, events: all.slice(version, version + most) })
      }
    }
  })

  it("the pages are in the order of the positions", function* () {
    const [one, other, empty] = [yield* anOrganizationWith(3), yield* anOrganizationWith(2), yield* anOrganization()]
    const gone = yield* anOrganizationWith(1)
    yield* deleteOrganization(gone)
    const at = ({ organization }: OrganizationFixture, version: number) => ({
      organizationId: organization.id,
      version
    })
    const [first, second] = [yield* readFrom(one), yield* readFrom(other)]
    const requested = [at(other, 1), at(one, 4), at(gone, 0), at(one, 1), at(empty, 0), at(one, 3), at(one, 1)]
    const never = { organizationId: NO_ORGANIZATION, version: 0 }
    const pages = yield* pagesOf([...requested, never], 1)
    same(pluck(pages, "organizationId"), pluck([...requested, never], "organizationId"))
    const published = pages.map((page) => (page._tag === "Events" ? page.events : page._tag))
    same(published, [second.slice(1), "Unknown", "Gone", first.slice(1, 2), [], [], first.slice(1, 2), "Gone"])
    same(yield* pagesOf([]), [])
  })

  it("a position after the last event is unknown, and the last one nearest", function* () {
    const [fixture, empty] = [yield* anOrganizationWith(2), yield* anOrganization()]
    for (const [feed, version, nearest] of [
      [fixture, 3, 2],
      [fixture, 4_000_000_000, 2],
      [empty, 1, 0]
    ] as const) {
      same(yield* pageOf(feed, version), { _tag: "Unknown", organizationId: feed.organization.id, nearest })
    }
  })

  it("a feed ends with its organization", function* () {
    const fixture = yield* anOrganizationWith(2)
    yield* aPlace(fixture)
    yield* deleteOrganization(fixture)
    for (const version of [0, 1, 3, 4]) same((yield* pageOf(fixture, version))._tag, "Gone")
    same(yield* snapshotsOf([fixture.id]), [])
  })

  it("snapshots are ordered by id, each once, without organizations that do not exist", function* () {
    const [one, other, gone] = [yield* anOrganizationWith(1), yield* anOrganizationWith(2), yield* anOrganization()]
    const places = [yield* aPlace(one), yield* aPlace(one), yield* aPlace(one)]
    yield* removePlace(one, places[1]!)
    yield* deleteOrganization(gone)
    const [first, second] = [one.id, other.id]
    const found = yield* snapshotsOf([second, NO_ORGANIZATION, gone.id, first])
    const expected = [
      [first, 5, [undefined, places[0]!.id, places[2]!.id]],
      [second, 2, [undefined]]
    ]
    same(
      found.map(({ organizationId, version, totals }) => [
        organizationId,
        version,
        totals.map(({ placeId }) => placeId)
      ]),
      first < second ? expected : expected.reverse()
    )
    same(yield* snapshotsOf([]), [])
  })

  it("a snapshot leaves out recorded changes", function* (fixture) {
    const place = PlacePremises((yield* aPlace(fixture)).id)
    yield* setCapacity(fixture, place, { capacity: 1, warnAt: 1 })
    yield* enter(place)
    yield* publish()
    const before = yield* snapshotOf(fixture)
    yield* enter(place)
    yield* enter(fixture.premises)
    same(yield* snapshotOf(fixture), before)
    const { entered, left, level, capacity } = yield* totalsOf(fixture, place)
    same([entered, left, level, capacity], [1, 0, "full", { capacity: 1, warnAt: 1 }])
  })

  it("the generation is the same text each time", function* () {
    const { generation } = yield* PresenceFeed
    const first = yield* generation
    assert.isString(first)
    assert.isAbove(first.length, 0)
    yield* anOrganizationWith(2)
    assert.strictEqual(yield* generation, first)
  })

  it("forget removes the oldest events before a time, and keeps the last of a feed", function* () {
    const since = yield* aTimeLongAgo
    const fixture = yield* anOrganizationWith(6, since)
    const all = yield* readFrom(fixture)
    for (const [n, { at }] of all.entries()) assert.strictEqual(at, after(since, n * DAY))
    assert.lengthOf(all, 6)
    const snapshot = yield* snapshotOf(fixture)
    const reads = Effect.all(
      times(7, (version) =>
        Effect.map(pageOf(fixture, version), (page) =>
          page._tag === "Events" ? page.events.length : page._tag === "Unknown" ? `nearest ${page.nearest}` : page._tag
        )
      )
    )
    assert.strictEqual(yield* forget(since), 0)
    assert.strictEqual(yield* forget(after(since, 2 * DAY)), 2)
    same(yield* reads, ["nearest 2", "nearest 2", 4, 3, 2, 1, 0])
    assert.strictEqual(yield* forget(after(since, 2 * DAY)), 0)
    assert.strictEqual(yield* forget(after(since, 2 * DAY + 1), 0), 0)
    assert.strictEqual(yield* forget(after(since, 2 * DAY + 1)), 1)
    same(yield* reads, ["nearest 3", "nearest 3", "nearest 3", 3, 2, 1, 0])
    assert.strictEqual(yield* forget(after(since, 20 * DAY), 1), 1)
    same(yield* reads, ["nearest 4", "nearest 4", "nearest 4", "nearest 4", 2, 1, 0])
    assert.strictEqual(yield* forget(after(since, 20 * DAY)), 1)
    assert.strictEqual(yield* forget(after(since, 20 * DAY)), 0)
    same(yield* reads, ["nearest 5", "nearest 5", "nearest 5", "nearest 5", "nearest 5", 1, 0])
    same(yield* readFrom(fixture, 5), all.slice(5))
    same(yield* snapshotOf(fixture), snapshot)
  })

  it("a feed whose events were forgotten continues with the next version", function* () {
    const since = yield* aTimeLongAgo
    const fixture = yield* anOrganizationWith(4, since)
    assert.strictEqual(yield* forget(after(since, 20 * DAY)), 3)
    const by = yield* aUserLinkedTo(fixture.id, aPerson())
    yield* enter(fixture.premises, { by, now: after(since, 21 * DAY) })
    yield* publish()
    same(
      (yield* readFrom(fixture, 3)).map(({ version, at }) => [version, at]),
      [
        [4, after(since, 3 * DAY)],
        [5, after(since, 21 * DAY)]
      ]
    )
    assert.strictEqual(yield* forget(after(since, 22 * DAY)), 1)
    same((yield* pageOf(fixture, 3))._tag, "Unknown")
  })

  it("after a clock that was ahead, events publish the time again, and forget leaves no gap", function* () {
    const since = yield* aTimeLongAgo
    const fixture = yield* anOrganization({ trackingMode: "authenticated" }, since)
    const by = yield* aUserLinkedTo(fixture.id, aPerson())
    const published = [0, 10 * DAY, DAY, DAY - 30_000, 2 * DAY]
    for (const milliseconds of published) {
      const now = after(since, milliseconds)
      yield* leave(yield* enter(fixture.premises, { by, now }), { by, now })
      yield* publish(now)
    }
    // Clocks that differ by half a minute are no reason to go back.
    published[3] = published[2]!
    const page = yield* pageOf(fixture, 0)
    const times = page._tag === "Events" && page.events.map(({ version, at }) => [version, at - since])
    same(
      times,
      published.map((milliseconds, n) => [n + 1, milliseconds])
    )
    assert.strictEqual(yield* forget(after(since, 9 * DAY)), 1)
    same((yield* pageOf(fixture, 0))._tag, "Unknown")
    const kept = yield* pageOf(fixture, 1)
    same(kept._tag === "Events" && kept.events.map(({ version }) => version), [2, 3, 4, 5])
    assert.strictEqual(yield* forget(after(since, 11 * DAY)), 3)
    same((yield* pageOf(fixture, 3))._tag, "Unknown")
  })

  it("forget removes at most the requested number of events of all feeds", function* () {
    const since = yield* aTimeLongAgo
    const fixtures = yield* Effect.all(times(3, () => anOrganizationWith(4, since)))
    const forgetBatch: Array<number> = []
    for (const most of [2, 4, 4, 4]) forgetBatch.push(yield* forget(after(since, 20 * DAY), most))
    same(forgetBatch, [2, 4, 3, 0])
    for (const fixture of fixtures) {
      same((yield* pageOf(fixture, 2))._tag, "Unknown")
      same((yield* readFrom(fixture, 3)).length, 1)
    }
  })

  it("appended ends when a change is appended after the last publish began", function* () {
    const { appended } = yield* PresenceFeed
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    const by = yield* aUserLinkedTo(fixture.id, aPerson())
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    let now = NOW
    const enters = Effect.suspend(() => enter(fixture.premises, { by, now }))
    for (const recording of [
      enters,
      Effect.flatMap(enters, (stay) => leave(stay, { by, now })),
      enters,
      Effect.suspend(() => abandonBatch(fixture, after(now, DAY)))
    ]) {
      now = after(now, 1000)
      yield* publish(now)
      const waiting = yield* Effect.forkChild(appended)
      // The reader had time to wait.
      yield* snapshotOf(fixture)
      assert.isUndefined(waiting.pollUnsafe())
      yield* recording
      yield* Fiber.join(waiting)
      yield* appended
    }
    yield* publish(after(now, 2 * DAY))
    yield* proveSnapshot(fixture)
  })

  it("notifications name the organizations with new events", function* () {
    const { notifications } = yield* PresenceFeed
    const heard = new Set<OrganizationId>()
    const listening = yield* Effect.forkChild(
      Stream.runForEach(notifications, (organizations) =>
        Effect.sync(() => organizations.forEach((id) => heard.add(id)))
      )
    )
    const changes = [
      ({ premises }: OrganizationFixture) => Effect.flatMap(enter(premises), () => Effect.asVoid(publish())),
      (fixture: OrganizationFixture) => Effect.flatMap(aPlace(fixture), (place) => removePlace(fixture, place)),
      ({ organization: { id } }: OrganizationFixture) =>
        Effect.asVoid(Effect.andThen(setTrackingMode(id, "authenticated"), setTrackingMode(id, "anonymous"))),
      (fixture: OrganizationFixture) =>
        Effect.asVoid(
          Effect.andThen(
            setCapacity(fixture, fixture.premises, { capacity: 1, warnAt: 1 }),
            setCapacity(fixture, fixture.premises, undefined)
          )
        )
    ]
    for (const change of changes) {
      const fixture = yield* anOrganization()
      yield* changePolicy(fixture, { eventGrain: EventGrain.make(0) })
      // Notifications may get lost: what changes again is published again.
      while (!heard.has(fixture.id)) {
        yield* change(fixture) as Effect.Effect<void, StoreError, Stores>
        yield* Effect.sleep("20 millis")
      }
    }
    yield* Fiber.interrupt(listening)
  })
}
