import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Reader } from "../../domain/accounts/Reader.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { HistoryRange, StoredHistory } from "../../domain/history/PresenceHistory.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/**
 * The history of premises: buckets of what their feeds had, and how far each feed is in them (spec: history#rows).
 *
 * A `PresenceChanged` is in the history from its event on: first as a change, then in buckets. Its exits, and how long their
 * stays were, are those of its pending changes. `PresenceFeed.forget` rolls up what it removes. A history ends with its premises.
 */
export class HistoryStore extends Context.Service<
  HistoryStore,
  {
    /**
     * For viewers and displays: reads what `historyRows` needs, as of one moment.
     * The smallest count is by the rule `smallestCountOf`. What an event has of exits, `isInMeanStay`.
     * Laws: `history/HistoryStore/index.ts` "rows are what the feed published, whatever of it is in buckets", "viewers and
     * displays read; administrators who are not bound, and displays of others, are refused", "a mean stay after an anonymous time is of people alone, exactly, and of an anonymous time
     * never is"; `history/HistoryStore/races.ts` "a history is read as of one moment: what is published
     * and rolled up meanwhile is in it once, or not at all".
     */
    readonly read: (
      reader: Reader,
      premises: Premises,
      range: HistoryRange
    ) => Effect.Effect<StoredHistory, PremisesNotFound | PermissionTooLow | StoreError>
    /**
     * Reads the time zone of the policy of the organization that has the premises; undefined where none is set.
     * Law: `history/HistoryStore/index.ts` "the time zone of a history is that of the organization's policy".
     */
    readonly timeZone: (premises: Premises) => Effect.Effect<string | undefined, PremisesNotFound | StoreError>
    /**
     * Adds events of some organizations to their buckets by the rule `mergeBuckets`, and answers how many.
     * Of each organization it takes at most `most` events, in the order of their versions, from where the last roll-up ended.
     * Buckets and position are written as one step. It answers 0 when nothing is left but what another transaction is
     * writing.
     * Concurrent calls add each event once.
     * Law: `history/HistoryStore/index.ts` "servers that roll up at one moment add each event once".
     */
    readonly rollUp: (most: number) => Effect.Effect<number, StoreError>
    /**
     * Removes buckets of minutes before a time, at most `most`, and answers how many. Hours and days stay.
     * Rows of minutes before that time are left out from then on. Minutes of an organization stay for `IMPORT_PAUSE_MS` after an import,
     * as the next one needs them.
     * Racing calls count each bucket once, and the latest of their times counts.
     * Laws: `history/HistoryStore/index.ts` "forgotten minutes are published no more, hours and days are", "forgotten minutes are published
     * no more where nothing has happened yet"; `history/HistoryStore/races.ts` "of calls that forget minutes at the same moment each bucket is
     * forgotten by one", "of times that minutes are forgotten before at the same moment the latest counts".
     */
    readonly forgetMinutes: (before: Timestamp, most: number) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/HistoryStore") {}
