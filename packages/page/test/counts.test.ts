/** The reducer of the presence stream: snapshots, events that are known already, and gaps. */
import type { PresenceMessage } from "@sojourn/client"
import { assert, describe, it } from "vitest"
import { afterMessage, type Counts, Gap, NO_COUNTS, withCapacity } from "../src/browser/live/counts.ts"

const at = "2026-03-01T08:00:00.000Z"
const total = { inside: 2, entered: 5, left: 3, level: "none" } as const

const snapshot = (version: number, reason: "start" | "behind" | "reset" = "start"): PresenceMessage => ({
  event: "snapshot",
  data: {
    reason,
    organizations: [{ organizationId: 1, version, ...total, places: [{ placeId: 7, ...total, capacity: 10 }] }]
  }
})

const after = (...messages: ReadonlyArray<PresenceMessage>): Counts =>
  messages.reduce((counts, message) => afterMessage(counts, message), NO_COUNTS)

const event = (type: PresenceMessage["event"], version: number, fields: object) =>
  ({ event: type, data: { type, version, organizationId: 1, at, ...fields } }) as PresenceMessage

const changed = (version: number, entered: number, left: number, inside: number, placeId?: number) =>
  event("presence.changed", version, { entered, left, inside, ...(placeId !== undefined && { placeId }) })

describe("counts", () => {
  it("begin with a snapshot, and change by events", () => {
    const { whole, places, version } = after(
      snapshot(4),
      changed(5, 2, 1, 3),
      changed(6, 1, 0, 3, 7)
    ).organizations.get(1)!
    assert.strictEqual(version, 6)
    assert.deepInclude(whole, { inside: 3, entered: 7, left: 4 })
    assert.deepInclude(places.get(7), { inside: 3, entered: 6, left: 3, capacity: 10 })
  })

  it("do not change by an event that is known", () => {
    const before = after(snapshot(4), changed(5, 2, 1, 3))
    assert.strictEqual(afterMessage(before, changed(5, 2, 1, 3)), before)
  })

  it("refuse an event after one that is missing, and of an organization without a snapshot", () => {
    assert.throws(() => after(snapshot(4), changed(6, 1, 0, 3)), Gap)
    assert.throws(() => after(changed(1, 1, 0, 1)), Gap)
  })

  it("are replaced by a snapshot that makes up for events", () => {
    const before = after(snapshot(4), changed(5, 2, 1, 3))
    const counts = afterMessage(before, snapshot(90, "behind"))
    assert.deepInclude(counts.organizations.get(1)!.whole, total)
    assert.isAbove(counts.organizations.get(1)!.dataChanges, before.organizations.get(1)!.dataChanges)
  })

  it("stay as they are by a snapshot after an outage in which nothing happened, and are read again after a reset", () => {
    const before = after(snapshot(4), { event: "stale", data: {} })
    const counts = afterMessage(before, snapshot(4, "behind"))
    assert.isFalse(counts.isStale)
    assert.deepStrictEqual(counts.organizations, before.organizations)
    const { dataChanges, musterChanges } = afterMessage(before, snapshot(4, "reset")).organizations.get(1)!
    assert.deepStrictEqual([dataChanges, musterChanges], [1, 1])
  })

  it("show levels", () => {
    const level = event("capacity.changed", 5, { placeId: 7, level: "full", inside: 10, capacity: 10 })
    assert.deepInclude(after(snapshot(4), level).organizations.get(1)!.places.get(7), { level: "full", inside: 10 })
    const lifted = event("capacity.changed", 6, { placeId: 7, level: "none", inside: 10 })
    assert.isUndefined(after(snapshot(4), level, lifted).organizations.get(1)!.places.get(7)!.capacity)
  })

  it("say that a muster began or ended, and that it was marked, apart", () => {
    const changes = (...states: ReadonlyArray<string>) => {
      const events = states.map((state, nth) => event("muster.changed", 5 + nth, { musterId: 3, state }))
      const { musterChanges, musterUpdates } = after(snapshot(4), ...events).organizations.get(1)!
      return [musterChanges, musterUpdates]
    }
    assert.deepStrictEqual(changes(), [0, 0])
    assert.deepStrictEqual(changes("started", "updated", "updated"), [1, 2])
    assert.deepStrictEqual(changes("started", "ended"), [2, 0])
  })

  it("follow places that are created and deleted", () => {
    const created = after(snapshot(4), event("place.changed", 5, { placeId: 8, changed: "created" }))
    assert.deepInclude(created.organizations.get(1)!.places.get(8), { inside: 0, level: "none" })
    const deleted = afterMessage(created, event("place.changed", 6, { placeId: 8, changed: "deleted" }))
    assert.isFalse(deleted.organizations.get(1)!.places.has(8))
  })

  it("end with the organization, and say when the database is away", () => {
    const gone = after(snapshot(4), { event: "gone", data: { organizationId: 1, reason: "forbidden" } })
    assert.strictEqual(gone.organizations.size, 0)
    assert.strictEqual(gone.gone.get(1), "forbidden")
    assert.strictEqual(afterMessage(gone, snapshot(9)).gone.size, 0)
    const stale = after(snapshot(4), { event: "stale", data: {} })
    assert.isTrue(stale.isStale)
    assert.isFalse(afterMessage(stale, changed(5, 0, 1, 1)).isStale)
  })

  it("are copied once for all messages between two looks at them, and stay as they were seen", () => {
    const own = new WeakSet()
    const seen = after(snapshot(4))
    const first = afterMessage(seen, changed(5, 1, 0, 3, 7), own)
    const second = afterMessage(first, changed(6, 1, 0, 4, 7), own)
    const placesOf = ({ organizations }: Counts) => organizations.get(1)!.places
    assert.strictEqual(placesOf(second), placesOf(first))
    assert.strictEqual(placesOf(second).get(7)!.inside, 4)
    assert.strictEqual(placesOf(seen).get(7)!.inside, 2)
    const third = afterMessage(second, changed(7, 1, 0, 5, 7), new WeakSet())
    assert.deepStrictEqual(
      [second, third].map((counts) => placesOf(counts).get(7)!.inside),
      [4, 5]
    )
  })

  it("take a capacity that was set here", () => {
    const set = { capacity: 3, level: "warning" } as const
    const counts = withCapacity(withCapacity(after(snapshot(4)), 1, 7, set), 1, undefined, set)
    assert.deepInclude(counts.organizations.get(1)!.whole, set)
    assert.deepInclude(counts.organizations.get(1)!.places.get(7), set)
    assert.strictEqual(withCapacity(counts, 2, 7, set), counts)
  })
})
