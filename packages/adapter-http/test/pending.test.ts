/** What opening and resuming streams makes a server do: counted reads of the storage, shared bytes, and turns of callers. */
import { layerStores } from "@sojourn/adapter-memory"
import { Administrator, AdministratorId, OrganizationId, PresenceFeed } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer, Redacted } from "effect"
import { Cell } from "../src/presence/Cell.ts"
import { Subscriber } from "../src/presence/Subscriber.ts"
import { Subscribers } from "../src/presence/Subscribers.ts"
import { AREA, compose } from "./composed.ts"

const idsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => OrganizationId.make(BigInt(first + n)))

const subscriptionOf = (caller: string, organizationIds: ReadonlyArray<OrganizationId>) => ({
  caller: Administrator(AdministratorId.make(caller)),
  credential: Redacted.make("token"),
  organizationIds,
  lastEventId: undefined
})

/** A cell whose storage is not read, and what adds a subscriber to its queue. */
const aCell = () => {
  const cell = new Cell({} as never, new Map())
  const add = (caller: string, organizationIds: ReadonlyArray<OrganizationId>) => {
    const listener = { ready: () => {}, writable: () => {}, closed: () => {} }
    const subscriber = new Subscriber(subscriptionOf(caller, organizationIds), Infinity, listener)
    for (const id of organizationIds) cell.join(subscriber, id)
    return subscriber
  }
  return { cell, add }
}

describe("the subscribers that are served next", () => {
  it("are of all callers in turn, whatever one of them asks for", () => {
    const { cell, add } = aCell()
    for (let n = 0; n < 100; n++) add("greedy", idsFrom(1 + 20 * n, 20))
    const modest = add("modest", idsFrom(9_000, 1))
    assert.include(cell.takeBatch(), modest)
    const late = add("late", idsFrom(9_001, 20))
    assert.include(cell.takeBatch(), late)
  })

  it("read 40 organizations at most, and more subscribers where they are of the same", () => {
    const { cell, add } = aCell()
    for (let n = 0; n < 10; n++) add(`caller ${n}`, idsFrom(1 + 20 * n, 20))
    for (let n = 0; n < 10; n++) add("other", idsFrom(1, 20))
    const batch = cell.takeBatch()
    const read = new Set(batch.flatMap(({ subscription }) => subscription.organizationIds))
    assert.strictEqual(read.size, 40)
    assert.strictEqual(batch.filter(({ callerName }) => callerName === "administrator other").length, 10)
  })

  it("wait, where their caller had 1,000 organizations read at once, and others do not", () => {
    const { cell, add } = aCell()
    let taken = 0
    for (let n = 0; n < 100; n++) {
      add("greedy", idsFrom(1, 20))
      taken += cell.takeBatch().length
    }
    assert.isAtLeast(taken, 50)
    assert.isAtMost(taken, 52)
    assert.isTrue(cell.queued.isOpen(), "the others are queued")
    const modest = add("modest", idsFrom(1, 20))
    assert.include(cell.takeBatch(), modest)
  })
})

describe("streams that have ended, and whose clients read nothing", () => {
  it("keep no place, and are closed when there are many of them", () => {
    const limits = { maxSubscribers: 100, maxSubscribersPerCaller: 5 }
    const cell = new Cell({} as never, new Map())
    const subscribers = new Subscribers(limits, () => cell)
    let destroyed = 0
    for (let n = 0; n < 1_000; n++) {
      const subscriber = subscribers.add(subscriptionOf("greedy", idsFrom(1, 1)), Infinity)
      assert.isDefined(subscriber)
      subscriber!.open({ write: () => false, end: () => {}, destroy: () => void destroyed++ })
    }
    assert.isAtMost(subscribers.all.size, 15)
    assert.isAtLeast(destroyed, 985)
  })
})

const composed = async () => {
  const reads = { snapshots: 0, positions: 0 }
  const holding = { until: Deferred.makeUnsafe<void>() }
  const context = await Effect.runPromise(Effect.scoped(Layer.build(layerStores)))
  const feed = Context.get(context, PresenceFeed)
  const counting: PresenceFeed["Service"] = {
    ...feed,
    generation: Effect.andThen(
      Effect.suspend(() => Deferred.await(holding.until)),
      feed.generation
    ),
    snapshots: (ids) => {
      reads.snapshots += ids.length
      return feed.snapshots(ids)
    },
    eventsAfter: (positions, most) => {
      reads.positions += positions.length
      return feed.eventsAfter(positions, most)
    }
  }
  const server = await compose({
    stores: Layer.succeedContext(Context.add(context, PresenceFeed, counting)),
    streams: { maxSubscribersPerCaller: 100 }
  })
  const { json } = await server.call("operator:op", "POST", "/operator/organization", {
    name: crypto.randomUUID(),
    trackingArea: AREA,
    trackingMode: "anonymous",
    owner: { administratorId: "owner", mail: "owner@example.test" }
  })
  const id: number = json.id
  const open = async (lastEventId?: string) => {
    const response = await fetch(`${server.baseUrl}/presence/stream?organizations=${id}`, {
      headers: {
        authorization: "Bearer administrator:owner",
        ...(lastEventId !== undefined && { "last-event-id": lastEventId })
      }
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    return {
      until: async (words: string) => {
        while (!text.includes(words)) text += (await reader.read()).value
        return text
      },
      cancel: () => reader.cancel()
    }
  }
  const change = () => server.call("administrator:owner", "PUT", "/organization", { id, city: crypto.randomUUID() })
  const release = () => Effect.runPromise(Deferred.succeed(holding.until, undefined))
  const hold = () => {
    holding.until = Deferred.makeUnsafe<void>()
  }
  return { reads, open, change, hold, release }
}

describe("many streams of one organization", () => {
  it("that open at once share what is read", async () => {
    const { reads, open, release } = await composed()
    const streams = await Promise.all(Array.from({ length: 60 }, () => open()))
    await release()
    for (const stream of streams) await stream.until("event: snapshot")
    assert.isAtMost(reads.snapshots, 4)
  })

  it("that resume at once after different events share what is read", async () => {
    const { reads, open, change, hold, release } = await composed()
    await release()
    const witness = await open()
    const [, prefix] = /^id: (.*):0$/m.exec(await witness.until('"places":[]'))!
    for (let version = 1; version <= 300; version++) await change()
    await witness.until('"version":300,')
    await witness.cancel()
    hold()
    reads.positions = 0
    const streams = await Promise.all(Array.from({ length: 40 }, (_, n) => open(`${prefix}:${7 * n}`)))
    await release()
    for (const [n, stream] of streams.entries()) {
      const text = await stream.until('"version":300,')
      assert.strictEqual([...text.matchAll(/^event: organization.changed$/gm)].length, 300 - 7 * n)
      assert.notInclude(text, "event: snapshot")
    }
    // One page of events for all of them, and the readings each second.
    assert.isAtMost(reads.positions, 8)
  })
})
