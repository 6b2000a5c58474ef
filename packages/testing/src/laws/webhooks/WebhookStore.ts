/** Laws of `WebhookStore`: who may change a webhook, and one server at a time delivers for it. */
import {
  AdministratorSubject,
  afterDelivery,
  afterFailure,
  afterOwnerLost,
  ERASED,
  KEPT_ATTEMPTS,
  NOTHING_STORED,
  OWNER_LOST,
  type Permission,
  PersonalDataStore,
  PresenceFeed,
  type Stores,
  Timestamp,
  TooManyWebhooks,
  type Webhook,
  type WebhookAttempt,
  WebhookId,
  type WebhookProgress,
  WebhookStore
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Result, Schedule } from "effect"
import { after, NOW } from "../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  aPlace,
  changeOrganization,
  deleteOrganization,
  type OrganizationFixture,
  someAdministrator,
  unused,
  NEVER_ISSUED,
  neverCreated
} from "../shared/fixtures.ts"
import { race, refused, same, times, concurrently, pluck, expectRefusals } from "../shared/outcome.ts"
import { type Laws, suite } from "../shared/suite.ts"
import { changePermission } from "../shared/permissions.ts"
import { LATER, versionOf, readFrom } from "../shared/presenceFeed.ts"

const DRAFT = { url: "https://example.org/hook", types: ["place.changed", "muster.changed"], keyId: 3 } as const

const create = ({ id, owner }: OrganizationFixture, most = 10, administratorId = owner) =>
  WebhookStore.use((store) =>
    store.create({
      organizationId: id,
      administratorId,
      webhook: DRAFT,
      now: NOW,
      decide: (webhooks) => (webhooks < most ? Result.void : Result.fail(new TooManyWebhooks({ most })))
    })
  )

const list = ({ id, owner }: OrganizationFixture) =>
  WebhookStore.use((store) => store.list({ organizationId: id, administratorId: owner }))

const storedOf = (fixture: OrganizationFixture, { webhookId }: Webhook) =>
  Effect.map(list(fixture), (all) => all.find((one) => one.webhookId === webhookId)!)

const remove = ({ owner }: OrganizationFixture, { webhookId }: Pick<Webhook, "webhookId">) =>
  WebhookStore.use((store) => store.remove({ webhookId, administratorId: owner }))

/** Changes a webhook as its owner does; unless said, the progress to one that is to be tried at once. */
const change = (
  { owner }: Pick<OrganizationFixture, "owner">,
  { webhookId }: Pick<Webhook, "webhookId">,
  to = (webhook: Webhook): Webhook => ({ ...webhook, progress: { ...webhook.progress, attempts: 0, state: "active" } })
) =>
  WebhookStore.use((store) =>
    store.change({
      webhookId,
      administratorId: owner,
      action: "webhook.enable",
      decide: (webhook) => Result.succeed(to(webhook))
    })
  )

const attempts = ({ owner }: OrganizationFixture, { webhookId }: Pick<Webhook, "webhookId">) =>
  WebhookStore.use((store) => store.attempts({ webhookId, administratorId: owner }))

const test = ({ owner }: OrganizationFixture, { webhookId }: Pick<Webhook, "webhookId">) =>
  WebhookStore.use((store) => store.test({ webhookId, administratorId: owner }))

const LEASE_MS = 1000

/** The webhooks of an organization that a server takes and keeps. */
const leaseOf = (webhooks: ReadonlyArray<Webhook>, holder: string, now: Timestamp, { most } = { most: 100_000 }) =>
  WebhookStore.use((store) =>
    Effect.map(store.lease({ holder, now, until: after(now, LEASE_MS), most }), ({ kept, taken, tests }) => {
      const ids = new Set(webhooks.map(({ webhookId }) => webhookId))
      return {
        kept: kept.filter((id) => ids.has(id)),
        taken: taken.filter(({ webhookId }) => ids.has(webhookId)),
        tests: tests.filter(({ webhookId }) => ids.has(webhookId)),
        all: [...kept, ...taken.map(({ webhookId }) => webhookId)]
      }
    })
  )

const idsOf = (webhooks: ReadonlyArray<Webhook>) => webhooks.map(({ webhookId }) => webhookId).sort()

const record = (
  { webhookId, revision }: Webhook,
  holder: string,
  progress: WebhookProgress,
  attempt?: WebhookAttempt | undefined
) => WebhookStore.use((store) => store.record({ webhookId, revision, holder, progress, attempt }))

const release = (holder: string) => WebhookStore.use((store) => store.release(holder))

/** Leases a webhook. Other suites lease on the same database. */
const taken = (webhook: Webhook, holder: string) =>
  Effect.repeat(leaseOf([webhook], holder, LATER), {
    until: ({ kept, taken }) => kept.length + taken.length > 0,
    schedule: Schedule.recurs(3)
  })

const ownerLaws: Laws = (it) => {
  it("a webhook is stored as it was asked for, after the last event, and listed in the order of creation", function* (fixture) {
    same(yield* list(fixture), [])
    const first = yield* create(fixture)
    yield* aPlace(fixture)
    const second = yield* create(fixture)
    assert.strictEqual(second.progress.processed, yield* versionOf(fixture))
    same(pluck(yield* readFrom(fixture, first.progress.processed), "_tag"), ["PlaceChanged"])
    const { url, types, creationDate, createdBy, organizationId, progress, secret } = first
    same({ url, types, keyId: secret.keyId }, DRAFT)
    same([creationDate, createdBy, organizationId], [NOW, fixture.owner, fixture.id])
    same([secret.number, first.earlierSecret], [0, undefined])
    same(yield* attempts(fixture, first), [])
    same([progress.state, progress.attempts, progress.lastFailure], ["active", 0, undefined])
    assert.notStrictEqual(second.webhookId, first.webhookId)
    same(yield* list(fixture), [first, second])
  })

  it("all that administrators do needs an owner of the webhook's organization, and a refusal changes nothing", function* (fixture, other) {
    const webhook = yield* create(fixture)
    const { administratorId: manager } = yield* aBoundAdministrator(fixture, "manager")
    for (const owner of [manager, other.owner, someAdministrator()]) {
      const as = { ...fixture, owner }
      yield* refused(list(as), "PermissionTooLow")
      yield* refused(remove(as, webhook), "PermissionTooLow")
      yield* refused(attempts(as, webhook), "PermissionTooLow")
      yield* refused(change(as, webhook), "PermissionTooLow")
      yield* refused(test(as, webhook), "PermissionTooLow")
      yield* refused(create(as, 0), "PermissionTooLow")
    }
    yield* refused(create(fixture, 1), "TooManyWebhooks")
    same(yield* list(fixture), [webhook])
    // No test waits.
    yield* test(fixture, webhook)
  })

  it("creations at one moment count each other", function* (fixture) {
    yield* expectRefusals(race(times(8, () => create(fixture, 3))), { TooManyWebhooks: 5 })
    assert.strictEqual((yield* list(fixture)).length, 3)
  })

  it("a webhook that was removed, or whose organization was deleted, is unknown", function* (fixture) {
    const [one, other] = [yield* create(fixture), yield* create(fixture)]
    const holder = unused("server")
    yield* leaseOf([one, other], holder, NOW)
    yield* remove(fixture, one)
    same(idsOf(yield* list(fixture)), [other.webhookId])
    yield* refused(remove(fixture, one), "WebhookNotFound")
    yield* refused(change(fixture, one), "WebhookNotFound")
    yield* refused(attempts(fixture, one), "WebhookNotFound")
    yield* refused(test(fixture, one), "WebhookNotFound")
    assert.isFalse(yield* record(one, holder, one.progress))
    yield* WebhookStore.use((store) => store.recordTest({ webhookId: one.webhookId, attempt: { at: NOW, ms: 1 } }))
    yield* deleteOrganization(fixture)
    yield* refused(list(fixture), "OrganizationNotFound")
    yield* refused(create(fixture), "OrganizationNotFound")
    yield* refused(remove(fixture, other), "WebhookNotFound")
    assert.isFalse(yield* record(other, holder, other.progress))
    yield* refused(change(fixture, { webhookId: WebhookId.make(NEVER_ISSUED) }), "WebhookNotFound")
    yield* refused(list(neverCreated(fixture)), "OrganizationNotFound")
  })
}

/** At `LATER`, long after the leases of other laws. Adapters may bound a lease by the real clock, which is later. */
const leaseLaws: Laws = (it) => {
  it("a webhook is leased to one server of several, until its lease ends or is released", function* (fixture) {
    const webhooks = yield* Effect.all(times(4, () => create(fixture)))
    const [one, two, three] = [unused("server"), unused("server"), unused("server")]
    const taken = yield* concurrently([one, two].map((holder) => leaseOf(webhooks, holder, LATER)))
    same(taken.flatMap((leases) => idsOf(leases.taken)).sort(), idsOf(webhooks))
    for (const leases of taken) for (const webhook of leases.taken) same(webhook, yield* storedOf(fixture, webhook))
    same((yield* leaseOf(webhooks, three, after(LATER, 999))).taken, [])
    // The first server goes on, the second was killed.
    const kept = yield* leaseOf(webhooks, one, after(LATER, 900))
    same([...kept.kept].sort(), idsOf(taken[0]!.taken))
    same(kept.taken, [])
    const over = yield* leaseOf(webhooks, three, after(LATER, 1000))
    same(idsOf(over.taken), idsOf(taken[1]!.taken))
    yield* release(one)
    yield* release(three)
    const again = yield* leaseOf(webhooks, two, after(LATER, 1001))
    same([again.kept, idsOf(again.taken)], [[], idsOf(webhooks)])
    yield* release(two)
  })

  it("a server takes at most as many as it asks for", function* (fixture) {
    const webhooks = yield* Effect.all(times(3, () => create(fixture)))
    const holder = unused("server")
    same((yield* leaseOf(webhooks, holder, LATER, { most: 0 })).all, [])
    assert.isAtMost((yield* leaseOf(webhooks, holder, LATER, { most: 2 })).all.length, 2)
    yield* release(holder)
  })

  it("progress is written by the server that holds the lease alone, and is what the next one gets", function* (fixture) {
    const webhook = yield* create(fixture)
    const [one, two] = [unused("server"), unused("server")]
    assert.isFalse(yield* record(webhook, one, webhook.progress))
    yield* taken(webhook, one)
    const inBatch: WebhookProgress = { ...webhook.progress, batchEnd: 1_000_000 }
    const delivered = afterDelivery(inBatch, { version: 999_999, _tag: "PresenceChanged" }, after(NOW, 5))
    const failing = afterFailure(delivered, { at: after(NOW, 7), reason: "the receiver answered 500" }, 0)
    for (const progress of [inBatch, delivered, failing]) {
      assert.isFalse(yield* record(webhook, two, webhook.progress))
      assert.isTrue(yield* record(webhook, one, progress))
      same((yield* storedOf(fixture, webhook)).progress, progress)
    }
    yield* release(one)
    assert.isFalse(yield* record(webhook, one, inBatch))
    same((yield* taken(webhook, two)).taken, [{ ...webhook, progress: failing }])
    yield* release(two)
  })

  it("progresses that are written at one moment are each of their own webhook, and of its server", function* (fixture) {
    const webhooks = yield* Effect.all(times(6, () => create(fixture)))
    const [one, two] = [unused("server"), unused("server")]
    const leased = new Map<WebhookId, string>()
    yield* Effect.repeat(
      Effect.gen(function* () {
        for (const [holder, most] of [
          [one, leased.size + 3],
          [two, 100_000]
        ] as const) {
          const { taken } = yield* leaseOf(webhooks, holder, LATER, { most })
          for (const { webhookId } of taken) leased.set(webhookId, holder)
        }
      }),
      { until: () => leased.size === webhooks.length, schedule: Schedule.recurs(3) }
    )
    const written = (webhook: Webhook, nth: number): WebhookProgress =>
      nth % 2 === 0
        ? afterDelivery(webhook.progress, { version: 100 + nth, _tag: "PresenceChanged" }, after(NOW, nth))
        : afterFailure({ ...webhook.progress, batchEnd: 200 }, { at: after(NOW, nth), reason: `failure ${nth}` }, 0)
    const holders = [one, two]
    const answers = yield* concurrently(
      webhooks.flatMap((webhook, nth) => holders.map((holder) => record(webhook, holder, written(webhook, nth))))
    )
    same(
      answers,
      webhooks.flatMap(({ webhookId }) => holders.map((holder) => leased.get(webhookId) === holder))
    )
    same(pluck(yield* list(fixture), "progress"), webhooks.map(written))
    for (const holder of holders) yield* release(holder)
  })

  it("a disabled webhook is not leased until an owner changes that, and a change ends the lease", function* (fixture) {
    const webhook = yield* create(fixture)
    const holder = unused("server")
    yield* leaseOf([webhook], holder, LATER)
    same(yield* change(fixture, webhook, (same) => same), webhook)
    same((yield* leaseOf([webhook], holder, LATER)).kept, [webhook.webhookId])
    const failure = { at: NOW, reason: "the receiver answered 410", status: 410 }
    let current = webhook
    for (const status of [500, 410]) {
      const progress = afterFailure(webhook.progress, { ...failure, status }, 0)
      assert.isTrue(yield* record(current, holder, progress))
      if (status === 410) {
        const leases = yield* leaseOf([webhook], holder, LATER)
        same([leases.kept, leases.taken], [[], []])
      }
      const again = yield* change(fixture, webhook)
      same([again.progress.state, again.progress.attempts], ["active", 0])
      assert.isAbove(again.revision, current.revision)
      same(again, yield* storedOf(fixture, webhook))
      assert.isFalse(yield* record(current, holder, webhook.progress))
      same(again, yield* storedOf(fixture, webhook))
      same((yield* leaseOf([webhook], holder, LATER)).taken, [again])
      // The server that took it again may still do what it began before.
      assert.isFalse(yield* record(current, holder, webhook.progress))
      current = again
    }
    yield* release(holder)
  })
}

const changeLaws: Laws = (it) => {
  it("a change writes the owner, the secrets and the progress, and knows what the feed holds", function* (fixture) {
    const webhook = yield* create(fixture)
    const { webhookId } = webhook
    const range = (administratorId = fixture.owner) =>
      Effect.map(
        Effect.flip(
          WebhookStore.use((store) =>
            store.change({
              webhookId,
              administratorId,
              action: "webhook.replay",
              decide: (_, { oldest, newest }) => Result.fail({ _tag: "Range" as const, oldest, newest })
            })
          )
        ),
        (range) => ("oldest" in range ? [range.oldest, range.newest] : range)
      )
    same(yield* range(), [1, 0])
    for (const description of ["one", "two", "three"])
      yield* changeOrganization(fixture.id, (before) => ({ ...before, description }))
    same(yield* range(), [1, 3])
    yield* Effect.repeat(
      PresenceFeed.use((feed) => feed.forget(after(LATER, 1e12), 100_000)),
      { until: (forgetBatch) => forgetBatch === 0 }
    )
    same(yield* range(), [3, 3])
    const { administratorId } = yield* aBoundAdministrator(fixture, "owner")
    const changed: Webhook = {
      ...webhook,
      createdBy: administratorId,
      secret: { keyId: 200, number: 7 },
      earlierSecret: { keyId: 3, number: 6, until: after(NOW, 5) },
      progress: {
        ...webhook.progress,
        processed: 2,
        batchEnd: 3,
        delivered: 1,
        attempts: 1,
        retryAt: LATER,
        state: "failing"
      }
    }
    const written = { ...changed, revision: 1 }
    same(yield* change(fixture, webhook, () => changed), written)
    same(yield* list(fixture), [written])
    const less = { ...written, earlierSecret: undefined, progress: webhook.progress }
    same(yield* change(fixture, webhook, () => less), { ...less, revision: 2 })
    same(yield* list(fixture), [{ ...less, revision: 2 }])
  })

  const lost: Readonly<
    Record<string, (fixture: OrganizationFixture, permission: Permission) => Effect.Effect<unknown, any, Stores>>
  > = {
    "whose permission is withdrawn": ({ id }, permission) =>
      changePermission(id, permission, () => Result.succeed({ _tag: "Withdraw", permission })),
    "whose level is lowered": ({ id }, permission) =>
      changePermission(id, permission, () =>
        Result.succeed({ _tag: "ChangeLevel", permission: { ...permission, level: "manager" } })
      ),
    "who is erased": (_, { administratorId }) =>
      PersonalDataStore.use((store) => store.erase(AdministratorSubject(administratorId), LATER))
  }
  for (const [who, lose] of Object.entries(lost)) {
    it(`the webhooks of an owner ${who} are disabled in that step, and no others`, function* (fixture, elsewhere) {
      const permission = yield* aBoundAdministrator(fixture, "owner")
      const { administratorId } = permission
      yield* aBoundAdministrator(elsewhere, "owner", { administratorId, mail: permission.mail })
      const [kept, theirs] = [yield* create(fixture), yield* create(fixture, 10, administratorId)]
      const other = yield* create(elsewhere, 10, administratorId)
      const holder = unused("server")
      yield* taken(theirs, holder)
      yield* lose(fixture, permission)
      const after = yield* storedOf(fixture, theirs)
      const { lastFailure } = after.progress
      assert.strictEqual(lastFailure?.reason, OWNER_LOST)
      const isErased = who === "who is erased"
      const createdBy = isErased ? ERASED : administratorId
      same(after, { ...theirs, createdBy, revision: 1, progress: afterOwnerLost(theirs.progress, lastFailure!.at) })
      assert.isFalse(yield* record(theirs, holder, theirs.progress))
      same((yield* leaseOf([theirs], holder, LATER)).all.includes(theirs.webhookId), false)
      same(yield* storedOf(fixture, kept), kept)
      const still = yield* storedOf(elsewhere, other)
      same([still.createdBy, still.progress.state], [createdBy, isErased ? "disabled" : "active"])
      yield* release(holder)
    })
  }

  it("a level that changes and stays an owner's disables nothing", function* (fixture) {
    const permission = yield* aBoundAdministrator(fixture, "owner")
    const theirs = yield* create(fixture, 10, permission.administratorId)
    yield* changePermission(fixture.id, permission, () => Result.succeed({ _tag: "ChangeLevel", permission }))
    same(yield* list(fixture), [theirs])
  })

  it("the webhooks of an administrator are collected, and lose the name when they are erased", function* (fixture) {
    const { administratorId, ...permission } = yield* aBoundAdministrator(fixture, "owner")
    const { webhookId } = yield* create(fixture, 10, administratorId)
    const subject = AdministratorSubject(administratorId)
    const store = yield* PersonalDataStore
    const { id: organizationId } = fixture
    same((yield* store.collect(subject)).createdWebhooks, [{ webhookId, organizationId, creationDate: NOW }])
    // One whose webhook it was is no longer bound: the name is erased all the same.
    yield* lost["whose permission is withdrawn"]!(fixture, { administratorId, ...permission })
    same((yield* store.collect(subject)).createdWebhooks.length, 1)
    // With the entries of the audit on both permissions.
    assert.strictEqual((yield* store.erase(subject, LATER)).mentions, 3)
    same(yield* store.collect(subject), NOTHING_STORED)
  })
}

const attemptLaws: Laws = (it) => {
  it("the last attempts are kept, the newest first, those of tests among them", function* (fixture) {
    const [webhook, other] = [yield* create(fixture), yield* create(fixture)]
    const holder = unused("server")
    yield* taken(webhook, holder)
    yield* taken(other, holder)
    const all: Array<WebhookAttempt> = []
    for (let nth = 0; nth < KEPT_ATTEMPTS + 7; nth++) {
      const at = after(NOW, nth)
      const attempt: WebhookAttempt =
        nth % 3 === 0
          ? { at, ms: nth, failure: `failure ${nth}` }
          : { version: nth, at, ms: nth, status: 200 + nth, ...(nth % 3 === 1 && { failure: "refused" }) }
      if (nth % 3 === 0) yield* WebhookStore.use((store) => store.recordTest({ webhookId: webhook.webhookId, attempt }))
      else assert.isTrue(yield* record(webhook, holder, webhook.progress, attempt))
      all.unshift(attempt)
      if (nth === 4) same(yield* attempts(fixture, webhook), all)
    }
    assert.isTrue(yield* record(webhook, holder, webhook.progress))
    assert.isFalse(yield* record(webhook, unused("server"), webhook.progress, { at: NOW, ms: 1 }))
    assert.isFalse(yield* record({ ...webhook, revision: 5 }, holder, webhook.progress, { at: NOW, ms: 1 }))
    same(yield* attempts(fixture, webhook), all.slice(0, KEPT_ATTEMPTS))
    same(yield* attempts(fixture, other), [])
    yield* release(holder)
  })

  it("a test is given out once, whatever the state and the lease of the webhook", function* (fixture) {
    const webhook = yield* create(fixture)
    const [one, two] = [unused("server"), unused("server")]
    yield* taken(webhook, one)
    yield* test(fixture, webhook)
    same(yield* storedOf(fixture, webhook), webhook)
    const leases = yield* concurrently([one, two].map((holder) => leaseOf([webhook], holder, LATER)))
    same(pluck(leases, "tests").flat(), [webhook])
    const disabled = { ...webhook.progress, state: "disabled" } as const
    assert.isTrue(yield* record(webhook, one, disabled))
    yield* test(fixture, webhook)
    yield* refused(test(fixture, webhook), "WebhookTestWaiting")
    same((yield* leaseOf([webhook], two, LATER, { most: 0 })).tests, [])
    same((yield* leaseOf([webhook], two, LATER)).tests, [{ ...webhook, progress: disabled }])
    same((yield* leaseOf([webhook], two, LATER)).tests, [])
    for (const holder of [one, two]) yield* release(holder)
  })
}

/** What every `WebhookStore` promises. */
export const webhookStoreLaws = suite("WebhookStore", [ownerLaws, leaseLaws, changeLaws, attemptLaws])
