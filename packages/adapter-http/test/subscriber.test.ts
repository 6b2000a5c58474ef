/** A subscriber of a presence stream without a server: comments, event ids, backpressure and the end of the stream. */
import { Administrator, AdministratorId, OrganizationId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { StreamPosition } from "../src/presence/eventId.ts"
import { eventMessage, STALE } from "../src/presence/messages.ts"
import { Subscriber } from "../src/presence/Subscriber.ts"

const organizationId = OrganizationId.make(1n)

/** A subscriber, and a sink that takes `takes` chunks until it is drained. */
const subscribed = (lastEventId?: string, takes = Infinity, organizationIds = [organizationId]) => {
  let text = ""
  let left = takes
  const happened: Array<string> = []
  const subscription = {
    caller: Administrator(AdministratorId.make("ada")),
    credential: Redacted.make("token"),
    organizationIds,
    lastEventId
  }
  const subscriber = new Subscriber(subscription, Infinity, {
    ready: () => void happened.push("ready"),
    writable: (one) => one.flush(),
    closed: () => void happened.push("closed")
  })
  const open = () =>
    subscriber.open({
      write: (pieces) => {
        text += Buffer.concat(pieces).toString()
        return --left > 0
      },
      end: () => void happened.push("end"),
      destroy: () => void happened.push("destroy")
    })
  const drain = () => {
    left = takes
    subscriber.drained()
  }
  const written = () => {
    const all = text
    text = ""
    return all
  }
  return { subscriber, open, drain, written, happened }
}

const event = (version: number) =>
  eventMessage({
    _tag: "OrganizationChanged",
    changed: "updated",
    version: version as never,
    organizationId,
    at: 0 as never
  })

const idsIn = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)

describe("a presence stream that ends before it begins", () => {
  const endedEarly = (lastEventId: string | undefined) => {
    const { subscriber, open, written, happened } = subscribed(lastEventId)
    subscriber.end("shutdown")
    open()
    assert.deepStrictEqual(happened, ["closed", "end"])
    return written()
  }

  it("ends with the id that it should resume from, so that the client goes on there", () => {
    assert.include(endedEarly("generation;1:41"), 'id: generation;1:41\nevent: end\ndata: {"reason":"shutdown"}\n\n')
  })

  it("ends with the positions of its own organizations alone, and keeps no others of thousands", () => {
    const others = Array.from({ length: 4_000 }, (_, n) => `,${n + 2}:7`).join("")
    assert.include(endedEarly(`generation;1:41${others}`), "id: generation;1:41\nevent: end")
    const { subscriber } = subscribed(`generation;1:41${others}`)
    assert.deepStrictEqual(subscriber.position, StreamPosition.parse("generation;1:41", [organizationId])!)
    assert.notProperty(subscriber.subscription, "lastEventId")
  })

  for (const lastEventId of [undefined, "", "generation", "generation;1:41\nevent: snapshot"]) {
    it(`ends with an id that stands for no version after ${JSON.stringify(lastEventId)}`, () => {
      const [id] = idsIn(endedEarly(lastEventId))
      assert.deepStrictEqual(StreamPosition.parse(id, [organizationId]), new StreamPosition())
    })
  }
})

describe("a subscriber", () => {
  it("gets a comment when there was nothing for a while, and only while it reads", () => {
    const { subscriber, open, drain, written } = subscribed(undefined, 1)
    subscriber.ping(0)
    assert.strictEqual(written(), "")
    open()
    assert.strictEqual(written(), "retry: 1000\n\n")
    subscriber.ping(0)
    assert.strictEqual(written(), "")
    drain()
    subscriber.ping(60_000)
    assert.strictEqual(written(), "")
    subscriber.ping(0)
    assert.strictEqual(written(), ": ping\n\n")
  })

  it("has ids of its own in messages that it shares with others", () => {
    const two = [OrganizationId.make(2n), organizationId]
    const [one, other] = [subscribed("generation;1:1"), subscribed("generation;2:7,1:1", Infinity, two)]
    for (const { open } of [one, other]) open()
    for (const version of [2, 3]) {
      const shared = event(version)
      for (const { subscriber } of [one, other, one]) {
        subscriber.addEvent(shared)
        subscriber.flush()
      }
    }
    assert.deepStrictEqual(idsIn(one.written()), [
      "generation;1:2",
      "generation;1:2",
      "generation;1:3",
      "generation;1:3"
    ])
    assert.deepStrictEqual(idsIn(other.written()), ["generation;2:7,1:2", "generation;2:7,1:3"])
  })

  it("has ids with the positions of organizations of several cells, also of one that nothing was read of", () => {
    const elsewhere = OrganizationId.make(7n)
    const { subscriber, open, written } = subscribed("home;1:1/other;7:3", Infinity, [organizationId, elsewhere])
    open()
    subscriber.addEvent(event(2))
    subscriber.position.begin(elsewhere, "restored")
    subscriber.addEvent(event(3))
    subscriber.end("shutdown")
    assert.deepStrictEqual(idsIn(written()), ["home;1:2/other;7:3", "home;1:3", "home;1:3"])
  })

  it("that is behind reads again as soon as it has read what was left", () => {
    const { subscriber, open, drain, written, happened } = subscribed("generation;1:0", 1)
    open()
    for (let version = 1; version <= 1_001; version++) subscriber.addEvent(event(version))
    assert.isTrue(subscriber.isBehind)
    assert.deepStrictEqual(happened, [])
    drain()
    assert.deepStrictEqual(happened, ["ready"])
    assert.deepStrictEqual(idsIn(written()), [])
  })

  it("that reads nothing has no more messages waiting after many outages", () => {
    const { subscriber, open, drain, written } = subscribed("generation;1:0", 1)
    open()
    subscriber.addEvent(event(1))
    for (let outage = 0; outage < 5; outage++) {
      subscriber.add(STALE)
      assert.isFalse(subscriber.recover())
    }
    written()
    drain()
    assert.match(written(), /^id: generation;1:1\nevent: organization.changed\n[^\n]*\n\n$/)
    subscriber.add(STALE)
    drain()
    assert.isTrue(subscriber.recover())
    assert.match(written(), /event: stale/)
  })

  it("is closed once its client has left, and writes nothing more", () => {
    const { subscriber, open, written, happened } = subscribed("generation;1:0")
    open()
    written()
    subscriber.close()
    subscriber.addEvent(event(1))
    subscriber.drained()
    subscriber.ping(0)
    subscriber.end("shutdown")
    assert.deepStrictEqual(happened, ["closed"])
    assert.strictEqual(written(), "")
  })
})
