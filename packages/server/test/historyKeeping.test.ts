/** `--history-retention`: when a server rolls up presence events, and when it forgets minutes. */
import { assert, describe, it } from "@effect/vitest"
import { layerStores } from "@sojourn/adapter-memory"
import {
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
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { anOrganization, OWNER } from "./services/fixtures.ts"

const DAY = 86_400_000

describe("the keeping of histories", () => {
  it.effect("rolls up each minute, and forgets minutes after the retention", () =>
    Effect.gen(function* () {
      const premises = OrganizationPremises((yield* anOrganization("anonymous")).id)
      const read = (step: HistoryStep) =>
        HistoryStore.use((store) =>
          store.read(OWNER.administratorId, premises, { step, from: Timestamp(0), to: Timestamp(DAY) })
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
      yield* TestClock.adjust("89 days")
      assert.lengthOf((yield* read("minute")).buckets, 1)
      yield* TestClock.adjust("2 days")
      assert.lengthOf((yield* read("minute")).buckets, 0)
      for (const step of ["hour", "day"] as const) assert.lengthOf((yield* read(step)).buckets, 1)
    }).pipe(
      Effect.provide(
        layerHistoryKeeping(Duration.days(90)).pipe(
          Layer.provideMerge(Organizations.layer),
          Layer.provideMerge(layerStores)
        )
      )
    )
  )
})
