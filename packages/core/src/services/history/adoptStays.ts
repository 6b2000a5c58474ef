/** The use case that gives an organization the stays that another system counted before. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { NotLinked } from "../../domain/accounts/AccountLink.ts"
import type { Operator } from "../../domain/accounts/Caller.ts"
import { checkEarlierStays, earlierPresence, type EarlierStay } from "../../domain/history/EarlierStay.ts"
import type { ExitToken } from "../../domain/keys/ExitToken.ts"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import type { ExitBeforeEntrance, PremisesNotFound, TimestampInFuture } from "../../domain/stays/Stay.ts"
import { HistoryStore } from "../../ports/history/HistoryStore.ts"
import { StoreError } from "../../ports/shared/StoreError.ts"
import { ExitTokens } from "../keys/ExitTokens.ts"
import { now } from "../shared/now.ts"

/**
 * Gives an anonymous organization the stays that another system counted before the service recorded its first movement: its history begins
 * with the earliest of them, and those without an exit are open (spec: history#adopted-stays). Answers the exit tokens of the open
 * ones, in the order of `stays`; none where a movement was recorded before, and then nothing changes. Stays with an exit are counted and not
 * kept: without a token no caller could list them.
 */
export const adoptStays = Effect.fnUntraced(function* (
  _operator: Operator,
  organizationId: OrganizationId,
  stays: ReadonlyArray<EarlierStay>
): Effect.fn.Return<
  Option.Option<ReadonlyArray<ExitToken>>,
  PremisesNotFound | NotLinked | TimestampInFuture | ExitBeforeEntrance | StoreError,
  HistoryStore | ExitTokens
> {
  const store = yield* HistoryStore
  const { signingKeyId: keyId, derive } = yield* yield* ExitTokens
  const at = yield* now
  yield* Effect.fromResult(checkEarlierStays(stays, at))
  const open = stays.filter(({ exit }) => exit === undefined)
  const beganAt = stays.reduce((first, { entrance }) => (entrance < first ? entrance : first), at)
  const presence = earlierPresence(stays, at)
  const adopted = yield* store.adopt({ organizationId, presence, open, beganAt, keyId, now: at })
  if (Option.isNone(adopted)) return Option.none()
  return Option.some(
    yield* Effect.forEach(adopted.value, (stayId, i) =>
      Effect.mapError(
        Effect.fromOption(derive(keyId, open[i]!.premises, { organizationId, stayId })),
        () => new StoreError({ operation: "derive exit token", cause: `key ${keyId} is not configured` })
      )
    )
  )
})
