/** A subscriber of organizations of two cells, without a server: what it gets of one cell while the other answers, and while it does not. */
import { Administrator, AdministratorId, OrganizationId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { Cell } from "../src/presence/Cell.ts"
import { encodeSnapshot } from "../src/presence/messages.ts"
import { Subscribers } from "../src/presence/Subscribers.ts"

const [HOME, OTHER] = [OrganizationId.make(1n), OrganizationId.make(2n)]

/** A subscriber that is live in the feeds of both cells, with a sink that takes as much as a test lets it. */
const subscribed = () => {
  const paidOffAt = new Map()
  const [home, other] = [new Cell({} as never, paidOffAt), new Cell({} as never, paidOffAt)]
  const limits = { maxSubscribers: 10, maxSubscribersPerCaller: 10 }
  const subscribers = new Subscribers(limits, (organizationId) => (organizationId === HOME ? home : other))
  const subscription = {
    caller: Administrator(AdministratorId.make("ada")),
    credential: Redacted.make("token"),
    organizationIds: [OTHER, HOME],
    lastEventId: undefined
  }
  const subscriber = subscribers.add(subscription, Infinity)!
  const sink = { takes: true, text: "" }
  const write = (pieces: ReadonlyArray<Uint8Array>) => {
    sink.text += Buffer.concat(pieces).toString()
    return sink.takes
  }
  subscriber.open({ write, end: () => {}, destroy: () => {} })
  const written = () => {
    for (const one of subscribers.writing) {
      subscribers.writing.delete(one)
      one.flush()
    }
    const { text } = sink
    sink.text = ""
    return text
  }
  /** What a batch does for a subscriber that waits for snapshots. */
  const readSnapshots = (cell: Cell, version: number) => {
    cell.setGeneration(cell === home ? "h" : "o")
    for (const [feed, state] of cell.feedsOf(subscriber)) {
      if (typeof state !== "object" || state._tag !== "Snapshot") continue
      const totals = [{ entered: version, left: 0, capacity: undefined, level: "none" }] as never
      const read = encodeSnapshot({ organizationId: feed.organizationId, version, totals })
      subscriber.position.begin(feed.organizationId, cell.generation)
      feed.subscribers.set(subscriber, { ...state, read })
    }
    subscribers.giveSnapshots(subscriber)
  }
  const append = (cell: Cell, version: number) => {
    const [feed] = cell.feedsOf(subscriber)[0]!
    const { organizationId } = feed
    const event = { _tag: "OrganizationChanged", changed: "updated", version, organizationId, at: 0 } as const
    feed.append(event as never)
  }
  return { home, other, subscriber, subscribers, sink, written, readSnapshots, append }
}

const idsIn = (text: string) => [...text.matchAll(/^id: (.*)\nevent: (.*)$/gm)].map(([, id, event]) => `${event} ${id}`)

describe("a subscriber of two cells", () => {
  it("gets one snapshot of both, in the order of its list, and then what each of them has", () => {
    const { home, other, written, readSnapshots, append } = subscribed()
    readSnapshots(home, 5)
    assert.deepStrictEqual(idsIn(written()), [])
    readSnapshots(other, 7)
    const text = written()
    assert.deepStrictEqual(idsIn(text), ["snapshot h;1:5/o;2:7"])
    assert.isBelow(text.indexOf('"organizationId":2'), text.indexOf('"organizationId":1'))
    append(home, 6)
    append(other, 8)
    assert.deepStrictEqual(idsIn(written()), ["organization.changed h;1:6/o;2:7", "organization.changed h;1:6/o;2:8"])
  })

  it("gets the snapshots of one alone once the other does not answer", () => {
    const { home, other, subscribers, subscriber, written, readSnapshots } = subscribed()
    readSnapshots(home, 5)
    other.reachable.closeUnsafe()
    subscribers.giveSnapshots(subscriber)
    assert.deepStrictEqual(idsIn(written()), ["snapshot h;1:5"])
    readSnapshots(other, 7)
    assert.deepStrictEqual(idsIn(written()), ["snapshot h;1:5/o;2:7"])
  })

  it("gets what was read of one after its last organization of the other is gone", () => {
    const { home, other, subscribers, written, readSnapshots } = subscribed()
    other.setGeneration("o")
    readSnapshots(home, 5)
    subscribers.dismiss(other.feeds.get(OTHER)!, "deleted")
    assert.deepStrictEqual(idsIn(written()), ["gone ;", "snapshot h;1:5"])
    subscribers.dismiss(home.feeds.get(HOME)!, "deleted")
    assert.deepStrictEqual(idsIn(written()), ["gone ;", "end ;"])
  })

  it("that falls behind while one does not answer goes on with the other, and with both once it is back", () => {
    const { home, other, sink, subscriber, written, readSnapshots, append } = subscribed()
    readSnapshots(home, 0)
    readSnapshots(other, 0)
    written()
    sink.takes = false
    for (let version = 1; version <= 1_002; version++) {
      append(home, version)
      // The first one is on its way.
      if (version === 1) assert.deepStrictEqual(idsIn(written()), ["organization.changed h;1:1/o;2:0"])
    }
    assert.isTrue(subscriber.isBehind)
    append(other, 1)
    other.reachable.closeUnsafe()
    sink.takes = true
    subscriber.drained()
    assert.deepStrictEqual(idsIn(written()), [])
    assert.isTrue(home.isPending(subscriber) && other.isPending(subscriber))
    readSnapshots(home, 1_002)
    append(home, 1_003)
    assert.deepStrictEqual(idsIn(written()), ["snapshot h;1:1002/o;2:0", "organization.changed h;1:1003/o;2:0"])
    assert.isFalse(home.isPending(subscriber))
    other.reachable.openUnsafe()
    readSnapshots(other, 1)
    append(other, 2)
    assert.deepStrictEqual(idsIn(written()), ["snapshot h;1:1003/o;2:1", "organization.changed h;1:1003/o;2:2"])
  })

  it("keeps what waits of one cell when the other starts over", () => {
    const { home, other, sink, subscriber, written, readSnapshots, append } = subscribed()
    readSnapshots(home, 0)
    readSnapshots(other, 0)
    written()
    sink.takes = false
    append(home, 1)
    written()
    append(home, 2)
    append(other, 1)
    other.setGeneration("restored")
    sink.takes = true
    subscriber.drained()
    assert.deepStrictEqual(idsIn(written()), ["organization.changed h;1:2"])
  })
})
