/** Use cases on the history of presence, and its upkeep. */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator, DisplayCaller } from "../../domain/accounts/Caller.ts"
import { readerOf } from "../../domain/accounts/Reader.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import {
  type HistoryQuery,
  type HistoryRangeInvalid,
  historyRange,
  type HistoryRow,
  historyRows
} from "../../domain/history/PresenceHistory.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import { HistoryStore } from "../../ports/history/HistoryStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { forgetOlder } from "../shared/forgetting.ts"
import { now } from "../shared/now.ts"

/** Events of each organization per roll-up. */
const EVENTS_AT_ONCE = 500

/** Buckets per deletion. */
const BUCKETS_AT_ONCE = 5_000

/** In a query: the time zone of the organization's policy. */
export const ORGANIZATION_TIME_ZONE = "organization"

/** Reads how many people came, left and were inside over time, and keeps the history small. */
export class Histories extends Context.Service<
  Histories,
  {
    /**
     * One row for each step of the range in which the feed of the premises had begun. The time zone may be {@link ORGANIZATION_TIME_ZONE}. Any
     * level may read it, and displays of the organization.
     */
    readonly rows: (
      caller: Administrator | DisplayCaller,
      premises: Premises,
      query: HistoryQuery
    ) => Effect.Effect<
      ReadonlyArray<HistoryRow>,
      HistoryRangeInvalid | PremisesNotFound | PermissionTooLow | StoreError
    >
    /** Adds all events to the buckets; to be run each minute. Servers on one storage share the work. */
    readonly rollUp: Effect.Effect<void, StoreError>
    /** Forgets minutes that are longer ago than a retention. Answers how many buckets. */
    readonly forgetMinutes: (retention: Duration.Input) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/Histories") {
  static readonly layer: Layer.Layer<Histories, never, HistoryStore> = Layer.effect(
    Histories,
    Effect.gen(function* () {
      const store = yield* HistoryStore
      return Histories.of({
        rows: Effect.fnUntraced(function* (caller, premises, query) {
          const isOwn = query.timeZone === ORGANIZATION_TIME_ZONE
          const timeZone = isOwn ? yield* store.timeZone(premises) : query.timeZone
          const range = yield* Effect.fromResult(historyRange({ ...query, timeZone }))
          const stored = yield* store.read(readerOf(caller), premises, range)
          return historyRows(range, stored, yield* now)
        }),

        rollUp: Effect.gen(function* () {
          while ((yield* store.rollUp(EVENTS_AT_ONCE)) > 0);
        }),

        forgetMinutes: (retention) => forgetOlder(retention, BUCKETS_AT_ONCE, store.forgetMinutes)
      })
    })
  )
}
