/** `--feed-retention` and `--history-retention`: when events are deleted and rolled up, and when minutes are deleted. */
import { assert, describe, it } from "@effect/vitest"
import { layerStores } from "@sojourn/adapter-memory"
import {
  historyRange,
  HistoryStore,
  type HistoryStep,
  OrganizationPremises,
  Organizations,
  PresenceFeed,
  StayLog,
  Timestamp,
  UserId
} from "@sojourn/core"
import { layerHistoryKeeping } from "@sojourn/service"
import { Clock, Duration, Effect, Layer, Option, Result } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { layerFeedRetention } from "@sojourn/service"
import { anOrganization, OWNER } from "./services/fixtures.ts"

const DAY = 86_400_000

describe("the keeping of histories", () => {
  it.effect("rolls up each minute, and forgets minutes after the retention", () =>
    Effect.gen(function* () {
      const premises = OrganizationPremises((yield* anOrganization("anonymous")).id)
      const read = (step: HistoryStep) =>
        HistoryStore.use((store) =>
          store.read(
            OWNER.administratorId,
            premises,
            Result.getOrThrow(historyRange({ step, from: Timestamp(0), to: Timestamp(DAY) }))
          )
        )
      yield* StayLog.use((log) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          log.open({
            premises,
            userId: UserId.make("phone"),
            claim: { now: Timestamp(now), timestamp: undefined, orgAuthServerId: undefined },
            keyId: 0,
            retryKey: Option.none()
          })
        )
      )
      yield* PresenceFeed.use((feed) => feed.publish(Timestamp(DAY)))
      assert.lengthOf((yield* read("minute")).changes, 1)
      yield* TestClock.adjust("1 minute")
      for (const step of ["minute", "hour", "day"] as const) {
        const { buckets, changes } = yield* read(step)
        assert.deepStrictEqual([buckets.length, changes.length], [1, 0])
      }
      yield* TestClock.adjust("1 day")
      assert.lengthOf((yield* read("minute")).buckets, 1)
      yield* TestClock.adjust("2 days")
      assert.lengthOf((yield* read("minute")).buckets, 0)
      for (const step of ["hour", "day"] as const) assert.lengthOf((yield* read(step)).buckets, 1)
    }).pipe(
      Effect.provide(
        layerHistoryKeeping(Duration.days(2)).pipe(
          Layer.provideMerge(Organizations.layer),
          Layer.provideMerge(layerStores)
        )
      )
    )
  )
})

describe("the retention of presence events", () => {
  it.effect("forgets the events that are older, but for the last one", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const feed = yield* PresenceFeed
      const { id } = yield* anOrganization("anonymous")
      const versionsAfter = (version: number) =>
        Effect.map(feed.eventsAfter([{ organizationId: id, version }], 10), ([page]) =>
          page?._tag === "Events" ? page.events.map((event) => event.version) : page?._tag
        )
      for (const city of ["Padova", "Venezia", "Verona"]) yield* organizations.edit(OWNER, id, { city })
      yield* Layer.build(layerFeedRetention(Duration.days(7)))
      yield* TestClock.adjust("6 days")
      yield* organizations.edit(OWNER, id, { city: "Treviso" })
      assert.deepStrictEqual(yield* versionsAfter(0), [1, 2, 3, 4])
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual(yield* versionsAfter(2), "Unknown")
      assert.deepStrictEqual(yield* versionsAfter(3), [4])
      yield* TestClock.adjust("30 days")
      assert.deepStrictEqual(yield* versionsAfter(3), [4])
    }).pipe(Effect.provide(Organizations.layer.pipe(Layer.provideMerge(layerStores))))
  )
})
