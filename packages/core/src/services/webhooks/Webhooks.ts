/** The use cases of webhooks: owners create, list, change, test and remove them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Administrator } from "../../domain/accounts/Caller.ts"
import type { OrganizationId, WebhookId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { FeedVersion } from "../../domain/feed/PresenceEvent.ts"
import {
  DEFAULT_WEBHOOK_TYPES,
  enabled,
  replayed,
  type ReplayOutOfRange,
  requireNewWebhook,
  type TooManyWebhooks,
  type Webhook,
  type WebhookAttempt,
  type WebhookEventType,
  type WebhookNotFound,
  type WebhookTestWaiting,
  withNewSecret
} from "../../domain/webhooks/Webhook.ts"
import type { WebhookSecretScheme } from "../../domain/webhooks/WebhookSecret.ts"
import type { WebhookUrlRefused } from "../../domain/webhooks/WebhookUrl.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { WebhookStore } from "../../ports/webhooks/WebhookStore.ts"
import { now } from "../shared/now.ts"
import { WebhookReceivers } from "./WebhookReceivers.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"
import { byCaller } from "../audit/byCaller.ts"

/** A webhook as an owner asks for it. */
export interface WebhookDraft {
  readonly organizationId: OrganizationId
  readonly url: string
  /** Left out: all types but `presence.changed`. */
  readonly types?: ReadonlyArray<WebhookEventType> | undefined
}

/** A webhook with a secret that is new, which is answered this once. */
export interface WebhookWithSecret {
  readonly webhook: Webhook
  readonly secret: Redacted.Redacted<Uint8Array>
}

/** Delivers the events of organizations to URLs of their owners. For owners. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    readonly create: (
      owner: Administrator,
      draft: WebhookDraft
    ) => Effect.Effect<
      WebhookWithSecret,
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
    /** Gives the webhook a new secret. Deliveries are signed with the one before, too, for `EARLIER_SECRET_MS`. */
    readonly renewSecret: (
      owner: Administrator,
      webhookId: WebhookId
    ) => Effect.Effect<WebhookWithSecret, WebhookNotFound | PermissionTooLow | StoreError>
    /** Delivers the events from a version on again. */
    readonly replay: (
      owner: Administrator,
      webhookId: WebhookId,
      fromVersion: FeedVersion
    ) => Effect.Effect<Webhook, WebhookNotFound | PermissionTooLow | ReplayOutOfRange | StoreError>
    /** Has a server send a test, which is no event, once and whatever the state of the webhook. */
    readonly test: (
      owner: Administrator,
      webhookId: WebhookId
    ) => Effect.Effect<void, WebhookNotFound | PermissionTooLow | WebhookTestWaiting | StoreError>
    /** The last attempts, the newest first. */
    readonly attempts: (
      owner: Administrator,
      webhookId: WebhookId
    ) => Effect.Effect<ReadonlyArray<WebhookAttempt>, WebhookNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/Webhooks") {
  static readonly layer: Layer.Layer<Webhooks, never, WebhookStore | WebhookSecrets> = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const webhookSecrets = yield* WebhookSecrets
      const policy = yield* WebhookReceivers
      // The key of a new secret is one of the keys.
      const withSecret = (secrets: WebhookSecretScheme, webhook: Webhook) => ({
        webhook,
        secret: Option.getOrThrow(secrets.derive(webhook, webhook.secret))
      })

      return Webhooks.of(
        byCaller({
          create: Effect.fnUntraced(function* ({ administratorId }, { organizationId, url, types }) {
            const secrets = yield* webhookSecrets
            const webhook = yield* store.create({
              organizationId,
              administratorId,
              webhook: { url, types: [...new Set(types ?? DEFAULT_WEBHOOK_TYPES)], keyId: secrets.keyId },
              now: yield* now,
              decide: (webhooks) => requireNewWebhook(url, policy, webhooks)
            })
            return withSecret(secrets, webhook)
          }),
          list: ({ administratorId }, organizationId) => store.list({ organizationId, administratorId }),
          remove: ({ administratorId }, webhookId) => store.remove({ webhookId, administratorId }),
          enable: ({ administratorId }, webhookId) =>
            store.change({
              webhookId,
              administratorId,
              action: "webhook.enable",
              decide: (webhook) => Result.succeed(enabled(webhook, administratorId))
            }),
          renewSecret: Effect.fnUntraced(function* ({ administratorId }, webhookId) {
            const at = yield* now
            const secrets = yield* webhookSecrets
            const webhook = yield* store.change({
              webhookId,
              administratorId,
              action: "webhook.secret",
              decide: (webhook) => Result.succeed(withNewSecret(webhook, secrets.keyId, at))
            })
            return withSecret(secrets, webhook)
          }),
          replay: ({ administratorId }, webhookId, fromVersion) =>
            store.change({
              webhookId,
              administratorId,
              action: "webhook.replay",
              decide: (webhook, range) => replayed(webhook, fromVersion, range)
            }),
          test: ({ administratorId }, webhookId) => store.test({ webhookId, administratorId }),
          attempts: ({ administratorId }, webhookId) => store.attempts({ webhookId, administratorId })
        })
      )
    })
  )
}
