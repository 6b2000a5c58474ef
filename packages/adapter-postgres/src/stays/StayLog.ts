import {
  type Closing,
  notAhead,
  type Opened,
  type Opening,
  type OrganizationId,
  PremisesNotFound,
  type RetryKey,
  type StayLog,
  type StoreError,
  type UserId
} from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { explain, type Settled } from "./closings.ts"
import { type Database, WriteConflict, type Storing } from "../database/Database.ts"
import { CONCURRENCY_WHEN_SLOW, makeBatchQueue } from "../batching/BatchQueue.ts"
import { makeTrackingModeCache } from "./TrackingModeCache.ts"
import { type Moving, movements } from "./movements.ts"
import type { OpeningRefusal } from "./openings.ts"
import type { PremisesDirectory, PremisesKey } from "../database/PremisesDirectory.ts"
import { makeStayReads } from "./StayReads.ts"

/**
 * Group commit: whether movements that wait at the same moment share one statement and one commit. True unless provided as
 * false. Each movement is answered after its commit either way.
 */
export const GroupCommit = Context.Reference("@sojourn/adapter-postgres/GroupCommit", { defaultValue: () => true })

/** The largest number of movements of one statement. A larger one costs as much for each movement, and delays the first. */
const LARGEST_BATCH = 256

/** How many movements are in flight at once without group commit: more than there are connections. */
const MOST_CONCURRENT = 32

/** How many movements may wait to be written. */
const MOST_PENDING = 10_000

/** Makes the stay log on PostgreSQL. It writes movements as long as the scope is open. */
export const makeStayLog = Effect.fnUntraced(function* (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing,
  ready: Effect.Effect<void, StoreError>
) {
  const queue = yield* makeBatchQueue({
    name: "movements",
    ready,
    ...((yield* GroupCommit)
      ? { largestBatch: LARGEST_BATCH, concurrency: 1, concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW }
      : { largestBatch: 1, concurrency: MOST_CONCURRENT }),
    mostPending: MOST_PENDING
  })
  const modes = makeTrackingModeCache()
  const batched = movements(db, modes)

  /**
   * Writes a movement in a batch. Movements of one user keep their order. In an anonymous organization only entrances with one
   * retry key do, as other movements are independent.
   */
  const write = (moving: Moving, organizationId: OrganizationId, userId: UserId, retryKey: RetryKey | undefined) =>
    queue.submit(batched, moving, {
      fairnessKey: organizationId,
      orderingKey: modes.isAnonymous(organizationId) ? retryKey : `${organizationId} ${userId}`
    })

  const open = (opening: Opening, { organizationId, placeId }: PremisesKey) => {
    const retryKey = Option.getOrUndefined(opening.retryKey)
    const moving: Moving = { _tag: "Opening", organizationId, placeId, opening }
    return write(moving, organizationId, opening.userId, retryKey) as Effect.Effect<Opened, OpeningRefusal | StoreError>
  }

  const close = (closing: Closing, isLookedUp: boolean) =>
    write(
      { _tag: "Closing", closing, isLookedUp },
      closing.stay.organizationId,
      closing.userId,
      undefined
    ) as Effect.Effect<Settled, StoreError>

  /** Answers an exit that was not written: with the reason, or with the stay that an earlier exit closed. */
  const answerUnwritten = (closing: Closing) =>
    storing(
      "explain an exit",
      Effect.catchTag(explain(db, directory, closing), "WriteConflict", () =>
        Effect.flatMap(
          close(closing, true),
          Option.match({ onNone: () => Effect.fail(new WriteConflict()), onSome: (closed) => Effect.succeed(closed) })
        )
      )
    )

  /** Can the exit close its stay? An exit of other premises, or with a time too far ahead, is not tried. */
  const isPossible = ({ premises, stay, claim }: Closing) =>
    (premises._tag === "PlacePremises" || premises.organizationId === stay.organizationId) &&
    Result.isSuccess(notAhead(claim))

  return {
    open: (opening) => {
      const known = directory.known(opening.premises)
      if (known !== undefined) return open(opening, known)
      return Effect.flatMap(
        storing("find a place", directory.locate(opening.premises)),
        Option.match({
          onNone: () => Effect.fail(new PremisesNotFound({ premises: opening.premises })),
          onSome: (key) => open(opening, key)
        })
      )
    },

    close: (closing) =>
      isPossible(closing)
        ? Effect.flatMap(close(closing, false), (closed) =>
            Option.isSome(closed) ? Effect.succeed(closed.value) : answerUnwritten(closing)
          )
        : answerUnwritten(closing),

    ...(yield* makeStayReads(db, directory, storing, ready))
  } satisfies StayLog["Service"]
})
