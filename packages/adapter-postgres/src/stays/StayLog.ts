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
import { type Database, Overtaken, type Storing } from "../database/Database.ts"
import { ABREAST_WHEN_SLOW, makeLane } from "../batching/BatchQueue.ts"
import { makeModes } from "./TrackingModeCache.ts"
import { type Moving, movements } from "./movements.ts"
import type { OpeningRefusal } from "./openings.ts"
import type { PremisesDirectory, PremisesKey } from "../database/PremisesDirectory.ts"
import { makeStayReads } from "./StayReads.ts"

/**
 * Whether movements that wait at the same moment share one statement and one commit; they do, unless this is provided as
 * false. Each is answered after its commit either way.
 */
export const GroupCommit = Context.Reference("@sojourn/adapter-postgres/GroupCommit", { defaultValue: () => true })

/** How many movements share one statement at most: more would cost each of them as much, and the first of them time. */
const LARGEST_BATCH = 256

/** How many movements are on their way at once where each is written by itself: more than there are connections. */
const MOST_ABREAST = 32

/** How many movements may wait to be written. */
const MOST_WAITING = 10_000

/** The stays in PostgreSQL. It writes movements as long as the scope is open. */
export const makeStayLog = Effect.fnUntraced(function* (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing,
  ready: Effect.Effect<void, StoreError>
) {
  const lane = yield* makeLane({
    name: "movements",
    ready,
    ...((yield* GroupCommit)
      ? { largestBatch: LARGEST_BATCH, abreast: 1, abreastWhenSlow: ABREAST_WHEN_SLOW }
      : { largestBatch: 1, abreast: MOST_ABREAST }),
    mostWaiting: MOST_WAITING
  })
  const modes = makeModes()
  const batched = movements(db, modes)

  /**
   * Writes a movement, with others. Movements of one person keep to the order in which they came, and so do entrances with
   * one retry key; where people are nobody, every other movement stands for itself.
   */
  const write = (moving: Moving, organizationId: OrganizationId, userId: UserId, retryKey: RetryKey | undefined) =>
    lane.ride(batched, moving, {
      line: organizationId,
      turn: modes.isAnonymous(organizationId) ? retryKey : `${organizationId} ${userId}`
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

  /** The exit that was not written: why, or that it was written before. */
  const answerUnwritten = (closing: Closing) =>
    storing(
      "explain an exit",
      Effect.catchTag(explain(db, directory, closing), "Overtaken", () =>
        Effect.flatMap(
          close(closing, true),
          Option.match({ onNone: () => Effect.fail(new Overtaken()), onSome: (closed) => Effect.succeed(closed) })
        )
      )
    )

  /** Can the exit close its stay at all? One of other premises, or too far ahead, is not tried. */
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
