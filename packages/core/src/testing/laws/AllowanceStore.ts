import { assert, layer as sharedLayer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import type * as Layer from "effect/Layer"
import type { Allowance } from "../../domain/Allowance.ts"
import { AllowanceStore } from "../../ports/AllowanceStore.ts"

const HOUR = 3_600_000

const someName = () => `name ${SecureRandom.uuidV4Unsafe()}`

const spend = (name: string, allowance: Allowance) => AllowanceStore.use((store) => store.spend(name, allowance))

/** Spends so often at the same moment. Answers how often it was granted, and the longest wait. */
const spendAtOnce = (times: number, name: string, allowance: Allowance) =>
  Effect.map(
    Effect.all(
      Array.from({ length: times }, () => spend(name, allowance)),
      { concurrency: "unbounded" }
    ),
    (waits) => ({ granted: waits.filter((wait) => wait === 0).length, wait: Math.max(...waits) })
  )

/** What every `AllowanceStore` promises. */
export const allowanceStoreLaws = <E>(name: string, store: Layer.Layer<AllowanceStore, E>): void => {
  sharedLayer(store, { excludeTestServices: true, timeout: "60 seconds" })(`${name}: AllowanceStore`, (it) => {
    it.effect("grants an allowance and no more of it, one after the other", () =>
      Effect.gen(function* () {
        const allowance = { most: 3, window: HOUR }
        const name = someName()
        const waits = yield* Effect.all(Array.from({ length: 5 }, () => spend(name, allowance)))
        assert.deepStrictEqual(
          waits.map((wait) => wait === 0),
          [true, true, true, false, false]
        )
        for (const wait of waits.slice(3)) assert.isTrue(wait > 0 && wait <= HOUR, `a wait of ${wait}`)
      })
    )

    it.effect("grants no more of it to 100 requests at the same moment", () =>
      Effect.gen(function* () {
        const allowance = { most: 37, window: HOUR }
        const name = someName()
        const first = yield* spendAtOnce(100, name, allowance)
        assert.strictEqual(first.granted, 37)
        assert.strictEqual((yield* spendAtOnce(100, name, allowance)).granted, 0)
      })
    )

    it.effect("keeps names apart", () =>
      Effect.gen(function* () {
        const allowance = { most: 2, window: HOUR }
        const several = Array.from({ length: 50 }, () => someName())
        const granted = yield* Effect.forEach(several, (name) => spendAtOnce(5, name, allowance), {
          concurrency: "unbounded"
        })
        for (const each of granted) assert.strictEqual(each.granted, 2)
      })
    )

    it.effect("grants a whole allowance again after the wait that it answered", () =>
      Effect.gen(function* () {
        const allowance = { most: 1, window: 500 }
        const name = someName()
        for (let round = 0; round < 3; round++) {
          let wait = yield* spend(name, allowance)
          // Where a store takes its time the window may be over before the second request.
          for (let tries = 0; wait === 0 && tries < 100; tries++) wait = yield* spend(name, allowance)
          assert.isTrue(wait > 0 && wait <= allowance.window, `a wait of ${wait}`)
          yield* Effect.sleep(wait)
          assert.strictEqual(yield* spend(name, allowance), 0)
        }
      })
    )
  })
}
