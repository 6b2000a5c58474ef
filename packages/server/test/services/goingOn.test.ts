/** Loops of background work go on after a defect, which ends nothing but the run that met it. */
import { layerStores } from "@sojourn/adapter-memory"
import {
  CountStore,
  DeviceStore,
  layerDailyEndings,
  layerDeviceUpkeep,
  PresenceFeed,
  publishPresence,
  StayEndingStore
} from "@sojourn/core"
import { layerFeedRetention } from "@sojourn/service"
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

/** A store whose operation meets a defect at first, and how often it was called. */
const failingAtFirst = <I, S extends object>(
  port: Context.Service<I, S>,
  operation: keyof S,
  stores: Context.Context<I>
) => {
  const store = Context.get(stores, port)
  const calls = { count: 0 }
  const failing = (...parameters: ReadonlyArray<unknown>) =>
    Effect.suspend(() =>
      ++calls.count === 1
        ? Effect.die(new TypeError("no such time zone"))
        : (store[operation] as (...parameters: ReadonlyArray<unknown>) => Effect.Effect<unknown>)(...parameters)
    )
  return { calls, context: Context.make(port, { ...store, [operation]: failing }) }
}

describe("after a defect", () => {
  it.effect("devices still fall silent, also in the same run, and people counted are reset in the next", () =>
    Effect.gen(function* () {
      const stores = yield* Layer.build(layerStores)
      const counts = failingAtFirst(CountStore, "reset", stores)
      const devices = failingAtFirst(DeviceStore, "markStates", stores)
      yield* Layer.build(
        Layer.provide(layerDeviceUpkeep, Layer.succeedContext(Context.merge(counts.context, devices.context)))
      )
      yield* TestClock.adjust("10 seconds")
      assert.isAtLeast(counts.calls.count, 3)
      assert.strictEqual(devices.calls.count, counts.calls.count)
    })
  )

  it.effect("stays end daily, in the next run", () =>
    Effect.gen(function* () {
      const endings = failingAtFirst(StayEndingStore, "endDue", yield* Layer.build(layerStores))
      yield* Layer.build(Layer.provide(layerDailyEndings, Layer.succeedContext(endings.context)))
      yield* TestClock.adjust("10 seconds")
      assert.isAtLeast(endings.calls.count, 3)
    })
  )

  it.effect("events are published", () =>
    Effect.gen(function* () {
      const feed = failingAtFirst(PresenceFeed, "publish", yield* Layer.build(layerStores))
      yield* Effect.forkScoped(Effect.provideContext(publishPresence, feed.context))
      yield* TestClock.adjust("10 seconds")
      assert.isAtLeast(feed.calls.count, 3)
    })
  )

  it.effect("events are forgotten", () =>
    Effect.gen(function* () {
      const feed = failingAtFirst(PresenceFeed, "forget", yield* Layer.build(layerStores))
      yield* Layer.build(Layer.provide(layerFeedRetention(Duration.days(7)), Layer.succeedContext(feed.context)))
      yield* TestClock.adjust("1 hour")
      assert.isAtLeast(feed.calls.count, 3)
    })
  )
})
