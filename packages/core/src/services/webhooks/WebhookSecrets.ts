import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { WebhookSecretScheme } from "../../domain/webhooks/WebhookSecret.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"

/**
 * Derives the secrets of a storage's webhooks, with keys that live outside of it: `layerSecretKeys` provides it. It fails until the storage was
 * there once.
 */
export class WebhookSecrets extends Context.Service<WebhookSecrets, Effect.Effect<WebhookSecretScheme, StoreError>>()(
  "@sojourn/core/WebhookSecrets"
) {}
