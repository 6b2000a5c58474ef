/** Fixtures of the laws of the feed: calls of the port, and the sums of events. */
import {
  type Capacity,
  type CapacityLevel,
  CapacityStore,
  type FeedVersion,
  insideOf,
  LARGEST_CLOCK_DIFFERENCE_MS,
  type OrganizationId,
  type PlaceId,
  type Premises,
  type PresenceEvent,
  PresenceFeed,
  type PresenceSnapshot,
  type PresenceTotals,
  type Reader,
  type Timestamp
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option, Order } from "effect"
import { after, EARLIEST, NOW } from "../../arbitraries/times.ts"
import type { OrganizationFixture } from "./fixtures.ts"
import { located } from "./located.ts"
import { same } from "./outcome.ts"
import { DAY, HOUR } from "./policies.ts"

/** A time at which everything recorded at about `NOW` is due, whatever the interval. */
export const LATER = after(NOW, 3_600_000)

/** Publishes what is recorded and due. */
export const publish = (now: Timestamp = LATER) => PresenceFeed.use((feed) => feed.publish(now))

/** Publishes all that other laws have left, so that what is left afterwards is the law's own. */
export const publishRest = publish(after(LATER, HOUR))

/** Whether a publish so many milliseconds after `NOW` published of an organization, and when the rest may be published. */
export const publishAt = Effect.fnUntraced(function* ({ id }: OrganizationFixture, milliseconds: number) {
  const { organizations, nextAt } = yield* publish(after(NOW, milliseconds))
  return [organizations.includes(id), Option.getOrUndefined(Option.map(nextAt, (at) => at - NOW))] as const
})

/** Forgets what was published before a time. */
export const forget = (before: Timestamp, most = 1000) => PresenceFeed.use((feed) => feed.forget(before, most))

/** A time long before all that other laws record, another one for each law: what a law forgets is what it published itself. */
let longAgo = NOW
export const aTimeLongAgo = Effect.sync(() => (longAgo = after(longAgo, -1000 * DAY)))

export const pageOf = ({ id }: Pick<OrganizationFixture, "id">, version: FeedVersion, most = 1000) =>
  pageAfter(id, version, most)

const pageAfter = (organizationId: OrganizationId, version: FeedVersion, most: number) =>
  Effect.map(
    PresenceFeed.use((feed) => feed.eventsAfter([{ organizationId, version }], most)),
    ([page]) => page!
  )

/** Reads all events of a feed after this one, in pages, and proves that no event is missing and that none comes twice. */
export const readAllAfter = located(
  Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    after: Pick<PresenceEvent, "version" | "at"> | undefined,
    most: number
  ) {
    const events: Array<PresenceEvent> = []
    let last = after
    let isLast = false
    while (!isLast) {
      const page = yield* pageAfter(organizationId, last?.version ?? 0, most)
      if (page._tag !== "Events") return assert.fail(`the feed is ${page._tag} after ${events.length} events`)
      assert.isAtMost(page.events.length, most)
      for (const event of page.events) {
        assert.strictEqual(event.version, (last?.version ?? 0) + 1)
        assert.strictEqual(event.organizationId, organizationId)
        // Adapters may take the times of some events from the real clock, and times go back after a clock that was wrong.
        const back = (last?.at ?? event.at) - event.at
        if (back > 0) assert.isAbove(back, LARGEST_CLOCK_DIFFERENCE_MS)
        events.push(event)
        last = event
      }
      isLast = page.events.length < most
    }
    return events
  })
)

export const readFrom = (fixture: Pick<OrganizationFixture, "id">, version: FeedVersion = 0, most = 1000) =>
  readAllAfter(fixture.id, { version, at: EARLIEST }, most)

/** What an event publishes, without where it is in the feed. */
export const eventDataOf = ({ version: _, organizationId: __, at: ___, ...events }: PresenceEvent) => events

/** What the feed of an organization published after a version. */
export const eventsSince = (fixture: Pick<OrganizationFixture, "id">, version: FeedVersion = 0) =>
  Effect.map(readFrom(fixture, version), (events) => events.map(eventDataOf))

/** The last version of an organization's feed. */
export const versionOf = (fixture: Pick<OrganizationFixture, "id">) =>
  Effect.map(snapshotOf(fixture), ({ version }) => version)

export const snapshotsOf = (organizationIds: ReadonlyArray<OrganizationId>) =>
  PresenceFeed.use((feed) => feed.snapshots(organizationIds))

export const snapshotOf = ({ id }: Pick<OrganizationFixture, "id">) =>
  Effect.map(snapshotsOf([id]), ([snapshot]) => snapshot!)

/** The place of premises; none for an organization as a whole. */
export const placeIdOf = (premises: Premises): PlaceId | undefined =>
  premises._tag === "PlacePremises" ? premises.placeId : undefined

export const totalsOf = located((fixture: Pick<OrganizationFixture, "id">, premises: Premises) =>
  Effect.map(snapshotOf(fixture), ({ totals }) => {
    const found = totals.find(({ placeId }) => placeId === placeIdOf(premises))
    return found ?? assert.fail("these premises have no totals")
  })
)

/** An event that publishes how many entered and left. */
export const changed = (
  premises: Premises,
  counts: { readonly entered: number; readonly left: number; readonly inside: number }
) => ({ _tag: "PresenceChanged", placeId: placeIdOf(premises), ...counts })

/** An event that publishes a level. */
export const reached = (
  premises: Premises,
  { level, inside, capacity }: { readonly level: CapacityLevel; readonly inside: number; readonly capacity?: number }
) => ({ _tag: "CapacityChanged", placeId: placeIdOf(premises), level, inside, capacity })

/** What events published of some premises. */
export interface Sum {
  readonly entered: number
  readonly left: number
  readonly level: CapacityLevel
  readonly capacity: number | undefined
  readonly isDeleted: boolean
}

const NOTHING: Sum = { entered: 0, left: 0, level: "none", capacity: undefined, isDeleted: false }

/**
 * Adds up the events of a feed from its first on, by place, `undefined` for the organization itself. Proves that each event goes on
 * from the events before it: `inside` is the sum, a level is another one than before, a place is created first and deleted last.
 */
export const sumsOf = located((events: ReadonlyArray<PresenceEvent>): ReadonlyMap<PlaceId | undefined, Sum> => {
  const sums = new Map<PlaceId | undefined, Sum>([[undefined, NOTHING]])
  for (const event of events) {
    if (event._tag === "OrganizationChanged" || event._tag === "MusterChanged" || event._tag === "DeviceChanged")
      continue
    const { placeId, version } = event
    const sum = sums.get(placeId) ?? NOTHING
    const where = `version ${version}`
    assert.isFalse(sum.isDeleted, `${where} is of a place that was deleted`)
    switch (event._tag) {
      case "PresenceChanged": {
        const published = { ...sum, entered: sum.entered + event.entered, left: sum.left + event.left }
        assert.strictEqual(event.inside, insideOf(published), where)
        assert.isAtLeast(event.inside, 0, where)
        assert.isAbove(event.entered + event.left, 0, where)
        sums.set(placeId, published)
        break
      }
      case "CapacityChanged":
        assert.strictEqual(event.inside, insideOf(sum), where)
        assert.notStrictEqual(event.level, sum.level, where)
        assert.strictEqual(event.capacity === undefined, event.level === "none", where)
        sums.set(placeId, { ...sum, level: event.level, capacity: event.capacity })
        break
      case "PlaceChanged":
        assert.strictEqual(sums.has(placeId), event.changed !== "created", where)
        if (event.changed === "deleted") assert.strictEqual(insideOf(sum), 0, where)
        sums.set(placeId, { ...sum, isDeleted: event.changed === "deleted" })
    }
  }
  return sums
})

/** The totals that events add up to: the organization, then its places by id. */
const allTotalsOf = (sums: ReadonlyMap<PlaceId | undefined, Sum>) =>
  [...sums]
    .flatMap(([placeId, { entered, left, level, isDeleted }]) => (isDeleted ? [] : [{ placeId, entered, left, level }]))
    .sort(({ placeId: one = 0n }, { placeId: other = 0n }) => Order.BigInt(one, other))

/** Proves that a snapshot is the sum of all events that there are. Answers the sums. */
export const proveSum = located(({ version, totals }: PresenceSnapshot, events: ReadonlyArray<PresenceEvent>) => {
  assert.strictEqual(version, events.at(-1)?.version ?? 0)
  const sums = sumsOf(events)
  const published = ({ placeId, entered, left, level }: PresenceTotals) => ({ placeId, entered, left, level })
  same(totals.map(published), allTotalsOf(sums))
  return sums
})

/** Proves that an organization's snapshot is the sum of all its events. Answers the sums. */
export const proveSnapshot = located(
  Effect.fnUntraced(function* (fixture: Pick<OrganizationFixture, "id">, most = 1000) {
    const snapshot = yield* snapshotOf(fixture)
    assert.strictEqual(snapshot.organizationId, fixture.id)
    return proveSum(snapshot, yield* readFrom(fixture, 0, most))
  })
)

/** Gives premises a capacity, or lifts it, in the name of the organization's owner unless said otherwise. */
export const setCapacity = (
  { owner }: Pick<OrganizationFixture, "owner">,
  premises: Premises,
  capacity: Capacity | undefined,
  now: Timestamp = NOW
) => CapacityStore.use((store) => store.set({ premises, administratorId: owner, capacity, now }))

/** Reads the capacity of premises. */
export const capacityOf = ({ owner }: { readonly owner: Reader }, premises: Premises) =>
  CapacityStore.use((store) => store.get({ premises, reader: owner }))
