/** The port for webhooks and how far each has delivered. Leases keep two servers from delivering for one webhook. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { AdministratorId, OrganizationId, WebhookId } from "../domain/Ids.ts"
import type { OrganizationNotFound } from "../domain/Organization.ts"
import type { PermissionLevel } from "../domain/PermissionLevel.ts"
import type { Timestamp } from "../domain/Timestamp.ts"
import type { Webhook, WebhookNotFound, WebhookProgress } from "../domain/Webhook.ts"
import type { StoreError } from "./StoreError.ts"

/** The webhooks that a server delivers for. */
export interface WebhookLeases {
  /** Webhooks that it held before. */
  readonly kept: ReadonlyArray<WebhookId>
  /** Webhooks that it holds from now on, as they are stored. */
  readonly taken: ReadonlyArray<Webhook>
}

/** A change of one webhook by an administrator; `decide` gets their level in its organization. */
interface OfWebhook<E> {
  readonly webhookId: WebhookId
  readonly administratorId: AdministratorId
  readonly decide: (level: Option.Option<PermissionLevel>) => Result.Result<unknown, E>
}

/**
 * The webhooks of organizations, how far their deliveries are, and which server makes them. They end with their organization.
 *
 * - `create` decides on the administrator's level and the number of the organization's webhooks, and writes, as one step; of creations
 *   at the same moment each counts the others. A webhook gets the events that are added to the feed after that step.
 * - `list` answers the webhooks of an organization in the order of creation. `remove` ends a webhook. `enable` applies the rule
 *   `enabled`, and ends the webhook's lease where the rule changed anything. All of them decide in the step that reads or writes.
 * - `lease` extends the leases of a server until `until`, and gives it the webhooks that no server holds, at most `most`: those without
 *   a lease, and those whose lease ended by `now`. Disabled webhooks are not leased. Of calls at the same moment each webhook is
 *   given to one. Every server has a `holder` of its own.
 * - `release` ends the leases of a server.
 * - `record` writes the progress of a webhook if the server holds its lease, and answers whether it did. Nothing else writes it while
 *   the lease lasts, so a server may keep what it wrote.
 */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    readonly create: <E>(creation: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
      readonly webhook: Pick<Webhook, "url" | "types" | "keyId">
      readonly now: Timestamp
      readonly decide: (facts: {
        readonly level: Option.Option<PermissionLevel>
        readonly webhooks: number
      }) => Result.Result<unknown, E>
    }) => Effect.Effect<Webhook, E | OrganizationNotFound | StoreError>
    readonly list: <E>(reading: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
      readonly decide: (level: Option.Option<PermissionLevel>) => Result.Result<unknown, E>
    }) => Effect.Effect<ReadonlyArray<Webhook>, E | OrganizationNotFound | StoreError>
    readonly remove: <E>(removal: OfWebhook<E>) => Effect.Effect<void, E | WebhookNotFound | StoreError>
    readonly enable: <E>(change: OfWebhook<E>) => Effect.Effect<Webhook, E | WebhookNotFound | StoreError>
    readonly lease: (asked: {
      readonly holder: string
      readonly now: Timestamp
      readonly until: Timestamp
      readonly most: number
    }) => Effect.Effect<WebhookLeases, StoreError>
    readonly release: (holder: string) => Effect.Effect<void, StoreError>
    readonly record: (written: {
      readonly webhookId: WebhookId
      readonly holder: string
      readonly progress: WebhookProgress
    }) => Effect.Effect<boolean, StoreError>
  }
>()("@sojourn/core/WebhookStore") {}
