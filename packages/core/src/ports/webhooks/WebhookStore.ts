/** The port for webhooks and how far each has delivered. Leases keep two servers from delivering for one webhook. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { AdministratorId, OrganizationId, WebhookId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type {
  FeedRange,
  KEPT_ATTEMPTS,
  Webhook,
  WebhookAttempt,
  WebhookNotFound,
  WebhookProgress
} from "../../domain/webhooks/Webhook.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** The webhooks that a server delivers for. */
export interface WebhookLeases {
  /** Webhooks that it held before. */
  readonly kept: ReadonlyArray<WebhookId>
  /** Webhooks that it holds from now on, as they are stored. */
  readonly taken: ReadonlyArray<Webhook>
  /** Webhooks to which it sends a test, whoever holds them, as they are stored. */
  readonly tests: ReadonlyArray<Webhook>
}

/** What an administrator does with one webhook; `decide` gets their level in its organization. */
interface OfWebhook<Facts, A, E> {
  readonly webhookId: WebhookId
  readonly administratorId: AdministratorId
  readonly decide: (facts: Facts & { readonly level: Option.Option<PermissionLevel> }) => Result.Result<A, E>
}

/**
 * The webhooks of organizations, how far their deliveries are, and which server makes them. They end with their organization.
 *
 * - `create` decides on the administrator's level and the number of the organization's webhooks, and writes, as one step; of creations
 *   at the same moment each counts the others. A webhook gets the events that are added to the feed after that step.
 * - `list` answers the webhooks of an organization in the order of creation, `attempts` the last {@link KEPT_ATTEMPTS} of a webhook, the
 *   newest first. `remove` ends a webhook with its attempts. `change` writes the webhook that the decision answers: its `createdBy`,
 *   secrets and progress. Where it is another object than the one that was read, its revision is the next, and its lease ends. `test` has
 *   `lease` give out one test of the webhook, whatever its state. All of them decide in the step that reads or writes.
 * - A webhook whose `createdBy` stops being an owner of its organization gets the progress of the rule `afterOwnerLost` and the next
 *   revision, and its lease ends, in the step that changes, withdraws or erases the permission.
 * - `lease` extends the leases of a server until `until`, and gives it the webhooks that no server holds, at most `most`: those without
 *   a lease, and those whose lease ended by `now`. Disabled webhooks are not leased. Of calls at the same moment each webhook is
 *   given to one. It gives out as many tests at most, each once. Every server has a `holder` of its own.
 * - `release` ends the leases of a server.
 * - `record` writes the progress of a webhook if the server holds its lease and the revision is still the one that it was given, and
 *   answers whether it did. Nothing else writes it while the lease lasts, so a server may keep what it wrote. It is false once a `remove`,
 *   or what disabled the webhook, was answered: a server that sends nothing but what it read before a `record` that was true sends no
 *   event that was recorded after that answer. The attempt that it is given is kept with the progress.
 * - `recordTest` keeps the attempt of a test, if the webhook is there.
 */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    readonly create: <E>(creation: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
      readonly webhook: Pick<Webhook, "url" | "types"> & { readonly keyId: number }
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
    readonly attempts: <E>(
      reading: OfWebhook<{}, unknown, E>
    ) => Effect.Effect<ReadonlyArray<WebhookAttempt>, E | WebhookNotFound | StoreError>
    readonly remove: <E>(removal: OfWebhook<{}, unknown, E>) => Effect.Effect<void, E | WebhookNotFound | StoreError>
    readonly change: <E>(
      change: OfWebhook<
        {
          readonly webhook: Webhook
          /** What the organization's feed holds. */
          readonly range: FeedRange
        },
        Webhook,
        E
      >
    ) => Effect.Effect<Webhook, E | WebhookNotFound | StoreError>
    readonly test: <E>(
      test: OfWebhook<
        {
          /** Whether a test waits that no server was given yet. */
          readonly isTestDue: boolean
        },
        unknown,
        E
      >
    ) => Effect.Effect<void, E | WebhookNotFound | StoreError>
    readonly lease: (asked: {
      readonly holder: string
      readonly now: Timestamp
      readonly until: Timestamp
      readonly most: number
    }) => Effect.Effect<WebhookLeases, StoreError>
    readonly release: (holder: string) => Effect.Effect<void, StoreError>
    readonly record: (written: {
      readonly webhookId: WebhookId
      readonly revision: number
      readonly holder: string
      readonly progress: WebhookProgress
      readonly attempt?: WebhookAttempt | undefined
    }) => Effect.Effect<boolean, StoreError>
    readonly recordTest: (written: {
      readonly webhookId: WebhookId
      readonly attempt: WebhookAttempt
    }) => Effect.Effect<void, StoreError>
  }
>()("@sojourn/core/WebhookStore") {}
