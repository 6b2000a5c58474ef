/** Properties of what a webhook is sent: which events are added up into one message, its id, body and signature. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Redacted } from "effect"
import { createHmac } from "node:crypto"
import {
  bodyOf,
  type DeliveredEvent,
  eventTypeOf,
  type FeedVersion,
  messageIdOf,
  MusterId,
  OrganizationId,
  PlaceId,
  type PresenceEvent,
  type PresenceEventData,
  PRESENCE_INTERVAL_MS,
  remainingOf,
  deliverableFrom,
  batchOf,
  secretText,
  signatureOf,
  Timestamp,
  WebhookEventType,
  WebhookId
} from "../../../src/index.ts"
import { anyOf, integer, maybe, nearNow, NOW, text } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const organizationId = OrganizationId.make(5n)
const at = Timestamp(NOW)

const placeId = Arbitrary.map(maybe(integer(1, 3)), (id) => (id === undefined ? undefined : PlaceId.make(BigInt(id))))

const presence = Arbitrary.map(
  Arbitrary.all({ placeId, entered: integer(0, 5), left: integer(0, 5), inside: integer(0, 50) }),
  (fields): PresenceEventData => ({ _tag: "PresenceChanged", ...fields })
)
const capacity = Arbitrary.map(
  Arbitrary.all({ placeId, inside: integer(0, 50), level: anyOf(["full", "normal"] as const) }),
  (fields): PresenceEventData => ({ _tag: "CapacityChanged", capacity: 20, ...fields })
)
const other = anyOf<PresenceEventData>([
  { _tag: "PlaceChanged", placeId: PlaceId.make(2n), changed: "created" },
  { _tag: "PlaceChanged", placeId: PlaceId.make(2n), changed: "updated" },
  { _tag: "PlaceChanged", placeId: PlaceId.make(3n), changed: "updated" },
  { _tag: "OrganizationChanged", changed: "updated" },
  { _tag: "MusterChanged", musterId: MusterId.make(9n), state: "started" },
  { _tag: "MusterChanged", musterId: MusterId.make(9n), state: "updated" },
  { _tag: "MusterChanged", musterId: MusterId.make(8n), state: "updated" }
])

/** Mostly movements, as in a feed. */
const news = Arbitrary.flatMap(integer(0, 9), (kind) => (kind < 6 ? presence : kind < 8 ? capacity : other))

/** What makes two events the same, in words of the specification: type, premises and content. */
const contentOf = (event: PresenceEventData): string => {
  const { placeId, level, musterId, changed, state } = { ...event } as Record<string, unknown>
  return [event._tag, placeId, level, musterId, changed, state].map(String).join(" ")
}

const feed = Arbitrary.map(
  Arbitrary.all({ first: integer(1, 1000), all: Arbitrary.array(news, { minLength: 1, maxLength: 40 }) }),
  ({ first, all }): readonly [PresenceEvent, ...ReadonlyArray<PresenceEvent>] => {
    const [one, ...others] = all.map((event, index) => ({ ...event, version: first + index, organizationId, at }))
    return [one!, ...others]
  }
)

const types = Arbitrary.map(
  Arbitrary.array(anyOf(WebhookEventType.literals), { minLength: 1, maxLength: 8 }),
  (some): ReadonlyArray<WebhookEventType> => [...new Set(some)]
)

/** Delivers all events, in batches of at most `most` of them. */
const deliverAll = (
  asked: ReadonlyArray<WebhookEventType>,
  events: ReadonlyArray<PresenceEvent>,
  most: number
): ReadonlyArray<DeliveredEvent> => {
  const [one, ...others] = events.slice(0, most)
  if (one === undefined) return []
  const { end, deliveries } = batchOf(asked, [one, ...others])
  const next = events.filter(({ version }) => version > end)
  return [...deliveries, ...deliverAll(asked, next, most)]
}

const countsOf = (events: ReadonlyArray<DeliveredEvent>) => {
  const sums = new Map<string, { entered: number; left: number; inside: number; last: FeedVersion }>()
  for (const event of events) {
    if (event._tag !== "PresenceChanged") continue
    const key = String(event.placeId)
    const { entered, left } = sums.get(key) ?? { entered: 0, left: 0 }
    sums.set(key, {
      entered: entered + event.entered,
      left: left + event.left,
      inside: event.inside,
      last: event.version
    })
  }
  return sums
}

describe("deliveries", () => {
  it.prop(
    "tell each asked event in one of its content, in the order of versions, and add up presence",
    { asked: types, events: feed, most: integer(1, 50) },
    ({ asked, events, most }) => {
      const wanted = events.filter((event) => asked.includes(eventTypeOf(event)))
      const delivered = deliverAll(asked, events, most)
      const versions = delivered.map(({ version }) => version)
      assert.deepStrictEqual(
        versions,
        [...new Set(versions)].sort((one, two) => one - two)
      )
      const contents = Map.groupBy(
        wanted.filter(({ _tag }) => _tag !== "PresenceChanged"),
        contentOf
      )
      const covered = new Map<string, number>()
      for (const one of delivered) {
        if (one._tag === "PresenceChanged") continue
        const content = contentOf(one)
        const all = contents.get(content)!
        const from = covered.get(content) ?? 0
        const to = all.findIndex(({ version }) => version === one.version)
        // The members are those of the last one, and the first one is the first that was not delivered yet.
        const { fromVersion, ...event } = one
        assert.deepStrictEqual<unknown>(event, all[to])
        assert.strictEqual(fromVersion, to === from ? undefined : all[from]!.version)
        covered.set(content, to + 1)
      }
      for (const [content, all] of contents) assert.strictEqual(covered.get(content), all.length)
      assert.deepStrictEqual(countsOf(delivered), countsOf(wanted))
    },
    trials()
  )

  it.prop(
    "of all events that wait at once hold each content once",
    { asked: types, events: feed },
    ({ asked, events }) => {
      const contents = deliverAll(asked, events, Infinity).flatMap((one) =>
        one._tag === "PresenceChanged" ? [] : [contentOf(one)]
      )
      assert.strictEqual(contents.length, new Set(contents).size)
    },
    trials()
  )

  it.prop(
    "of a batch are the same once it is fixed, and it ends as soon as nothing in it stands for an event before",
    { asked: types, events: feed },
    ({ asked, events }) => {
      const batch = batchOf(asked, events)
      const [one, ...others] = events.filter(({ version }) => version <= batch.end)
      assert.deepStrictEqual(batchOf(asked, [one!, ...others]), batch)
      const spans = batch.deliveries.filter(({ _tag }) => _tag !== "PresenceChanged")
      for (const [index, { version }] of spans.slice(0, -1).entries()) {
        assert.isTrue(spans.slice(index + 1).some((later) => (later.fromVersion ?? later.version) < version))
      }
    },
    trials()
  )

  it.prop(
    "never let another event overtake the movements before it",
    { events: feed, most: integer(1, 50) },
    ({ events, most }) => {
      const delivered = deliverAll(WebhookEventType.literals, events, most)
      for (const [index, event] of delivered.entries()) {
        if (event._tag === "PresenceChanged") continue
        const expected = countsOf(events.filter(({ version }) => version < event.version))
        assert.deepStrictEqual(countsOf(delivered.slice(0, index)), expected)
      }
    },
    trials()
  )

  it.prop(
    "name the first and the last version that was added up, without overlap",
    { events: feed, most: integer(1, 50) },
    ({ events, most }) => {
      const reached = new Map<string, FeedVersion>()
      for (const event of deliverAll(["presence.changed"], events, most)) {
        if (event._tag !== "PresenceChanged") return assert.fail("another type")
        const from = event.fromVersion ?? assert.fail("no fromVersion")
        assert.isAtMost(from, event.version)
        assert.isAbove(from, reached.get(String(event.placeId)) ?? 0)
        reached.set(String(event.placeId), event.version)
      }
    },
    trials()
  )

  it.prop(
    "of a batch go on after the one that was delivered last",
    { asked: types, events: feed, cut: integer(0, 40) },
    ({ asked, events, cut }) => {
      const batch = batchOf(asked, events)
      assert.deepStrictEqual(remainingOf(batch, {}), batch.deliveries)
      const delivered = batch.deliveries[Math.min(cut, batch.deliveries.length - 1)]?.version
      assert.deepStrictEqual(remainingOf(batch, { delivered }), batch.deliveries.slice(cut + 1))
    },
    trials()
  )

  it.prop(
    "with presence come a second after the presence before of the same premises, others at once",
    { asked: types, events: feed, whole: maybe(nearNow), ofPlaces: maybe(nearNow), now: nearNow },
    ({ asked, events, whole, ofPlaces, now }) => {
      const batch = batchOf(asked, events)
      const from = deliverableFrom(batch, (placeId) => (placeId === undefined ? whole : ofPlaces), now)
      const holds = (isWhole: boolean) =>
        batch.deliveries.some((one) => one._tag === "PresenceChanged" && (one.placeId === undefined) === isWhole)
      let expected: number = now
      for (const [last, isWhole] of [
        [whole, true],
        [ofPlaces, false]
      ] as const) {
        if (last !== undefined && last <= now && holds(isWhole))
          expected = Math.max(expected, last + PRESENCE_INTERVAL_MS)
      }
      assert.strictEqual(from, expected)
    },
    trials()
  )
})

describe("a delivery's body", () => {
  const written = (event: DeliveredEvent) => JSON.parse(bodyOf("msg_1", event))
  const common = { version: 3, organizationId: 5, at: "2026-03-01T08:00:00.000Z" }
  const time = Timestamp(Date.parse(common.at))
  const event = (one: PresenceEventData): DeliveredEvent => ({ ...one, version: 3, organizationId, at: time })
  const placeId = PlaceId.make(2n)

  it.each<readonly [DeliveredEvent, string, object]>([
    [
      { ...event({ _tag: "PresenceChanged", placeId, entered: 2, left: 1, inside: 4 }), fromVersion: 1 },
      "place/2",
      { type: "presence.changed", fromVersion: 1, placeId: 2, entered: 2, left: 1, inside: 4 }
    ],
    [
      event({ _tag: "CapacityChanged", placeId: undefined, level: "full", inside: 20, capacity: 20 }),
      "organization/5",
      { type: "capacity.changed", level: "full", inside: 20, capacity: 20 }
    ],
    [
      event({ _tag: "CapacityChanged", level: "none", inside: 20, capacity: undefined }),
      "organization/5",
      { type: "capacity.changed", level: "none", inside: 20 }
    ],
    [
      event({ _tag: "PlaceChanged", placeId, changed: "deleted" }),
      "place/2",
      { type: "place.changed", placeId: 2, changed: "deleted" }
    ],
    [
      event({ _tag: "OrganizationChanged", changed: "updated" }),
      "organization/5",
      { type: "organization.changed", changed: "updated" }
    ],
    [
      event({ _tag: "MusterChanged", musterId: MusterId.make(9n), state: "ended" }),
      "muster/9",
      { type: "muster.changed", musterId: 9, state: "ended" }
    ]
  ])("holds the attributes of CloudEvents, the timestamp and the event", (delivered, subject, expected) => {
    assert.deepStrictEqual(written(delivered), {
      specversion: "1.0",
      id: "msg_1",
      source: "/organization/5",
      type: eventTypeOf(delivered),
      subject,
      time: common.at,
      datacontenttype: "application/json",
      timestamp: common.at,
      data: { ...common, ...expected }
    })
  })
})

describe("a delivery's id and signature", () => {
  it.prop(
    "is the same for the same event of the same webhook and feed, and for no other",
    {
      generations: Arbitrary.array(text(0, 4), { minLength: 2, maxLength: 2 }),
      ids: integer(1, 99),
      version: integer(1, 99)
    },
    ({ generations: [one, other], ids, version }) => {
      const id = messageIdOf({ webhookId: WebhookId.make(BigInt(ids)) }, one!, { version })
      assert.match(id, /^msg_[A-Za-z0-9_-]{24}$/)
      assert.strictEqual(id, messageIdOf({ webhookId: WebhookId.make(BigInt(ids)) }, one!, { version }))
      assert.notStrictEqual(id, messageIdOf({ webhookId: WebhookId.make(BigInt(ids) + 1n) }, one!, { version }))
      assert.notStrictEqual(id, messageIdOf({ webhookId: WebhookId.make(BigInt(ids)) }, one!, { version: version + 1 }))
      assert.notStrictEqual(
        id,
        messageIdOf({ webhookId: WebhookId.make(BigInt(ids)) }, one!, { version, fromVersion: version })
      )
      const elsewhere = messageIdOf({ webhookId: WebhookId.make(BigInt(ids)) }, other!, { version })
      assert.strictEqual(id === elsewhere, one === other)
    },
    trials()
  )

  it.prop(
    "is the HMAC that Standard Webhooks names",
    {
      bytes: Arbitrary.array(integer(0, 255), { minLength: 32, maxLength: 32 }),
      body: text(0, 40),
      seconds: integer(0, 2_000_000_000)
    },
    ({ bytes, body, seconds: timestamp }) => {
      const secrets = [bytes, bytes.toReversed()].map((some) => Redacted.make(Uint8Array.from(some)))
      const signatures = secrets.map((secret) => {
        const key = Buffer.from(secretText(secret).replace(/^whsec_/, ""), "base64")
        assert.strictEqual(key.length, 32)
        return `v1,${createHmac("sha256", key).update(`msg_1.${timestamp}.${body}`).digest("base64")}`
      })
      const message = { id: "msg_1", timestamp, body }
      assert.strictEqual(signatureOf(secrets.slice(0, 1), message), signatures[0])
      assert.strictEqual(signatureOf(secrets, message), signatures.join(" "))
    },
    trials()
  )
})
