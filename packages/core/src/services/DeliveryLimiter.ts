/** Spaces the deliveries of one organization to one receiver, whatever number of webhooks it has there. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { OrganizationId } from "../domain/Ids.ts"
import type { WebhookUrl } from "../domain/WebhookUrl.ts"

/** The time between two deliveries: less than 17 a second, so that with its tests a webhook gets at most 20. */
export const DELIVERY_INTERVAL = Duration.millis(60)

/** Waits until the next delivery may begin. */
export type LimitDeliveries = (
  organizationId: OrganizationId,
  receiver: Pick<WebhookUrl, "host" | "port">
) => Effect.Effect<void>

/** Makes a limit on the rate of deliveries of each organization to each receiver. They begin in the order in which they were asked for. */
export const makeDeliveryLimiter = (): LimitDeliveries => {
  const limits = new Map<string, { readonly permits: Semaphore.Semaphore; users: number }>()
  return (organizationId, { host, port }) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const key = `${organizationId} ${host}:${port}`
        const limit = limits.get(key) ?? { permits: Semaphore.makeUnsafe(1), users: 0 }
        limits.set(key, limit)
        limit.users++
        const leave = Effect.sync(() => void (--limit.users === 0 && limits.delete(key)))
        yield* Effect.onInterrupt(restore(limit.permits.take(1)), () => leave)
        const free = Effect.andThen(limit.permits.release(1), leave)
        yield* Effect.forkDetach(Effect.andThen(Effect.sleep(DELIVERY_INTERVAL), free))
      })
    )
}
