/** The use cases of webhooks: owners create, list, enable and remove them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { Administrator } from "../domain/Caller.ts"
import type { OrganizationId, WebhookId } from "../domain/Ids.ts"
import type { OrganizationNotFound } from "../domain/Organization.ts"
import { type PermissionTooLow, requireLevel } from "../domain/Permission.ts"
import type { PermissionLevel } from "../domain/PermissionLevel.ts"
import {
  DEFAULT_WEBHOOK_TYPES,
  requireNewWebhook,
  type TooManyWebhooks,
  type Webhook,
  type WebhookEventType,
  type WebhookNotFound
} from "../domain/Webhook.ts"
import type { WebhookUrlRefused } from "../domain/WebhookUrl.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { WebhookStore } from "../ports/WebhookStore.ts"
import { ExitTokens } from "./ExitTokens.ts"
import { now } from "./now.ts"
import { WebhookReceivers } from "./WebhookReceivers.ts"

/** A webhook as an owner asks for it. */
export interface WebhookDraft {
  readonly organizationId: OrganizationId
  readonly url: string
  /** Left out: all types but `presence.changed`. */
  readonly types?: ReadonlyArray<WebhookEventType> | undefined
}

/** A webhook that was created, and its secret, which is answered this once. */
export interface CreatedWebhook {
  readonly webhook: Webhook
  readonly secret: Redacted.Redacted<Uint8Array>
}

const requireOwner = (level: Option.Option<PermissionLevel>) => requireLevel(level, "owner")

/** Delivers the events of organizations to URLs of their owners. For owners. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    readonly create: (
      owner: Administrator,
      draft: WebhookDraft
    ) => Effect.Effect<
      CreatedWebhook,
      OrganizationNotFound | PermissionTooLow | WebhookUrlRefused | TooManyWebhooks | StoreError
    >
    readonly list: (
      owner: Administrator,
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<Webhook>, OrganizationNotFound | PermissionTooLow | StoreError>
    readonly remove: (
      owner: Administrator,
      webhookId: WebhookId
    ) => Effect.Effect<void, WebhookNotFound | PermissionTooLow | StoreError>
    /** Goes on with the deliveries of a webhook that is disabled or failing. */
    readonly enable: (
      owner: Administrator,
      webhookId: WebhookId
    ) => Effect.Effect<Webhook, WebhookNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/Webhooks") {
  static readonly layer: Layer.Layer<Webhooks, never, WebhookStore | ExitTokens> = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const { signingKeyId, webhookSecret } = yield* ExitTokens
      const policy = yield* WebhookReceivers

      return Webhooks.of({
        create: Effect.fnUntraced(function* ({ administratorId }, { organizationId, url, types }) {
          const webhook = yield* store.create({
            organizationId,
            administratorId,
            webhook: { url, types: [...new Set(types ?? DEFAULT_WEBHOOK_TYPES)], keyId: signingKeyId },
            now: yield* now,
            decide: (facts) => requireNewWebhook(url, policy, facts)
          })
          // The signing key is one of the keys.
          return { webhook, secret: Option.getOrThrow(webhookSecret(webhook)) }
        }),
        list: ({ administratorId }, organizationId) =>
          store.list({ organizationId, administratorId, decide: requireOwner }),
        remove: ({ administratorId }, webhookId) => store.remove({ webhookId, administratorId, decide: requireOwner }),
        enable: ({ administratorId }, webhookId) => store.enable({ webhookId, administratorId, decide: requireOwner })
      })
    })
  )
}
