/** The use case that applies stay policies. It works in batches and by lease, so that servers share the work. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import { StayPolicyStore, type SweepBatch } from "../../ports/policies/StayPolicyStore.ts"
import { StoreError } from "../../ports/shared/StoreError.ts"
import { reportFailure } from "../shared/backgroundFailures.ts"
import { now } from "../shared/now.ts"

/** Open stays per batch. A movement of one of them waits until the batch ends. */
const STAYS_AT_ONCE = 500

/** Accesses per batch. No request waits for them. */
const ACCESSES_AT_ONCE = 2_000

/** The most stays, and the most accesses, that one lease may end; the rest is left for the next sweep. */
const MAX_ENDED = 100_000

const abandonedStays = Metric.counter("sojourn_stays_abandoned_total", {
  description: "Stays that the stay policy abandoned",
  incremental: true
})

const forgottenAccesses = Metric.counter("sojourn_accesses_forgotten_total", {
  description: "Accesses that were forgotten after their retention",
  incremental: true
})

/** The result of a sweep. */
export interface Swept {
  readonly abandoned: number
  readonly forgotten: number
  /** One failure for each organization that was not swept to the end, and of what concerns all. The next sweep retries it. */
  readonly failures: ReadonlyArray<StoreError>
}

/** Applies all stay policies; to be run periodically (spec: policies#sweep). */
export class Sweeps extends Context.Service<
  Sweeps,
  {
    /**
     * Sweeps every organization that has a policy and was not swept within `every`. When several servers share one storage,
     * one of them sweeps an organization, and never two at a time.
     */
    readonly sweep: (every: Duration.Input) => Effect.Effect<Swept, StoreError>
  }
>()("@sojourn/core/Sweeps") {
  static readonly layer: Layer.Layer<Sweeps, never, StayPolicyStore> = Layer.effect(
    Sweeps,
    Effect.gen(function* () {
      const store = yield* StayPolicyStore
      // Both counters are exported from the start, not only after the first sweep.
      yield* Metric.update(abandonedStays, 0)
      yield* Metric.update(forgottenAccesses, 0)

      const sweepOrganization = Effect.fnUntraced(function* (organizationId: OrganizationId, every: number) {
        const at = yield* now
        const lease = yield* store.takeLease({ organizationId, every, now: at })
        if (Option.isNone(lease)) return { abandoned: 0, forgotten: 0 }
        const end = Effect.fnUntraced(function* (
          one: (batch: SweepBatch) => Effect.Effect<number, StoreError>,
          most: number,
          counter: Metric.Counter<number>
        ) {
          let ended = 0
          while (ended < MAX_ENDED) {
            const some = yield* one({ lease: lease.value, now: at, most, isFirst: ended === 0 })
            yield* Metric.update(counter, some)
            ended += some
            if (some < most) break
          }
          return ended
        })
        return {
          abandoned: yield* end(store.abandon, STAYS_AT_ONCE, abandonedStays),
          forgotten: yield* end(store.forget, ACCESSES_AT_ONCE, forgottenAccesses)
        }
      })

      return Sweeps.of({
        sweep: Effect.fnUntraced(function* (every) {
          const interval = Duration.toMillis(Duration.fromInputUnsafe(every))
          const organizations = yield* store.list
          // First what needs no row to be looked at: the rest is deleted access by access.
          const forgetAtOnce = Effect.gen(function* () {
            const forgotten = organizations.length === 0 ? 0 : yield* store.forgetAtOnce(yield* now)
            yield* Metric.update(forgottenAccesses, forgotten)
            return { abandoned: 0, forgotten }
          })
          const [swept, failures] = yield* Effect.partition(
            [forgetAtOnce, ...organizations.map((id) => sweepOrganization(id, interval))],
            // A defect is of one organization as well.
            Effect.catchDefect((cause) => Effect.fail(new StoreError({ operation: "sweep an organization", cause })))
          )
          for (const { operation, cause } of failures) yield* reportFailure(`a sweep (${operation})`, cause)
          const sum = (field: "abandoned" | "forgotten") => swept.reduce((sum, one) => sum + one[field], 0)
          return { abandoned: sum("abandoned"), forgotten: sum("forgotten"), failures }
        })
      })
    })
  )
}
