/** When the events of presence are published. */
import { layerStores } from "@sojourn/adapter-memory"
import {
  Organizations,
  OrganizationPremises,
  PresenceFeed,
  StayLog,
  publishPresence,
  Timestamp,
  UserId
} from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { anAnonymousOrganization } from "./fixtures.ts"

const layer = Layer.provideMerge(Organizations.layer, layerStores)

describe("events of presence", () => {
  it.effect(
    "are published within 20 ms when no interval applies, and polled rarely while all wait for their interval",
    () =>
      Effect.gen(function* () {
        const { id } = yield* anAnonymousOrganization("one")
        const feed = yield* PresenceFeed
        const log = yield* StayLog
        let calls = 0
        const counted = PresenceFeed.of({
          ...feed,
          publish: (now) =>
            Effect.suspend(() => {
              calls++
              return feed.publish(now)
            })
        })
        yield* Effect.forkChild(Effect.provideContext(publishPresence, Context.make(PresenceFeed, counted)))
        const enter = Effect.gen(function* () {
          const now = Timestamp(yield* Clock.currentTimeMillis)
          const premises = OrganizationPremises(id)
          yield* log.open({
            premises,
            userId: UserId.make("user"),
            claim: { now, timestamp: undefined, orgAuthServerId: undefined },
            keyId: 0,
            retryKey: Option.none()
          })
        })
        const version = Effect.map(feed.snapshots([id]), ([snapshot]) => snapshot!.version)
        yield* TestClock.adjust(5000)
        yield* enter
        yield* TestClock.adjust(20)
        assert.strictEqual(yield* version, 1)
        calls = 0
        for (let i = 0; i < 300; i++) {
          yield* enter
          yield* TestClock.adjust(10)
        }
        assert.isAtLeast(yield* version, 3)
        assert.isAtMost(yield* version, 4)
        assert.isBelow(calls, 30)
      }).pipe(Effect.provide(layer))
  )
})
