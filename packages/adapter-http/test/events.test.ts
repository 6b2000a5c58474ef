/** Each type of presence event is encoded for the stream and for webhooks as the definition declares it. */
import {
  bodyOf,
  DeviceId,
  MusterId,
  OrganizationId,
  PlaceId,
  type PresenceEvent,
  type PresenceEventData,
  Timestamp,
  WebhookEventType
} from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { eventMessage } from "../src/presence/messages.ts"
import { WIRE_EVENTS } from "../src/wire/feed/presence.ts"
import { WIRE_DELIVERIES } from "../src/wire/webhooks/delivery.ts"

const placeId = PlaceId.make(2n)
const EVENTS: ReadonlyArray<PresenceEventData> = [
  { _tag: "PresenceChanged", placeId, entered: 2, left: 1, inside: 4 },
  { _tag: "PresenceChanged", placeId: undefined, entered: 2, left: 1, inside: 4 },
  { _tag: "CapacityChanged", placeId, level: "full", inside: 20, capacity: 20 },
  { _tag: "CapacityChanged", level: "none", inside: 20, capacity: undefined },
  { _tag: "PlaceChanged", placeId, changed: "deleted" },
  { _tag: "OrganizationChanged", changed: "updated" },
  { _tag: "MusterChanged", musterId: MusterId.make(9n), state: "ended" },
  { _tag: "DeviceChanged", deviceId: DeviceId.make(8n), state: "silent" },
  { _tag: "PlaceChanged", placeId: PlaceId.make(7n), changed: "updated", level: -1, parentId: PlaceId.make(3n) },
  { _tag: "PresenceChanged", placeId, entered: 4, left: 0, inside: 5, corrected: true }
]

describe("an event", () => {
  it.each(EVENTS)("is on the stream and in a delivery what the definition declares: $_tag", (fields) => {
    // A member that no event declares is left out.
    const event: PresenceEvent & { readonly person: string } = {
      ...fields,
      version: 3,
      organizationId: OrganizationId.make(5n),
      at: Timestamp(1_772_352_000_000),
      person: "ada"
    }
    const [type, schema] = WIRE_EVENTS[event._tag]
    const declared = Schema.encodeUnknownSync(schema as Schema.Codec<unknown, unknown>)({ ...event, type })
    const expected = JSON.parse(JSON.stringify(declared))
    const [, name, data] = /^event: (.*)\ndata: (.*)\n\n$/.exec(eventMessage(event).text)!
    assert.strictEqual(name, type)
    assert.deepStrictEqual(JSON.parse(data!), expected)
    const delivered = JSON.parse(bodyOf("msg_1", event))
    assert.deepInclude(delivered, { type, timestamp: expected.at, data: expected })
    const { schema: delivery } = WIRE_DELIVERIES.find((one) => one.type === type)!
    const decoded = Schema.decodeUnknownSync(delivery as unknown as Schema.Codec<unknown, unknown>)(delivered)
    assert.deepStrictEqual(Object.keys(decoded as object).sort(), Object.keys(delivered).sort())
  })

  it("has 262 bytes at most, so that the 1,000 that may wait for a subscriber have 256 KiB", () => {
    const id = BigInt(Number.MAX_SAFE_INTEGER)
    for (const fields of EVENTS) {
      const longest = Object.entries(fields).map(([name, value]) => {
        if (typeof value === "bigint") return [name, id]
        return [name, typeof value === "number" ? 10_000_000 : value]
      })
      const event = { ...Object.fromEntries(longest), version: Number.MAX_SAFE_INTEGER, organizationId: id, at: 0 }
      const { text } = eventMessage(event as never)
      assert.isAtMost(new TextEncoder().encode(text).length, 262, text)
    }
  })

  it("has one of the types that a webhook asks for", () => {
    assert.sameMembers(
      Object.values(WIRE_EVENTS).map(([type]) => type),
      [...WebhookEventType.literals]
    )
  })
})
