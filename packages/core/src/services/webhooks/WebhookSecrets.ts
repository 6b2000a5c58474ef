import * as Context from "effect/Context"
import type { WebhookSecretScheme } from "../../domain/webhooks/WebhookSecret.ts"

/** Derives the secrets of webhooks, with keys that live outside every store: `layerSecretKeys` provides it. */
export class WebhookSecrets extends Context.Service<WebhookSecrets, WebhookSecretScheme>()(
  "@sojourn/core/WebhookSecrets"
) {}
