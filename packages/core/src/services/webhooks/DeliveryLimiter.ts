/** Spaces the deliveries of each webhook, and those of an organization to one receiver, whatever number of webhooks it has there. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Webhook } from "../../domain/webhooks/Webhook.ts"
import type { WebhookUrl } from "../../domain/webhooks/WebhookUrl.ts"

/** The time between two deliveries of a webhook: less than 17 a second, so that with its tests it gets at most 20. */
const WEBHOOK_INTERVAL = Duration.millis(60)

/** The time between two deliveries of an organization to a receiver: 50 a second. */
const RECEIVER_INTERVAL = Duration.millis(20)

/** Makes a function that waits until `interval` has passed since the last wait for the same key ended. Waits end in their order. */
const makeSpacing = (interval: Duration.Duration) => {
  const keys = new Map<string, { readonly permits: Semaphore.Semaphore; users: number }>()
  return (key: string): Effect.Effect<void> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const entry = keys.get(key) ?? { permits: Semaphore.makeUnsafe(1), users: 0 }
        keys.set(key, entry)
        entry.users++
        const leave = Effect.sync(() => void (--entry.users === 0 && keys.delete(key)))
        yield* Effect.onInterrupt(restore(entry.permits.take(1)), () => leave)
        const free = Effect.andThen(entry.permits.release(1), leave)
        yield* Effect.forkDetach(Effect.andThen(Effect.sleep(interval), free))
      })
    )
}

/** Waits until the next delivery of a webhook may begin. */
export type LimitDeliveries = (
  webhook: Pick<Webhook, "webhookId" | "organizationId">,
  receiver: Pick<WebhookUrl, "host" | "port">
) => Effect.Effect<void>

/** Makes the limits on the rate of a server's deliveries. */
export const makeDeliveryLimiter = (): LimitDeliveries => {
  const ofWebhook = makeSpacing(WEBHOOK_INTERVAL)
  const toReceiver = makeSpacing(RECEIVER_INTERVAL)
  return ({ webhookId, organizationId }, { host, port }) =>
    Effect.andThen(ofWebhook(String(webhookId)), toReceiver(`${organizationId} ${host}:${port}`))
}
