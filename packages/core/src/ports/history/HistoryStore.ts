import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AdministratorId } from "../../domain/shared/Ids.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { HistoryRange, StoredHistory } from "../../domain/history/PresenceHistory.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/**
 * The history of premises: buckets of what their feeds told, and how far each feed is in them. A history ends with its premises.
 *
 * - A `PresenceChanged` is in the history from when it is told: first as a change, then in buckets. Its exits, and how long their stays
 *   were, are those of the deltas that it told.
 * - `rollUp` adds events of some organizations to their buckets of every step by the rule `mergeBuckets`: of each at most `most` events, in
 *   the order of their versions, from where the last roll-up ended. The buckets and this position are written as one step, so each event
 *   is added exactly once, whatever fails, and however many servers roll up. It answers how many events it added; 0 when nothing is left
 *   but what another transaction is writing.
 * - An event must be in the buckets before its feed forgets it: `PresenceFeed.forget` rolls up what it removes.
 * - `read` answers, to an administrator whom `requireLevel` admits as a viewer, what `historyRows` needs, as of one moment. The smallest
 *   count is by the rule `smallestCountOf`.
 * - `forgetMinutes` removes buckets of minutes before a time, at most `most`, and answers how many. Rows of minutes before that time
 *   are not told from then on. Hours and days stay.
 */
export class HistoryStore extends Context.Service<
  HistoryStore,
  {
    readonly read: (
      administratorId: AdministratorId,
      premises: Premises,
      range: HistoryRange
    ) => Effect.Effect<StoredHistory, PremisesNotFound | PermissionTooLow | StoreError>
    readonly rollUp: (most: number) => Effect.Effect<number, StoreError>
    readonly forgetMinutes: (before: Timestamp, most: number) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/HistoryStore") {}
