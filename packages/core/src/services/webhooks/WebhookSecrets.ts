import * as Context from "effect/Context"
import type { WebhookSecretScheme } from "../../domain/webhooks/WebhookSecret.ts"

/**
 * Derives the secrets of webhooks, with keys that live outside every store: `layerSecretKeys` provides it.
 *
 * @since 0.1.0
 * @category services
 */
export class WebhookSecrets extends Context.Service<WebhookSecrets, WebhookSecretScheme>()(
  "@sojourn/core/WebhookSecrets"
) {}
