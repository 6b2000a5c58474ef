import { deliverWebhooks, onEachCell } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerHttpsSender, type SenderOptions } from "./HttpsSender.ts"

/** Delivers webhooks while the scope is open. Servers on the same storage share the work. */
export const layerWebhooks = (options?: SenderOptions) =>
  onEachCell(Layer.effectDiscard(Effect.forkScoped(deliverWebhooks))).pipe(Layer.provide(layerHttpsSender(options)))
