import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { OrganizationId } from "../domain/Ids.ts"
import { StayPolicyStore, type SweepBatch } from "../ports/StayPolicyStore.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { now } from "./now.ts"

/** How many open stays end together: a movement of one of them waits for that. */
const STAYS_AT_ONCE = 500

/** How many accesses end together: nobody waits for them. */
const ACCESSES_AT_ONCE = 2_000

/** How many of each one turn may end for an organization; what is left waits for the next. */
const MOST = 100_000

const abandonedStays = Metric.counter("sojourn_stays_abandoned_total", {
  description: "Stays that the stay policy abandoned",
  incremental: true
})

const forgottenAccesses = Metric.counter("sojourn_accesses_forgotten_total", {
  description: "Accesses that were forgotten after their retention",
  incremental: true
})

/** What a sweep came to. */
export interface Swept {
  readonly abandoned: number
  readonly forgotten: number
  /** Organizations that were not swept to the end; the next sweep tries again. */
  readonly failures: ReadonlyArray<StoreError>
}

/** Does what stay policies say, for whoever runs it now and then (contract, section 4, rule 8). */
export class Sweeps extends Context.Service<
  Sweeps,
  {
    /**
     * Sweeps every organization that has a policy and that nobody swept within `every`: of several servers that sweep one
     * storage so often, one sweeps an organization, and never two at a time.
     */
    readonly sweep: (every: Duration.Input) => Effect.Effect<Swept, StoreError>
  }
>()("@sojourn/core/Sweeps") {
  static readonly layer: Layer.Layer<Sweeps, never, StayPolicyStore> = Layer.effect(
    Sweeps,
    Effect.gen(function* () {
      const store = yield* StayPolicyStore
      // They are told of from the beginning, and not only once something was swept.
      yield* Metric.update(abandonedStays, 0)
      yield* Metric.update(forgottenAccesses, 0)

      const sweepOrganization = Effect.fnUntraced(function* (organizationId: OrganizationId, every: number) {
        const at = yield* now
        const turn = yield* store.takeTurn({ organizationId, every, now: at })
        if (Option.isNone(turn)) return { abandoned: 0, forgotten: 0 }
        const end = Effect.fnUntraced(function* (
          one: (batch: SweepBatch) => Effect.Effect<number, StoreError>,
          most: number,
          counter: Metric.Counter<number>
        ) {
          let ended = 0
          while (ended < MOST) {
            const some = yield* one({ turn: turn.value, now: at, most })
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
          const [swept, failures] = yield* Effect.partition(organizations, (id) => sweepOrganization(id, interval))
          const sum = (field: "abandoned" | "forgotten") => swept.reduce((sum, one) => sum + one[field], 0)
          return { abandoned: sum("abandoned"), forgotten: sum("forgotten"), failures }
        })
      })
    })
  )
}
