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
import { makeFeedPages, type ReadPage } from "../feed/FeedPages.ts"
import { makeAttemptLimiter } from "./AttemptLimiter.ts"
import { insteadOfDefect } from "../shared/backgroundFailures.ts"
import { now } from "../shared/now.ts"
import { makeDeliveryLimiter } from "./DeliveryLimiter.ts"
import { type DeliveryLimits, deliverTest, registerDeliveryMetrics } from "./DeliverySender.ts"
import { deliverWebhook } from "./WebhookDelivery.ts"

/** How often leases are extended and free webhooks are looked for. */
const POLL_INTERVAL = Duration.seconds(2)

/** How long a lease lasts, in milliseconds: with {@link POLL_INTERVAL}, a killed server's webhooks are taken over within 10 seconds. */
const LEASE_MS = 6_000

/** How long a draining server keeps its leases for the attempts in progress, in milliseconds: longer than an attempt takes. */
const DRAIN_MS = 20_000

/** How many webhooks a server takes at once, so that servers that start together share them. */
const MAX_LEASED_WEBHOOKS = 500

const oldest = Metric.gauge("sojourn_webhook_oldest_undelivered_seconds", {
  description: "Age of the oldest event that waits for its delivery to a webhook of this server; 0 when none waits"
})

/** A webhook that this server delivers for. */
interface LeasedWebhook {
  readonly webhook: Webhook
  readonly wake: Latch.Latch
  processed: number
  waitingSince: Timestamp | undefined
  /** Whether it waits for events. */
  isIdle: boolean
}

/** The webhooks that this server leases, and what their deliveries share. */
interface Leases {
  readonly holder: string
  readonly webhooks: Map<WebhookId, LeasedWebhook>
  readonly fibers: FiberMap.FiberMap<WebhookId>
  readonly tests: FiberSet.FiberSet
  readonly readPage: ReadPage
  readonly limits: DeliveryLimits
  /** Opened when the server drains. */
  readonly draining: Latch.Latch
  leasedUntil: Timestamp
  /** The generation of the feeds. */
  generation: string
}

const makeLeases = Effect.gen(function* () {
  return {
    holder: SecureRandom.uuidV4Unsafe(),
    webhooks: new Map<WebhookId, LeasedWebhook>(),
    fibers: yield* FiberMap.make<WebhookId>(),
    tests: yield* FiberSet.make(),
    readPage: yield* makeFeedPages,
    limits: { limitAttempt: makeAttemptLimiter(), limitDeliveries: yield* makeDeliveryLimiter },
    draining: yield* Latch.make(),
    leasedUntil: Timestamp(0),
    generation: ""
  } satisfies Leases as Leases
})

const startDelivery = (leases: Leases, webhook: Webhook) => {
  const { holder, webhooks, fibers, readPage, limits, draining } = leases
  const leased: LeasedWebhook = {
    webhook,
    wake: Latch.makeUnsafe(),
    processed: webhook.progress.processed,
    // One that is tried again later has not looked for its events yet.
    waitingSince: webhook.progress.retryAt === undefined ? undefined : webhook.progress.lastFailure?.at,
    isIdle: false
  }
  webhooks.set(webhook.webhookId, leased)
  const delivering = deliverWebhook(webhook, {
    ...limits,
    holder,
    generation: () => leases.generation,
    readPage,
    wake: leased.wake,
    draining,
    leasedUntil: () => leases.leasedUntil,
    report: ({ waitingSince, processed }) => {
      Object.assign(leased, { waitingSince, processed, isIdle: waitingSince === undefined })
    }
  })
  return FiberMap.run(fibers, webhook.webhookId, delivering)
}

const startTest = ({ tests, limits }: Leases, webhook: Webhook) =>
  FiberSet.run(
    tests,
    Effect.catchDefect(deliverTest(webhook, limits), (defect) =>
      Effect.logError(`the test of webhook ${webhook.webhookId} ended with a defect`, defect)
    )
  )

/** Wakes the idle webhooks whose organizations have events without a notification to this server. */
const pollEvents = Effect.fnUntraced(function* ({ webhooks }: Leases) {
  const idle = Array.from(webhooks.values()).filter(({ isIdle }) => isIdle)
  const positions = idle.map(({ webhook, processed }) => ({
    organizationId: webhook.organizationId,
    version: processed
  }))
  const pages = positions.length === 0 ? [] : yield* PresenceFeed.use((feed) => feed.eventsAfter(positions, 1))
  for (const [index, page] of pages.entries()) {
    if (page._tag !== "Events" || page.events.length > 0) idle[index]?.wake.openUnsafe()
  }
})

/** Extends the leases, and starts and ends deliveries by them. */
const poll = (leases: Leases) =>
  Effect.gen(function* () {
    const { holder, webhooks, fibers } = leases
    leases.generation = yield* PresenceFeed.use((feed) => feed.generation)
    const at = yield* now
    const until = Timestamp(at + LEASE_MS)
    const { kept, taken, tests } = yield* WebhookStore.use((store) =>
      store.lease({ holder, now: at, until, most: MAX_LEASED_WEBHOOKS })
    )
    leases.leasedUntil = until
    const held = new Set([...kept, ...taken.map(({ webhookId }) => webhookId)])
    for (const webhookId of webhooks.keys()) {
      if (held.has(webhookId)) continue
      webhooks.delete(webhookId)
      yield* FiberMap.remove(fibers, webhookId)
    }
    for (const webhook of taken) yield* startDelivery(leases, webhook)
    for (const webhook of tests) yield* startTest(leases, webhook)
    yield* pollEvents(leases)
    const since = Math.min(at, ...Array.from(webhooks.values(), ({ waitingSince }) => waitingSince ?? at))
    yield* Metric.update(oldest, (at - since) / 1000)
  }).pipe(
    Effect.catchTag("StoreError", (error) => Effect.logDebug("deliveries of webhooks wait for the storage", error)),
    insteadOfDefect("the leasing of webhooks", undefined)
  )

/** Wakes the webhooks of organizations that the feed notifies of. */
const listen = ({ webhooks }: Leases) =>
  PresenceFeed.use(({ notifications }) =>
    Stream.runForEach(notifications, (organizations: ReadonlyArray<OrganizationId>) =>
      Effect.sync(() => {
        const changed = new Set(organizations)
        for (const { webhook, wake } of webhooks.values()) if (changed.has(webhook.organizationId)) wake.openUnsafe()
      })
    )
  ).pipe(Effect.ignore, Effect.repeat(Schedule.spaced("1 second")))

/** Completes the attempts in progress, and releases the leases. */
const drain = (leases: Leases) =>
  Effect.gen(function* () {
    const { holder, webhooks, fibers, tests, draining } = leases
    const store = yield* WebhookStore
    if (webhooks.size === 0 && (yield* FiberSet.size(tests)) === 0) return
    const at = yield* now
    leases.leasedUntil = Timestamp(at + DRAIN_MS)
    yield* store.lease({ holder, now: at, until: leases.leasedUntil, most: 0 })
    yield* draining.open
    const ended = Effect.all([FiberMap.awaitEmpty(fibers), FiberSet.awaitEmpty(tests)])
    yield* Effect.timeoutOption(ended, Duration.millis(DRAIN_MS))
    yield* store.release(holder)
  }).pipe(Effect.ignore)

/**
 * Delivers the webhooks that this server leases as long as it runs: each server runs it once. Webhooks wait for nothing but their own
 * receiver. At the end the attempts in progress are completed, and the leases are released.
 */
export const deliverWebhooks = Effect.gen(function* () {
  const leases = yield* makeLeases
  yield* registerDeliveryMetrics
  yield* Metric.update(oldest, 0)
  yield* Effect.addFinalizer(() => drain(leases))
  yield* Effect.forkScoped(listen(leases))
  return yield* Effect.repeat(poll(leases), Schedule.spaced(POLL_INTERVAL))
}).pipe(Effect.scoped)
