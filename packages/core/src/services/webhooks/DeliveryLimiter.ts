/** Spaces the deliveries of each webhook, and those of an organization to one receiver, whatever number of webhooks it has there. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RcMap from "effect/RcMap"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Webhook } from "../../domain/webhooks/Webhook.ts"
import type { WebhookUrl } from "../../domain/webhooks/WebhookUrl.ts"

/** The time between two deliveries of a webhook: less than 17 a second, so that with its tests it gets at most 20. */
const WEBHOOK_INTERVAL = Duration.millis(60)

/** The time between two deliveries of an organization to a receiver: 50 a second. */
const RECEIVER_INTERVAL = Duration.millis(20)

/** Makes a function that waits until `interval` has passed since the last wait for the same key ended. Waits end in their order. */
const makeSpacing = Effect.fnUntraced(function* (interval: Duration.Duration) {
  // A permit returns after the interval, and a key is forgotten when it has been unused for as long.
  const keys = yield* RcMap.make({ lookup: (_key: string) => Semaphore.make(1), idleTimeToLive: interval })
  const wait = (permits: Semaphore.Semaphore) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.andThen(
        restore(permits.take(1)),
        Effect.forkDetach(Effect.andThen(Effect.sleep(interval), permits.release(1)))
      )
    )
  return (key: string): Effect.Effect<void> => Effect.asVoid(Effect.scoped(Effect.flatMap(RcMap.get(keys, key), wait)))
})

/** Waits until the next delivery of a webhook may begin. */
export type LimitDeliveries = (
  webhook: Pick<Webhook, "webhookId" | "organizationId">,
  receiver: Pick<WebhookUrl, "host" | "port">
) => Effect.Effect<void>

/** Makes the limits on the rate of a server's deliveries. */
export const makeDeliveryLimiter: Effect.Effect<LimitDeliveries, never, Scope.Scope> = Effect.gen(function* () {
  const ofWebhook = yield* makeSpacing(WEBHOOK_INTERVAL)
  const toReceiver = yield* makeSpacing(RECEIVER_INTERVAL)
  return ({ webhookId, organizationId }, { host, port }) =>
    Effect.andThen(ofWebhook(String(webhookId)), toReceiver(`${organizationId} ${host}:${port}`))
})
