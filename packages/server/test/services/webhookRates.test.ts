/** How many deliveries a receiver gets, whatever an owner does: on a clock of the test. */
import {
  deliverWebhooks,
  eventJson,
  Organizations,
  Places,
  PresenceFeed,
  RETRY_DELAYS_MS,
  RETRY_JITTER,
  Webhooks,
  type WebhookResponse
} from "@sojourn/core"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { anAnonymousOrganization, AREA, layerSendingTo, OWNER } from "./fixtures.ts"
import { faultsOfCoverage } from "../webhooks/Receiver.ts"

/** What receivers got, by URL, and when. */
const receivers = (answer: (nth: number) => WebhookResponse) => {
  const got: Array<{ readonly url: string; readonly at: number; readonly data: any }> = []
  const layer = layerSendingTo({
    send: ({ url, body }) =>
      Effect.map(Clock.currentTimeMillis, (at) => answer(got.push({ url: url.text, at, data: JSON.parse(body).data })))
  })
  return { got, layer }
}

/** The most deliveries in any second. */
const mostInASecond = (times: ReadonlyArray<number>) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length))

it.effect(
  "a webhook gets at most 20 deliveries a second, a receiver at most 50 of an organization, and every event is delivered",
  () => {
    const { got, layer } = receivers(() => ({ status: 204 }))
    return Effect.gen(function* () {
      const { id: organizationId } = yield* anAnonymousOrganization("one")
      const [webhooks, organizations, places] = [yield* Webhooks, yield* Organizations, yield* Places]
      const urls = Array.from({ length: 10 }, (_, nth) => `https://victim.example.org/${nth}`)
      for (const url of urls) yield* webhooks.create(OWNER, { organizationId, url })
      yield* Effect.forkScoped(deliverWebhooks)
      const { id } = yield* places.create(OWNER, { organizationId, trackingArea: AREA })
      for (let nth = 0; nth < 300; nth++) {
        yield* organizations.edit(OWNER, organizationId, { description: `change ${nth}` })
        yield* places.edit(OWNER, id, { name: `change ${nth}` })
        if (nth % 10 === 0) yield* TestClock.adjust("100 millis")
      }
      yield* TestClock.adjust("1 minute")
      const [page] = yield* PresenceFeed.use((feed) => feed.eventsAfter([{ organizationId, version: 0 }], 10_000))
      const events = page?._tag === "Events" ? page.events.map((event) => JSON.parse(eventJson(event))) : []
      assert.strictEqual(events.length, 601)
      for (const url of urls) {
        const own = got.filter((one) => one.url === url)
        const delivered = own.map(({ data }) => data)
        assert.deepStrictEqual(faultsOfCoverage(delivered, events), [])
        assert.isAtMost(mostInASecond(own.map(({ at }) => at)), 20)
      }
      // 6,010 without the rules.
      assert.isAtMost(mostInASecond(got.map(({ at }) => at)), 50)
      assert.isAtMost(got.length, 700)
    }).pipe(Effect.provide(layer))
  }
)

it.effect("a receiver with Retry-After gets no earlier request, and no more of them than any other that fails", () => {
  const retryAfter = 3 * 3600
  const { got, layer } = receivers((nth) =>
    nth === 1 ? { status: 503, retryAfter: String(retryAfter) } : { status: 500 }
  )
  return Effect.gen(function* () {
    const { id: organizationId } = yield* anAnonymousOrganization("one")
    const [webhooks, organizations] = [yield* Webhooks, yield* Organizations]
    yield* webhooks.create(OWNER, { organizationId, url: "https://busy.example.org/" })
    yield* Effect.forkScoped(deliverWebhooks)
    yield* organizations.edit(OWNER, organizationId, { description: "changed" })
    for (let hours = 0; hours < 24 * 4; hours++) yield* TestClock.adjust("1 hour")
    const waits = got.slice(1).map(({ at }, nth) => at - got[nth]!.at)
    assert.strictEqual(waits.length, RETRY_DELAYS_MS.length)
    for (const [nth, wait] of waits.entries()) {
      const least = nth === 0 ? retryAfter * 1000 : RETRY_DELAYS_MS[nth]!
      assert.isAtLeast(wait, least)
      assert.isAtMost(wait, least * (1 + RETRY_JITTER) + 2000)
    }
    const [webhook] = yield* webhooks.list(OWNER, organizationId)
    assert.strictEqual(webhook?.progress.state, "disabled")
  }).pipe(Effect.provide(layer))
})
