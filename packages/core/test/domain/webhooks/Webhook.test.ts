/** The rules of webhooks: creation, the schedule of retries, and the state after each outcome. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result } from "effect"
import {
  AdministratorId,
  afterDelivery,
  afterFailure,
  afterLoss,
  afterOwnerLost,
  DEFAULT_WEBHOOK_TYPES,
  defaultWebhookReceiverPolicy,
  EARLIER_SECRET_MS,
  enabled,
  LONGEST_RETRY_AFTER_MS,
  MAX_WEBHOOKS,
  newProgress,
  OrganizationId,
  parseRetryAfter,
  replayed,
  requireNewWebhook,
  requireTestable,
  RETRY_DELAYS_MS,
  retryFrom,
  RETRY_JITTER,
  secretsAt,
  SHORTEST_RETRY_AFTER,
  Timestamp,
  type Webhook,
  WebhookId,
  type WebhookProgress,
  withNewSecret
} from "../../../src/index.ts"
import { anyOf, integer, maybe, nearNow, NOW } from "@sojourn/testing"
import { combinations, trials, verdict } from "../../trials.ts"

const HOUR = 3_600_000
const failure = (status?: number) => ({ at: NOW, reason: "it failed", status })

const [ADA, BEN] = [AdministratorId.make("ada"), AdministratorId.make("ben")]

const webhookWith = (progress: WebhookProgress): Webhook => ({
  webhookId: WebhookId.make(1n),
  organizationId: OrganizationId.make(2n),
  url: "https://example.org/hook",
  types: DEFAULT_WEBHOOK_TYPES,
  creationDate: NOW,
  createdBy: ADA,
  secret: { keyId: 1, number: 0 },
  revision: 0,
  progress
})

/** A part of 1, such as a random source gives. */
const part = Arbitrary.map(integer(0, 999_999), (millionths) => millionths / 1_000_000)

describe("a new webhook", () => {
  it("is refused by URL, then by number", () => {
    const urls = ["https://example.org/hook", "http://example.org/hook"]
    for (const { url, webhooks } of combinations({ url: urls, webhooks: [0, 9, 10] })) {
      const expected = !url.startsWith("https:")
        ? "WebhookUrlRefused"
        : webhooks >= MAX_WEBHOOKS
          ? "TooManyWebhooks"
          : "accepted"
      assert.strictEqual(verdict(requireNewWebhook(url, defaultWebhookReceiverPolicy, webhooks)), expected)
    }
  })

  it("asks for all types but presence.changed by default", () => {
    assert.deepStrictEqual(DEFAULT_WEBHOOK_TYPES, [
      "capacity.changed",
      "place.changed",
      "organization.changed",
      "muster.changed",
      "device.changed"
    ])
  })
})

describe("a webhook's retries", () => {
  it("come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, then it is disabled", () => {
    let progress = newProgress(7)
    for (const delay of [5_000, 300_000, HOUR / 2, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]) {
      progress = afterFailure(progress, failure(500), 0)
      assert.strictEqual(progress.state, "failing")
      assert.strictEqual(progress.retryAt, NOW + delay)
    }
    progress = afterFailure(progress, failure(500), 0)
    assert.strictEqual(progress.state, "disabled")
    assert.isUndefined(progress.retryAt)
  })

  it.prop(
    "are later by a tenth at most, and never earlier",
    { attempts: integer(0, RETRY_DELAYS_MS.length - 1), random: part },
    ({ attempts, random }) => {
      const delay = RETRY_DELAYS_MS[attempts]!
      const { retryAt } = afterFailure({ ...newProgress(0), attempts }, failure(), random)
      assert.isAtLeast(retryAt!, NOW + delay)
      assert.isAtMost(retryAt!, NOW + delay * (1 + RETRY_JITTER))
    },
    trials()
  )

  it.prop(
    "end at once for 410 and for what no retry can mend",
    { attempts: integer(0, 20), isFinal: anyOf([true, false]), random: part },
    ({ attempts, isFinal, random }) => {
      const failed = { ...failure(isFinal ? undefined : 410), isFinal }
      const { state, retryAt } = afterFailure({ ...newProgress(0), attempts }, failed, random)
      assert.deepStrictEqual({ state, retryAt }, { state: "disabled", retryAt: undefined })
    },
    trials()
  )
})

describe("a receiver's Retry-After", () => {
  const second = 1000
  it.each<readonly [string, number | undefined]>([
    ["120", 120 * second],
    [" 7 ", 7 * second],
    ["0", SHORTEST_RETRY_AFTER],
    ["4", SHORTEST_RETRY_AFTER],
    ["86400", 24 * HOUR],
    ["86401", LONGEST_RETRY_AFTER_MS],
    ["9".repeat(400), LONGEST_RETRY_AFTER_MS],
    [new Date(NOW + 90 * second).toUTCString(), 90 * second],
    ["Sunday, 01-Mar-26 08:02:00 GMT", 120 * second],
    ["Sun Mar  1 08:02:00 2026", 120 * second],
    ["Thu, 01 Jan 1970 00:00:00 GMT", SHORTEST_RETRY_AFTER],
    ["Fri, 31 Dec 9999 23:59:59 GMT", LONGEST_RETRY_AFTER_MS],
    ["Sun, 99 Mar 2026 08:02:00 GMT", undefined],
    ["", undefined],
    ["soon", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["1e3", undefined],
    ["2026-03-01T08:02:00Z", undefined],
    ["120, 121", undefined]
  ])("%s is kept to within its bounds", (header, expected) => {
    assert.strictEqual(parseRetryAfter(header, Timestamp(Date.parse("2026-03-01T08:00:00Z"))), expected)
  })

  it.prop(
    "makes a delay longer and never shorter, and adds no attempt",
    {
      attempts: integer(0, RETRY_DELAYS_MS.length),
      retryAfter: integer(SHORTEST_RETRY_AFTER, LONGEST_RETRY_AFTER_MS),
      status: anyOf([503, 410]),
      random: part
    },
    ({ attempts, retryAfter, status, random }) => {
      const before = { ...newProgress(0), attempts }
      const plain = afterFailure(before, failure(status), random)
      const asked = afterFailure(before, { ...failure(status), retryAfter }, random)
      assert.strictEqual(asked.state, plain.state)
      if (asked.retryAt === undefined) return assert.isUndefined(plain.retryAt)
      assert.isAtLeast(asked.retryAt, NOW + retryAfter)
      assert.isAtLeast(asked.retryAt, plain.retryAt!)
      assert.isAtMost(asked.retryAt, Math.max(plain.retryAt!, NOW + retryAfter * (1 + RETRY_JITTER)))
    },
    trials()
  )
})

describe("the next attempt", () => {
  it.prop(
    "waits for its time, and for no failure in the future, of a clock that was ahead",
    { attempts: integer(0, RETRY_DELAYS_MS.length - 1), ago: integer(-2 * 24 * HOUR, 2 * 24 * HOUR), random: part },
    ({ attempts, ago, random }) => {
      const now = Timestamp(NOW + ago)
      const progress = afterFailure({ ...newProgress(0), attempts }, failure(), random)
      assert.strictEqual(retryFrom(progress, now), ago < 0 ? now : Math.max(now, progress.retryAt!))
      assert.isAtMost(retryFrom(progress, now) - now, RETRY_DELAYS_MS[attempts]! * (1 + RETRY_JITTER))
      assert.strictEqual(retryFrom(newProgress(0), now), now)
    },
    trials()
  )
})

describe("a webhook's state", () => {
  type Step =
    | { readonly step: "delivered" }
    | { readonly step: "enabled" }
    | { readonly step: "failed"; readonly status: number | undefined }
  const step: Arbitrary.Arbitrary<Step> = Arbitrary.map(
    anyOf<Step["step"] | "gone">(["delivered", "enabled", "failed", "failed", "failed", "gone"]),
    (name) =>
      name === "gone"
        ? { step: "failed", status: 410 }
        : name === "failed"
          ? { step: "failed", status: undefined }
          : { step: name }
  )

  it.prop(
    "is active after a delivery and after an owner enables it, and tells what failed last",
    { steps: Arbitrary.array(step, { maxLength: 30 }), random: part },
    ({ steps, random }) => {
      let progress: WebhookProgress = newProgress(0)
      let failures = 0
      for (const [index, one] of steps.entries()) {
        const before = progress
        if (one.step === "delivered") {
          progress = afterDelivery(progress, { version: index + 1, _tag: "PlaceChanged" }, NOW)
          assert.strictEqual(progress.delivered, index + 1)
        } else if (one.step === "enabled") progress = enabled(webhookWith(progress), ADA).progress
        else progress = afterFailure(progress, failure(one.status), random)
        failures = one.step === "failed" ? failures + 1 : before.state === "active" ? failures : 0
        if (one.step === "delivered") failures = 0
        const isOver = one.step === "failed" && (one.status === 410 || failures > RETRY_DELAYS_MS.length)
        assert.strictEqual(progress.state, isOver ? "disabled" : failures > 0 ? "failing" : "active")
        assert.strictEqual(progress.retryAt !== undefined, progress.state === "failing")
        assert.strictEqual(progress.attempts, failures)
        if (failures > 0) assert.isDefined(progress.lastFailure)
        assert.strictEqual(progress.processed, 0)
      }
    },
    trials()
  )

  it.prop(
    "goes on at the position that is left where the next event was forgotten, whatever was delivered after it",
    {
      version: integer(0, 10),
      presenceAt: maybe(nearNow),
      batchEnd: maybe(integer(0, 1000)),
      delivered: maybe(integer(1, 10))
    },
    ({ version, presenceAt, batchEnd, delivered }) => {
      const before: WebhookProgress = { ...newProgress(3), batchEnd, delivered, presenceAt }
      const after = afterLoss(before, version, Timestamp(NOW))
      assert.strictEqual(after.processed, version)
      assert.isUndefined(after.batchEnd)
      assert.strictEqual(after.delivered, delivered !== undefined && delivered <= version ? delivered : undefined)
      assert.strictEqual(after.state, before.state)
      assert.isDefined(after.lastFailure)
    },
    trials()
  )
})

describe("a webhook's owner", () => {
  it("is whoever enables it after it was disabled, and stays the same otherwise", () => {
    for (const state of ["active", "failing", "disabled"] as const) {
      const webhook = webhookWith({ ...newProgress(3), attempts: 2, retryAt: NOW, state })
      const after = enabled(webhook, BEN)
      assert.strictEqual(after.createdBy, state === "disabled" ? BEN : ADA)
      assert.strictEqual(after.progress.state, "active")
      assert.strictEqual(after === webhook, state === "active")
    }
  })

  it("who is none any more disables it, and the list says so", () => {
    const progress: WebhookProgress = { ...newProgress(3), batchEnd: 5, attempts: 2, retryAt: NOW, state: "failing" }
    const after = afterOwnerLost(progress, Timestamp(NOW + 1))
    assert.strictEqual(after.state, "disabled")
    assert.isUndefined(after.retryAt)
    assert.strictEqual(after.lastFailure?.at, NOW + 1)
    assert.match(after.lastFailure?.reason ?? "", /no owner/)
    assert.deepStrictEqual([after.processed, after.batchEnd], [3, 5])
  })
})

describe("a webhook's secrets", () => {
  it.prop(
    "are the newest, and for 24 hours the one before it, never a third",
    { renewals: Arbitrary.array(integer(0, 40), { maxLength: 8 }), later: integer(0, 50) },
    ({ renewals, later }) => {
      let [webhook, at] = [webhookWith(newProgress(0)), NOW as number]
      for (const [index, hours] of renewals.entries()) {
        at += hours * HOUR
        webhook = withNewSecret(webhook, index + 2, Timestamp(at))
      }
      const sources = Array.from({ length: renewals.length + 1 }, (_, number) => ({ keyId: number + 1, number }))
      const now = Timestamp(at + later * HOUR)
      const isKept = renewals.length > 0 && later * HOUR < EARLIER_SECRET_MS
      const expected = isKept ? [sources.at(-1), sources.at(-2)] : [sources.at(-1)]
      const valid = secretsAt(webhook, now).map(({ keyId, number }) => ({ keyId, number }))
      assert.deepStrictEqual<unknown>(valid, expected)
    },
    trials()
  )
})

describe("a replay", () => {
  it.prop(
    "delivers everything from its first event on, and is refused outside of what the feed holds",
    {
      fromVersion: integer(0, 12),
      oldest: integer(1, 8),
      newest: integer(0, 10),
      processed: integer(0, 10),
      delivered: maybe(integer(1, 10)),
      batchEnd: maybe(integer(1, 10)),
      state: anyOf(["active", "failing", "disabled"] as const)
    },
    ({ fromVersion, oldest, newest, processed, delivered, batchEnd, state }) => {
      const webhook = webhookWith({ ...newProgress(processed), delivered, batchEnd, state })
      const isHeld = oldest <= fromVersion && fromVersion <= newest
      const result = replayed(webhook, fromVersion, { oldest, newest })
      assert.strictEqual(verdict(result), isHeld ? "accepted" : "ReplayOutOfRange")
      if (!isHeld) return
      const { progress } = Result.getOrThrow(result)
      assert.deepStrictEqual(
        [progress.processed, progress.batchEnd, progress.state],
        [fromVersion - 1, undefined, state]
      )
      assert.strictEqual(progress.delivered, delivered !== undefined && delivered < fromVersion ? delivered : undefined)
    },
    trials()
  )
})

describe("a test", () => {
  it("is refused while another one waits", () => {
    assert.strictEqual(verdict(requireTestable(true)), "WebhookTestWaiting")
    assert.strictEqual(verdict(requireTestable(false)), "accepted")
  })
})
