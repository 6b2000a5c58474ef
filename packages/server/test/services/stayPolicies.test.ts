/** Stay policies, and the batches of a sweep. */
import { layerStores } from "@sojourn/adapter-memory"
import {
  LongestStay,
  OrganizationId,
  Organizations,
  Retention,
  StayPolicies,
  StayPolicyStore,
  Sweeps
} from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { anOrganization, OPERATOR } from "./fixtures.ts"

const layer = Layer.provideMerge(Layer.merge(Organizations.layer, StayPolicies.layer), layerStores)

describe("a stay policy", () => {
  it.effect(
    "is empty until an operator sets it, keeps fields that a change leaves out, and requires its organization",
    () =>
      Effect.gen(function* () {
        const { id } = yield* anOrganization("anonymous")
        const policies = yield* StayPolicies
        const [longestStay, retention] = [LongestStay.make(3600), Retention.make(86_400)]
        assert.deepStrictEqual({ ...(yield* policies.get(OPERATOR, id)) }, {})
        const changed = yield* policies.change(OPERATOR, id, { longestStay })
        assert.deepStrictEqual(changed, { longestStay, retention: undefined })
        assert.deepStrictEqual(yield* policies.change(OPERATOR, id, { retention }), { longestStay, retention })
        assert.deepStrictEqual(yield* policies.get(OPERATOR, id), { longestStay, retention })
        const organizationId = OrganizationId.make(404n)
        for (const call of [policies.get(OPERATOR, organizationId), policies.change(OPERATOR, organizationId, {})]) {
          assert.deepStrictEqual<unknown>(
            { ...(yield* Effect.flip(call)) },
            { _tag: "OrganizationNotFound", organizationId }
          )
        }
      }).pipe(Effect.provide(layer))
  )
})

describe("a sweep", () => {
  /** A store with an unlimited number of overdue stays and accesses, which records the batch sizes. */
  const bottomless = () => {
    const batches: Array<number> = []
    const some = ({ most }: { readonly most: number }) =>
      Effect.sync(() => {
        batches.push(most)
        return most
      })
    const layer = Layer.effect(
      StayPolicyStore,
      Effect.map(StayPolicyStore, (store) => ({
        ...store,
        list: Effect.succeed([OrganizationId.make(1n)]),
        takeLease: () => Effect.succeedSome({ organizationId: OrganizationId.make(1n), number: 1n }),
        abandon: some,
        forget: some
      }))
    )
    return { batches, layer: Layer.provide(Sweeps.layer, Layer.provide(layer, layerStores)) }
  }

  it.effect("ends 500 stays and 2,000 accesses per batch, 100,000 of each per sweep, and counts them", () => {
    const { batches, layer } = bottomless()
    return Effect.gen(function* () {
      const counted = Effect.map(Metric.snapshot, (all) =>
        all
          .filter(({ id }) => /^sojourn_(stays|accesses)_/.test(id))
          .map(({ type, id, description, state }) => ({ type, id, description, ...state }))
      )
      const of = (count: number) => [
        {
          type: "Counter",
          id: "sojourn_stays_abandoned_total",
          description: "Stays that the stay policy abandoned",
          count,
          incremental: true
        },
        {
          type: "Counter",
          id: "sojourn_accesses_forgotten_total",
          description: "Accesses that were forgotten after their retention",
          count,
          incremental: true
        }
      ]
      const { sweep } = yield* Sweeps
      assert.deepStrictEqual<unknown>(yield* counted, of(0), "reported before the first sweep")
      assert.deepStrictEqual(yield* sweep("1 minute"), { abandoned: 100_000, forgotten: 100_000, failures: [] })
      const atOnce = [...Array.from({ length: 200 }, () => 500), ...Array.from({ length: 50 }, () => 2_000)]
      assert.deepStrictEqual(batches, atOnce)
      assert.deepStrictEqual<unknown>(yield* counted, of(100_000))
    }).pipe(Effect.provide(layer), Effect.provideService(Metric.MetricRegistry, new Map()))
  })
})
