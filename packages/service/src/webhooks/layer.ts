import { deliverWebhooks, onEachCell } from "@sojourn/core"
import { Effect, Layer } from "effect"
import { layerHttpsSender, type SenderOptions } from "./HttpsSender.ts"

/** Delivers webhooks while the scope is open. Servers on the same storage share the work. */
export const layerWebhooks = (options?: SenderOptions) =>
  onEachCell(Layer.effectDiscard(Effect.forkScoped(deliverWebhooks))).pipe(Layer.provide(layerHttpsSender(options)))
