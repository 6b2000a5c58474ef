/** The rules of webhooks: creation, the schedule of retries, and the state after each outcome. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Option from "effect/Option"
import {
  afterDelivery,
  afterFailure,
  afterLoss,
  DEFAULT_WEBHOOK_TYPES,
  defaultWebhookReceiverPolicy,
  enabled,
  MOST_WEBHOOKS,
  newProgress,
  PermissionLevel,
  requireNewWebhook,
  RETRY_DELAYS,
  retryFrom,
  RETRY_JITTER,
  Timestamp,
  type WebhookProgress
} from "../../src/index.ts"
import { anyOf, integer, maybe, nearNow, NOW } from "@sojourn/testing"
import { combinations, trials, verdict } from "../trials.ts"

const HOUR = 3_600_000
const failure = (status?: number) => ({ at: NOW, reason: "it failed", status })

/** A part of 1, such as a random source gives. */
const part = Arbitrary.map(integer(0, 999_999), (millionths) => millionths / 1_000_000)

describe("a new webhook", () => {
  it("is refused by level, then by URL, then by number", () => {
    const levels = [undefined, ...PermissionLevel.literals]
    const urls = ["https://example.org/hook", "http://example.org/hook"]
    for (const { level, url, webhooks } of combinations({ level: levels, url: urls, webhooks: [0, 9, 10] })) {
      const facts = { level: Option.fromUndefinedOr(level), webhooks }
      const expected =
        level !== "owner"
          ? "PermissionTooLow"
          : !url.startsWith("https:")
            ? "WebhookUrlRefused"
            : webhooks >= MOST_WEBHOOKS
              ? "TooManyWebhooks"
              : "accepted"
      assert.strictEqual(verdict(requireNewWebhook(url, defaultWebhookReceiverPolicy, facts)), expected)
    }
  })

  it("asks for all types but presence.changed by default", () => {
    assert.deepStrictEqual(DEFAULT_WEBHOOK_TYPES, [
      "capacity.changed",
      "place.changed",
      "organization.changed",
      "muster.changed"
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
    { attempts: integer(0, RETRY_DELAYS.length - 1), random: part },
    ({ attempts, random }) => {
      const delay = RETRY_DELAYS[attempts]!
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

describe("the next attempt", () => {
  it.prop(
    "waits for its time, and for no failure in the future, of a clock that was ahead",
    { attempts: integer(0, RETRY_DELAYS.length - 1), ago: integer(-2 * 24 * HOUR, 2 * 24 * HOUR), random: part },
    ({ attempts, ago, random }) => {
      const now = Timestamp(NOW + ago)
      const progress = afterFailure({ ...newProgress(0), attempts }, failure(), random)
      assert.strictEqual(retryFrom(progress, now), ago < 0 ? now : Math.max(now, progress.retryAt!))
      assert.isAtMost(retryFrom(progress, now) - now, RETRY_DELAYS[attempts]! * (1 + RETRY_JITTER))
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
        } else if (one.step === "enabled") progress = enabled(progress)
        else progress = afterFailure(progress, failure(one.status), random)
        failures = one.step === "failed" ? failures + 1 : before.state === "active" ? failures : 0
        if (one.step === "delivered") failures = 0
        const isOver = one.step === "failed" && (one.status === 410 || failures > RETRY_DELAYS.length)
        assert.strictEqual(progress.state, isOver ? "disabled" : failures > 0 ? "failing" : "active")
        assert.strictEqual(progress.retryAt !== undefined, progress.state === "failing")
        assert.strictEqual(progress.attempts, failures)
        if (failures > 0) assert.isDefined(progress.lastFailure)
        assert.strictEqual(progress.handled, 0)
      }
    },
    trials()
  )

  it.prop(
    "goes on at the position that is left where the next event was forgotten, whatever was delivered after it",
    {
      version: integer(0, 10),
      presenceAt: maybe(nearNow),
      until: maybe(integer(0, 1000)),
      delivered: maybe(integer(1, 10))
    },
    ({ version, presenceAt, until, delivered }) => {
      const before: WebhookProgress = { ...newProgress(3), until, delivered, presenceAt }
      const after = afterLoss(before, version, Timestamp(NOW))
      assert.strictEqual(after.handled, version)
      assert.isUndefined(after.until)
      assert.strictEqual(after.delivered, delivered !== undefined && delivered <= version ? delivered : undefined)
      assert.strictEqual(after.state, before.state)
      assert.isDefined(after.lastFailure)
    },
    trials()
  )
})
