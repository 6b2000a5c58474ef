/** How long musters are kept. */
import { layerStores } from "@sojourn/adapter-memory"
import { MusterId, Musters, Organizations } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { layerMusterRetention } from "@sojourn/service"
import { anOrganization, OWNER } from "./fixtures.ts"

/** The use cases of this file, and the stores beneath them. */
const layerBoth = Layer.provideMerge(Layer.mergeAll(Musters.layer, Organizations.layer), layerStores)

describe("the retention of musters", () => {
  it.effect("removes musters that ended longer ago, again and again, and no open one", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* anOrganization("authenticated")
      const musters = yield* Musters
      const start = musters.start(OWNER, { organizationId, kind: "drill" })
      const ids = Effect.map(musters.list(OWNER, organizationId), (all) => all.map(({ id }) => id))
      const first = yield* start
      yield* TestClock.adjust("10 hours")
      yield* musters.end(OWNER, first.id)
      const second = yield* start
      yield* TestClock.adjust("23 hours")
      assert.deepStrictEqual(yield* ids, [second.id, first.id])
      yield* musters.end(OWNER, second.id)
      const third = yield* start
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(yield* ids, [third.id, second.id])
      assert.strictEqual((yield* Effect.flip(musters.get(OWNER, first.id)))._tag, "MusterNotFound")
      yield* TestClock.adjust("30 hours")
      assert.deepStrictEqual(yield* ids, [third.id])
    }).pipe(Effect.provide(layerMusterRetention(Duration.hours(24)).pipe(Layer.provideMerge(layerBoth))))
  )

  it.effect("removes all expired musters, in several batches", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* anOrganization("anonymous")
      const musters = yield* Musters
      for (let n = 0; n < 120; n++) {
        const { id } = yield* musters.start(OWNER, { organizationId, kind: "drill" })
        yield* musters.end(OWNER, id)
      }
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* musters.forget("1 day"), 0)
      yield* TestClock.adjust("1 milli")
      assert.strictEqual(yield* musters.forget("1 day"), 120)
      assert.deepStrictEqual(yield* musters.list(OWNER, organizationId), [])
      assert.strictEqual((yield* Effect.flip(musters.get(OWNER, MusterId.make(1n))))._tag, "MusterNotFound")
    }).pipe(Effect.provide(layerBoth))
  )
})
