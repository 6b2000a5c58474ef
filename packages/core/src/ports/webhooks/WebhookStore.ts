/** The port for webhooks and how far each has delivered. Leases keep two servers from delivering for one webhook. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { WebhookAction } from "../../domain/audit/acts.ts"
import type { AdministratorId, OrganizationId, WebhookId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type {
  FeedRange,
  KEPT_ATTEMPTS,
  Webhook,
  WebhookAttempt,
  WebhookNotFound,
  WebhookProgress,
  WebhookTestWaiting
} from "../../domain/webhooks/Webhook.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** The webhooks that a server delivers for. */
export interface WebhookLeases {
  /** Webhooks that it held before. */
  readonly kept: ReadonlyArray<WebhookId>
  /** Webhooks that it holds from now on, as they are stored. */
  readonly taken: ReadonlyArray<Webhook>
  /** Webhooks to which it sends a test, whichever server holds them, as they are stored. */
  readonly tests: ReadonlyArray<Webhook>
}

/** What an administrator does with one webhook. */
interface OfWebhook {
  readonly webhookId: WebhookId
  readonly administratorId: AdministratorId
}

type Refusal = WebhookNotFound | PermissionTooLow | StoreError

/**
 * The webhooks of organizations, how far their deliveries are, and which server makes them (spec: webhooks#delivered-events).
 *
 * They end with their organization. Operations of administrators are for owners. A webhook whose `createdBy` stops being an
 * owner of its organization gets the progress of the rule `afterOwnerLost` and the next revision, and its lease ends, in the
 * step that changes, withdraws or erases the permission. Law: `webhooks/WebhookStore.ts` "the webhooks of an owner ... are
 * disabled in that step, and no others".
 */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /**
     * Decides on the number of webhooks, and writes a webhook, as one step.
     * The webhook gets the events that are added to the feed after that step.
     * Racing creations count each other.
     * Laws: `webhooks/WebhookStore.ts` "creations at one moment count each other", "a webhook is stored as it was asked for,
     * after the last event, and listed in the order of creation".
     */
    readonly create: <E>(creation: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
      readonly webhook: Pick<Webhook, "url" | "types"> & { readonly keyId: number }
      readonly now: Timestamp
      readonly decide: (webhooks: number) => Result.Result<unknown, E>
    }) => Effect.Effect<Webhook, E | OrganizationNotFound | PermissionTooLow | StoreError>
    /**
     * Lists the webhooks of an organization in the order of creation.
     * Law: `webhooks/WebhookStore.ts` "all that administrators do needs an owner of the webhook's organization, and a refusal
     * changes nothing".
     */
    readonly list: (reading: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
    }) => Effect.Effect<ReadonlyArray<Webhook>, OrganizationNotFound | PermissionTooLow | StoreError>
    /**
     * Lists the last {@link KEPT_ATTEMPTS} attempts of a webhook, the newest first.
     * Law: `webhooks/WebhookStore.ts` "the last attempts are kept, the newest first, those of tests among them".
     */
    readonly attempts: (reading: OfWebhook) => Effect.Effect<ReadonlyArray<WebhookAttempt>, Refusal>
    /**
     * Removes a webhook with its attempts.
     * Law: `webhooks/WebhookStore.ts` "a webhook that was removed, or whose organization was deleted, is unknown".
     */
    readonly remove: (removal: OfWebhook) => Effect.Effect<void, Refusal>
    /**
     * Writes the webhook that `decide` answers: its `createdBy`, secrets and progress.
     * Where it is another object than the one that was read, it gets the next revision, and its lease ends.
     * Laws: `webhooks/WebhookStore.ts` "a change writes the owner, the secrets and the progress, and knows what the feed
     * holds", "a disabled webhook is not leased until an owner changes that, and a change ends the lease".
     */
    readonly change: <E>(
      change: OfWebhook & {
        /** What the audit says of it. */
        readonly action: WebhookAction
        /** `range` is what the organization's feed holds. */
        readonly decide: (webhook: Webhook, range: FeedRange) => Result.Result<Webhook, E>
      }
    ) => Effect.Effect<Webhook, E | Refusal>
    /**
     * Has `lease` give out one test of the webhook, whatever its state. Applies the rule `requireTestable`.
     * Law: `webhooks/WebhookStore.ts` "a test is given out once, whatever the state and the lease of the webhook".
     */
    readonly test: (test: OfWebhook) => Effect.Effect<void, WebhookTestWaiting | Refusal>
    /**
     * Extends a server's leases until `until`, and gives it at most `most` webhooks that no server holds.
     * Those are webhooks without a lease, and those whose lease ended by `now`; disabled ones are not leased. It gives out as
     * many tests at most, each once. Every server has a `holder` of its own.
     * Of concurrent calls one gets each webhook.
     * Laws: `webhooks/WebhookStore.ts` "a webhook is leased to one server of several, until its lease ends or is released",
     * "a server takes at most as many as it asks for".
     */
    readonly lease: (request: {
      readonly holder: string
      readonly now: Timestamp
      readonly until: Timestamp
      readonly most: number
    }) => Effect.Effect<WebhookLeases, StoreError>
    /**
     * Ends the leases of a server.
     * Law: `webhooks/WebhookStore.ts` "a webhook is leased to one server of several, until its lease ends or is released".
     */
    readonly release: (holder: string) => Effect.Effect<void, StoreError>
    /**
     * Writes a webhook's progress and the attempt, and answers whether the server holds the lease and the revision is
     * current.
     * Nothing else writes the progress while the lease lasts, so a server may keep what it wrote. It is false once a
     * `remove`, or what disabled the webhook, was answered. So a server that sends only what it read before a `record` that
     * was true sends no event that was recorded after that answer.
     * Laws: `webhooks/WebhookStore.ts` "progress is written by the server that holds the lease alone, and is what the next
     * one gets", "progresses that are written at one moment are each of their own webhook, and of its server".
     */
    readonly record: (written: {
      readonly webhookId: WebhookId
      readonly revision: number
      readonly holder: string
      readonly progress: WebhookProgress
      readonly attempt?: WebhookAttempt | undefined
    }) => Effect.Effect<boolean, StoreError>
    /**
     * Keeps the attempt of a test, if the webhook exists.
     * Law: `webhooks/WebhookStore.ts` "the last attempts are kept, the newest first, those of tests among them".
     */
    readonly recordTest: (written: {
      readonly webhookId: WebhookId
      readonly attempt: WebhookAttempt
    }) => Effect.Effect<void, StoreError>
  }
>()("@sojourn/core/WebhookStore") {}
