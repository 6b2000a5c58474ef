/** The loop of a server that leases webhooks and runs their deliveries. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { OrganizationId, WebhookId } from "../../domain/shared/Ids.ts"
import { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { Webhook } from "../../domain/webhooks/Webhook.ts"
import { PresenceFeed } from "../../ports/feed/PresenceFeed.ts"
import { WebhookStore } from "../../ports/webhooks/WebhookStore.ts"
import { makeAttemptLimiter } from "../shared/AttemptLimiter.ts"
import { makeDeliveryLimiter } from "./DeliveryLimiter.ts"
import { makeFeedPages } from "../feed/FeedPages.ts"
import { now } from "../shared/now.ts"
import { deliverTest, registerDeliveryMetrics } from "./WebhookAttempts.ts"
import { type DeliverySignals, deliverWebhook } from "./WebhookDelivery.ts"

/** How often leases are extended and free webhooks are looked for. */
const POLL_INTERVAL = Duration.seconds(2)

/** How long a lease lasts, in milliseconds: with {@link POLL_INTERVAL}, a killed server's webhooks are taken over within 10 seconds. */
const LEASE = 6_000

/** How long a draining server keeps its leases for the attempts in progress, in milliseconds: longer than an attempt takes. */
const DRAIN = 20_000

/** How many webhooks a server takes at once, so that servers that start together share them. */
const MAX_LEASED_WEBHOOKS = 500

const oldest = Metric.gauge("sojourn_webhook_oldest_undelivered_seconds", {
  description: "Age of the oldest event that waits for its delivery to a webhook of this server; 0 when none waits"
})

/** A webhook that this server delivers for. */
interface Delivering {
  readonly webhook: Webhook
  readonly wake: Latch.Latch
  processed: number
  waitingSince: Timestamp | undefined
  /** Whether it waits for events. */
  isIdle: boolean
}

const makeDelivering = (webhook: Webhook): Delivering => ({
  webhook,
  wake: Latch.makeUnsafe(),
  processed: webhook.progress.processed,
  // One that is tried again later has not looked for its events yet.
  waitingSince: webhook.progress.retryAt === undefined ? undefined : webhook.progress.lastFailure?.at,
  isIdle: false
})

const reportTo =
  (delivering: Delivering): DeliverySignals["report"] =>
  ({ waitingSince, processed }) =>
    Object.assign(delivering, { waitingSince, processed, isIdle: waitingSince === undefined })

/**
 * Delivers the webhooks that this server leases as long as it runs: each server runs it once. Webhooks wait for nothing but their own
 * receiver. At the end the attempts in progress are completed, and the leases are released.
 */
export const deliverWebhooks = Effect.gen(function* () {
  const store = yield* WebhookStore
  const feed = yield* PresenceFeed
  const holder = SecureRandom.uuidV4Unsafe()
  const all = new Map<WebhookId, Delivering>()
  const draining = yield* Latch.make()
  const fibers = yield* FiberMap.make<WebhookId>()
  const testing = yield* FiberSet.make()
  const readPage = yield* makeFeedPages
  const limits = { limitAttempt: makeAttemptLimiter(), limitDeliveries: yield* makeDeliveryLimiter }
  let leasedUntil = Timestamp(0)
  let generation = ""
  yield* registerDeliveryMetrics
  yield* Metric.update(oldest, 0)

  const start = (webhook: Webhook) => {
    const delivering = makeDelivering(webhook)
    all.set(webhook.webhookId, delivering)
    const signals: DeliverySignals = {
      ...limits,
      holder,
      generation: () => generation,
      readPage,
      wake: delivering.wake,
      draining,
      leasedUntil: () => leasedUntil,
      report: reportTo(delivering)
    }
    return FiberMap.run(fibers, webhook.webhookId, deliverWebhook(webhook, signals))
  }

  const test = (webhook: Webhook) =>
    Effect.catchDefect(deliverTest(webhook, limits), (defect) =>
      Effect.logError(`the test of webhook ${webhook.webhookId} ended with a defect`, defect)
    )

  /** Wakes the idle webhooks whose organizations have events without a notification to this server. */
  const pollEvents = Effect.gen(function* () {
    const idle = Array.from(all.values()).filter(({ isIdle }) => isIdle)
    const positions = idle.map(({ webhook, processed }) => ({
      organizationId: webhook.organizationId,
      version: processed
    }))
    const pages = positions.length === 0 ? [] : yield* feed.eventsAfter(positions, 1)
    for (const [index, page] of pages.entries()) {
      if (page._tag !== "Events" || page.events.length > 0) idle[index]?.wake.openUnsafe()
    }
  })

  const poll = Effect.gen(function* () {
    generation = yield* feed.generation
    const at = yield* now
    const until = Timestamp(at + LEASE)
    const { kept, taken, tests } = yield* store.lease({ holder, now: at, until, most: MAX_LEASED_WEBHOOKS })
    leasedUntil = until
    const held = new Set([...kept, ...taken.map(({ webhookId }) => webhookId)])
    for (const webhookId of all.keys()) {
      if (held.has(webhookId)) continue
      all.delete(webhookId)
      yield* FiberMap.remove(fibers, webhookId)
    }
    for (const webhook of taken) yield* start(webhook)
    for (const webhook of tests) yield* FiberSet.run(testing, test(webhook))
    yield* pollEvents
    const since = Math.min(at, ...Array.from(all.values(), ({ waitingSince }) => waitingSince ?? at))
    yield* Metric.update(oldest, (at - since) / 1000)
  }).pipe(
    Effect.catchTag("StoreError", (error) => Effect.logDebug("deliveries of webhooks wait for the storage", error))
  )

  const wakeAll = (organizations: ReadonlyArray<OrganizationId>) =>
    Effect.sync(() => {
      const changed = new Set(organizations)
      for (const { webhook, wake } of all.values()) if (changed.has(webhook.organizationId)) wake.openUnsafe()
    })
  const listen = Stream.runForEach(feed.notifications, wakeAll).pipe(
    Effect.ignore,
    Effect.repeat(Schedule.spaced("1 second"))
  )

  const drain = Effect.gen(function* () {
    if (all.size === 0 && (yield* FiberSet.size(testing)) === 0) return
    const at = yield* now
    leasedUntil = Timestamp(at + DRAIN)
    yield* store.lease({ holder, now: at, until: leasedUntil, most: 0 })
    yield* draining.open
    const ended = Effect.all([FiberMap.awaitEmpty(fibers), FiberSet.awaitEmpty(testing)])
    yield* Effect.timeoutOption(ended, Duration.millis(DRAIN))
    yield* store.release(holder)
  }).pipe(Effect.ignore)

  yield* Effect.addFinalizer(() => drain)
  yield* Effect.forkScoped(listen)
  return yield* Effect.repeat(poll, Schedule.spaced(POLL_INTERVAL))
}).pipe(Effect.scoped)
