/** Answers commands on webhooks by the use cases, with receivers that fail as a command says. */
import {
  afterFailure,
  eventTypeOf,
  type PresenceEvent,
  PresenceFeed,
  Timestamp,
  type Webhook,
  type WebhookId,
  type WebhookProgress,
  Webhooks,
  WebhookStore,
  afterDelivery
} from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { readAllAfter } from "../../laws/shared/presenceFeed.ts"
import { each, nothing, type Serve, valueOf, type Translation } from "./translation.ts"

/** How long a server holds a webhook without asking again, in milliseconds. */
const LEASE = 10_000

/** More webhooks than a run makes. */
const MAX_LEASED_WEBHOOKS = 1_000

/** How many events are read at once: few, so that there are several pages. */
const PAGE = 5

/**
 * Webhooks, and their deliveries by two servers that take turns: each keeps the progress of the webhooks that it holds, as it wrote it.
 * Nothing is sent: the senders have tests of their own.
 */
export const makeServeWebhooks = Effect.fnUntraced(function* (
  translation: Translation,
  { feed, webhooks: store }: { readonly feed: PresenceFeed["Service"]; readonly webhooks: WebhookStore["Service"] }
) {
  const { answer, administrator, names, organizationId, held: known } = translation
  const webhooks = yield* Webhooks
  const webhookId = (label: string) => names.id("webhook", label) as WebhookId
  const created = ({ webhookId, organizationId, url, types, createdBy, progress }: Webhook) => ({
    webhook: names.label("webhook", webhookId),
    organization: names.label("organization", organizationId),
    url,
    types: types.map((type) => type.slice(0, -".changed".length)),
    state: progress.state,
    createdBy
  })
  const toValue = (webhook: Webhook) => {
    const { delivered, lastFailure } = webhook.progress
    return { ...created(webhook), delivered, failedAt: lastFailure?.at }
  }
  const now = Effect.map(Clock.currentTimeMillis, Timestamp)

  const progressAfter = (
    { progress }: Webhook,
    events: ReadonlyArray<PresenceEvent>,
    outcome: "delivered" | "failed" | "gone",
    at: Timestamp,
    processed: number
  ): WebhookProgress => {
    const last = events.at(-1)
    if (last === undefined) return { ...progress, processed }
    if (outcome === "delivered") return { ...afterDelivery(progress, last, at), processed }
    return afterFailure({ ...progress, attempts: 0 }, { at, reason: outcome, isFinal: outcome === "gone" }, 0)
  }

  /** Delivers what follows in the feed. */
  const deliver = Effect.fnUntraced(function* (
    server: string,
    webhook: Webhook,
    outcome: "delivered" | "failed" | "gone"
  ) {
    const { webhookId, revision, organizationId, types } = webhook
    const { processed } = webhook.progress
    const [page] = yield* feed.eventsAfter([{ organizationId, version: 0 }], processed)
    const before = page?._tag === "Events" ? page.events.at(-1) : undefined
    const events = yield* Effect.provideService(readAllAfter(organizationId, before, PAGE), PresenceFeed, feed)
    const wanted = events.filter((event) => types.includes(eventTypeOf(event)))
    const last = events.at(-1)?.version ?? processed
    const progress = progressAfter(webhook, wanted, outcome, yield* now, last)
    const isWritten = yield* store.record({ webhookId, revision, holder: server, progress })
    if (!isWritten) return yield* Effect.die("the lease of a webhook was lost")
    known.set(`${server} ${webhookId}`, { ...webhook, progress })
    return {
      webhook: names.label("webhook", webhookId),
      events: wanted.map((event) => ({ ...answer.event(event), version: event.version }))
    }
  })

  return {
    CreateWebhook: ({ by, organization, webhook, url, types }) =>
      webhooks
        .create(administrator(by), {
          organizationId: organizationId(organization),
          url,
          types: types?.map((type) => `${type}.changed` as const)
        })
        .pipe(
          Effect.tap((made) => Effect.sync(() => names.bind("webhook", webhook, made.webhook.webhookId))),
          valueOf((made) => created(made.webhook))
        ),
    ListWebhooks: ({ by, organization }) =>
      webhooks.list(administrator(by), organizationId(organization)).pipe(each(toValue)),
    RemoveWebhook: ({ by, webhook }) => nothing(webhooks.remove(administrator(by), webhookId(webhook))),
    EnableWebhook: ({ by, webhook }) => webhooks.enable(administrator(by), webhookId(webhook)).pipe(valueOf(toValue)),
    Deliver: Effect.fnUntraced(function* ({ server, outcome }) {
      const at = yield* now
      const until = Timestamp(at + LEASE)
      const { kept, taken } = yield* store.lease({ holder: server, now: at, until, most: MAX_LEASED_WEBHOOKS })
      const held = [...kept.map((id) => known.get(`${server} ${id}`)!), ...taken]
      const inOrder = held.sort((one, other) => Number(one.webhookId - other.webhookId))
      return { value: yield* Effect.forEach(inOrder, (webhook) => deliver(server, webhook, outcome)) }
    })
  } satisfies Partial<Serve>
})
