/** Laws of `WebhookStore`: who may change a webhook, and one server at a time delivers for it. */
import {
  afterDelivery,
  afterFailure,
  OrganizationId,
  PresenceFeed,
  type Stores,
  Timestamp,
  TooManyWebhooks,
  type Webhook,
  WebhookId,
  type WebhookProgress,
  WebhookStore
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { after, NOW } from "../arbitraries/times.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPlace,
  deleted,
  type Ground,
  someAdministrator,
  unused
} from "./given.ts"
import { race, refused, same, times } from "./outcome.ts"
import { type LawOptions, type Laws, suite } from "./suite.ts"

const DRAFT = { url: "https://example.org/hook", types: ["place.changed", "muster.changed"], keyId: 3 } as const

/** Long after the leases of other laws. Adapters may bound a lease by the real clock, which is later. */
const LATER = after(NOW, 3_600_000)

const create = ({ organization, owner }: Ground, most = 10) =>
  WebhookStore.use((store) =>
    store.create({
      organizationId: organization.id,
      administratorId: owner,
      webhook: DRAFT,
      now: NOW,
      decide: ({ webhooks }) => (webhooks < most ? Result.void : Result.fail(new TooManyWebhooks({ most })))
    })
  )

const list = ({ organization, owner }: Ground) =>
  WebhookStore.use((store) =>
    store.list({ organizationId: organization.id, administratorId: owner, decide: () => Result.void })
  )

const storedOf = (ground: Ground, { webhookId }: Webhook) =>
  Effect.map(list(ground), (all) => all.find((one) => one.webhookId === webhookId)!)

const remove = ({ owner }: Ground, { webhookId }: Pick<Webhook, "webhookId">) =>
  WebhookStore.use((store) => store.remove({ webhookId, administratorId: owner, decide: () => Result.void }))

const enable = ({ owner }: Ground, { webhookId }: Pick<Webhook, "webhookId">) =>
  WebhookStore.use((store) => store.enable({ webhookId, administratorId: owner, decide: () => Result.void }))

/** The webhooks of an organization that a server takes and keeps. */
const leaseOf = (webhooks: ReadonlyArray<Webhook>, holder: string, now: Timestamp, lasts = 1000, most = 100_000) =>
  WebhookStore.use((store) =>
    Effect.map(store.lease({ holder, now, until: after(now, lasts), most }), ({ kept, taken }) => {
      const ids = new Set(webhooks.map(({ webhookId }) => webhookId))
      return {
        kept: kept.filter((id) => ids.has(id)),
        taken: taken.filter(({ webhookId }) => ids.has(webhookId)),
        all: [...kept, ...taken.map(({ webhookId }) => webhookId)]
      }
    })
  )

const idsOf = (webhooks: ReadonlyArray<Webhook>) => webhooks.map(({ webhookId }) => webhookId).sort()

const record = ({ webhookId }: Webhook, holder: string, progress: WebhookProgress) =>
  WebhookStore.use((store) => store.record({ webhookId, holder, progress }))

const ownerLaws: Laws = (it) => {
  it.effect("a webhook is stored as it was asked for, after the last event, and listed in the order of creation", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      same(yield* list(ground), [])
      const first = yield* create(ground)
      yield* aPlace(ground)
      const second = yield* create(ground)
      const [snapshot] = yield* PresenceFeed.use((feed) => feed.snapshots([ground.organization.id]))
      assert.strictEqual(second.progress.handled, snapshot?.version)
      const [page] = yield* PresenceFeed.use((feed) =>
        feed.eventsAfter([{ organizationId: ground.organization.id, version: first.progress.handled }], 10)
      )
      assert.deepStrictEqual(page?._tag === "Events" && page.events.map(({ _tag }) => _tag), ["PlaceChanged"])
      const { url, types, keyId, creationDate, organizationId, progress } = first
      same({ url, types, keyId }, DRAFT)
      same([creationDate, organizationId], [NOW, ground.organization.id])
      same([progress.state, progress.attempts, progress.lastFailure], ["active", 0, undefined])
      assert.isTrue(second.webhookId > first.webhookId)
      same(yield* list(ground), [first, second])
    })
  )

  it.effect(
    "every decision gets the administrator's level in the webhook's organization, and a refusal changes nothing",
    () =>
      Effect.gen(function* () {
        const [ground, other] = [yield* anOrganization(), yield* anOrganization()]
        const webhook = yield* create(ground)
        const { administratorId: viewer } = yield* aBoundAdministrator(ground, "viewer")
        const {
          organization: { id: organizationId },
          owner
        } = ground
        const store = yield* WebhookStore
        for (const [administratorId, expected] of [
          [owner, "owner"],
          [viewer, "viewer"],
          [other.owner, undefined],
          [someAdministrator(), undefined]
        ] as const) {
          const decide = (level: Option.Option<string>) => {
            assert.strictEqual(Option.getOrUndefined(level), expected)
            return Result.fail(new TooManyWebhooks({ most: 0 }))
          }
          const { webhookId } = webhook
          yield* refused(store.list({ organizationId, administratorId, decide }), "TooManyWebhooks")
          yield* refused(store.remove({ webhookId, administratorId, decide }), "TooManyWebhooks")
          yield* refused(store.enable({ webhookId, administratorId, decide }), "TooManyWebhooks")
          yield* refused(
            store.create({
              organizationId,
              administratorId,
              webhook: DRAFT,
              now: NOW,
              decide: ({ level }) => decide(level)
            }),
            "TooManyWebhooks"
          )
        }
        same(yield* list(ground), [webhook])
      })
  )

  it.effect("creations at one moment count each other", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const made = yield* race(times(8, () => create(ground, 3)))
      same([made.succeeded.length, made.refusals], [3, { TooManyWebhooks: 5 }])
      assert.strictEqual((yield* list(ground)).length, 3)
    })
  )

  it.effect("a webhook that was removed, or whose organization was deleted, is unknown", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const [one, other] = [yield* create(ground), yield* create(ground)]
      const holder = unused("server")
      yield* leaseOf([one, other], holder, NOW)
      yield* remove(ground, one)
      same(idsOf(yield* list(ground)), [other.webhookId])
      yield* refused(remove(ground, one), "WebhookNotFound")
      yield* refused(enable(ground, one), "WebhookNotFound")
      assert.isFalse(yield* record(one, holder, one.progress))
      yield* deleted(ground)
      yield* refused(list(ground), "OrganizationNotFound")
      yield* refused(create(ground), "OrganizationNotFound")
      yield* refused(remove(ground, other), "WebhookNotFound")
      assert.isFalse(yield* record(other, holder, other.progress))
      yield* refused(enable(ground, { webhookId: WebhookId.make(9007199254740991n) }), "WebhookNotFound")
      const nowhere = {
        ...ground,
        organization: { ...ground.organization, id: OrganizationId.make(9007199254740991n) }
      }
      yield* refused(list(nowhere), "OrganizationNotFound")
    })
  )
}

const leaseLaws: Laws = (it) => {
  it.effect("a webhook is leased to one server of several, until its lease ends or is released", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const webhooks = yield* Effect.all(times(4, () => create(ground)))
      const [one, two, three] = [unused("server"), unused("server"), unused("server")]
      const taken = yield* Effect.all(
        [one, two].map((holder) => leaseOf(webhooks, holder, LATER)),
        { concurrency: "unbounded" }
      )
      same(taken.flatMap((leases) => idsOf(leases.taken)).sort(), idsOf(webhooks))
      for (const leases of taken) for (const webhook of leases.taken) same(webhook, yield* storedOf(ground, webhook))
      same((yield* leaseOf(webhooks, three, after(LATER, 999))).taken, [])
      // The first server goes on, the second was killed.
      const kept = yield* leaseOf(webhooks, one, after(LATER, 900))
      same([...kept.kept].sort(), idsOf(taken[0]!.taken))
      same(kept.taken, [])
      const over = yield* leaseOf(webhooks, three, after(LATER, 1000))
      same(idsOf(over.taken), idsOf(taken[1]!.taken))
      yield* WebhookStore.use((store) => store.release(one))
      yield* WebhookStore.use((store) => store.release(three))
      const again = yield* leaseOf(webhooks, two, after(LATER, 1001))
      same([again.kept, idsOf(again.taken)], [[], idsOf(webhooks)])
      yield* WebhookStore.use((store) => store.release(two))
    })
  )

  it.effect("a server takes at most as many as it asks for", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const webhooks = yield* Effect.all(times(3, () => create(ground)))
      const holder = unused("server")
      same((yield* leaseOf(webhooks, holder, LATER, 1000, 0)).all, [])
      assert.isAtMost((yield* leaseOf(webhooks, holder, LATER, 1000, 2)).all.length, 2)
      yield* WebhookStore.use((store) => store.release(holder))
    })
  )

  it.effect("progress is written by the server that holds the lease alone, and is what the next one gets", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const webhook = yield* create(ground)
      const [one, two] = [unused("server"), unused("server")]
      assert.isFalse(yield* record(webhook, one, webhook.progress))
      // Other suites lease on the same database.
      yield* Effect.repeat(leaseOf([webhook], one, LATER), {
        until: ({ taken }) => taken.length > 0,
        schedule: Schedule.recurs(3)
      })
      const begun: WebhookProgress = { ...webhook.progress, until: 1_000_000 }
      const delivered = afterDelivery(begun, { version: 999_999, _tag: "PresenceChanged" }, after(NOW, 5))
      const failing = afterFailure(delivered, { at: after(NOW, 7), reason: "the receiver answered 500" }, 0)
      for (const progress of [begun, delivered, failing]) {
        assert.isFalse(yield* record(webhook, two, webhook.progress))
        assert.isTrue(yield* record(webhook, one, progress))
        same((yield* storedOf(ground, webhook)).progress, progress)
      }
      yield* WebhookStore.use((store) => store.release(one))
      assert.isFalse(yield* record(webhook, one, begun))
      const { taken } = yield* leaseOf([webhook], two, LATER)
      same(taken, [{ ...webhook, progress: failing }])
      yield* WebhookStore.use((store) => store.release(two))
    })
  )

  it.effect("progresses that are written at one moment are each of their own webhook, and of its server", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const webhooks = yield* Effect.all(times(6, () => create(ground)))
      const [one, two] = [unused("server"), unused("server")]
      const leased = new Map<WebhookId, string>()
      yield* Effect.repeat(
        Effect.gen(function* () {
          for (const [holder, most] of [
            [one, leased.size + 3],
            [two, 100_000]
          ] as const) {
            const { taken } = yield* leaseOf(webhooks, holder, LATER, 1000, most)
            for (const { webhookId } of taken) leased.set(webhookId, holder)
          }
        }),
        { until: () => leased.size === webhooks.length, schedule: Schedule.recurs(3) }
      )
      const written = (webhook: Webhook, nth: number): WebhookProgress =>
        nth % 2 === 0
          ? afterDelivery(webhook.progress, { version: 100 + nth, _tag: "PresenceChanged" }, after(NOW, nth))
          : afterFailure({ ...webhook.progress, until: 200 }, { at: after(NOW, nth), reason: `failure ${nth}` }, 0)
      const holders = [one, two]
      const answers = yield* Effect.all(
        webhooks.flatMap((webhook, nth) => holders.map((holder) => record(webhook, holder, written(webhook, nth)))),
        { concurrency: "unbounded" }
      )
      same(
        answers,
        webhooks.flatMap(({ webhookId }) => holders.map((holder) => leased.get(webhookId) === holder))
      )
      same(
        (yield* list(ground)).map(({ progress }) => progress),
        webhooks.map(written)
      )
      for (const holder of holders) yield* WebhookStore.use((store) => store.release(holder))
    })
  )

  it.effect("a disabled webhook is not leased until an owner enables it, which ends the lease of a failing one", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const webhook = yield* create(ground)
      const holder = unused("server")
      yield* leaseOf([webhook], holder, LATER)
      same(yield* enable(ground, webhook), webhook)
      same((yield* leaseOf([webhook], holder, LATER)).kept, [webhook.webhookId])
      const failure = { at: NOW, reason: "the receiver answered 410", status: 410 }
      for (const status of [500, 410]) {
        const progress = afterFailure(webhook.progress, { ...failure, status }, 0)
        assert.isTrue(yield* record(webhook, holder, progress))
        if (status === 410) {
          const leases = yield* leaseOf([webhook], holder, LATER)
          same([leases.kept, leases.taken], [[], []])
        }
        const again = yield* enable(ground, webhook)
        same([again.progress.state, again.progress.retryAt, again.progress.attempts], ["active", undefined, 0])
        same(again, yield* storedOf(ground, webhook))
        assert.isFalse(yield* record(webhook, holder, webhook.progress))
        const { kept, taken } = yield* leaseOf([webhook], holder, LATER)
        same([kept, taken], [[], [again]])
      }
      yield* WebhookStore.use((store) => store.release(holder))
    })
  )
}

/** What every `WebhookStore` promises. */
export const webhookStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: WebhookStore`, stores, [ownerLaws, leaseLaws], options)
