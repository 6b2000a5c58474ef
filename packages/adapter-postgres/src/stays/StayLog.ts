/** The port `StayLog` in PostgreSQL. */
import {
  type ClosedStay,
  type Closing,
  ExitNotMatched,
  type Opened,
  type Opening,
  type OrgAuthServerId,
  PremisesNotFound,
  requireTimely,
  settle,
  StayLog,
  type StoreError
} from "@sojourn/core"
import { Context, Effect, type Latch, Option, Result } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { CONCURRENCY_WHEN_SLOW } from "../batching/batchLists.ts"
import { makeBatchQueue } from "../batching/BatchQueue.ts"
import { apartInTransactions, recoverSingle, single } from "../database/BulkStatement.ts"
import { type Database, isOfItsRows, WriteConflict } from "../database/Database.ts"
import { factsFor } from "../database/premises.sql.ts"
import type { PremisesDirectory, PremisesKey } from "../database/PremisesDirectory.ts"
import { requireRow, timestampOf } from "../database/rows.ts"
import type { Storing } from "../database/Storing.ts"
import type { QueueKeys } from "../queueing/PendingQueue.ts"
import { makeOpenEnding } from "./entrancesEnding.ts"
import {
  type NeedsTransaction,
  type FactsRow,
  factsOf,
  makeTrackingModes,
  movements,
  type Moving,
  type OpeningRefusal,
  organizationOf,
  type Settled,
  type TrackingModes,
  wasAnonymous
} from "./movements.ts"
import type { LocatedOpening } from "./movementStatement.ts"
import { makeStayReads } from "./StayReads.ts"

/**
 * Group commit: whether movements, counters and lists that wait at the same moment share a statement, and movements a commit.
 * True unless provided as false. Each movement is answered after its commit either way.
 */
export const GroupCommit = Context.Reference("@sojourn/adapter-postgres/GroupCommit", { defaultValue: () => true })

/** The facts and the stay of an exit, open or closed: $1 the organization, $2 the place, $3 the stay, $4 the user. */
const STAY_OF_EXIT = `
with facts as (${factsFor("$4")}
)
select facts.tracking_mode, facts.linked, s.person, s.entered_at, s.exited_at
from facts
left join (
  select person, entered_at, null::timestamptz as exited_at
  from open_stay where organization_id = $1::bigint and place_id = $2::bigint and id = $3::bigint
  union all
  select person, entered_at, exited_at
  from stay where organization_id = $1::bigint and place_id = $2::bigint and id = $3::bigint
) s on true`

interface StayRow extends FactsRow {
  readonly person: OrgAuthServerId | null
  /** Null where there is no such stay. */
  readonly entered_at: Date | null
  /** Null while the stay is open. */
  readonly exited_at: Date | null
}

/**
 * Movements of one user keep their order. In an anonymous organization only entrances with one retry key do, as other movements
 * are independent.
 */
const keysOf = (moving: Moving, modes: TrackingModes): QueueKeys => {
  const fairnessKey = organizationOf(moving)
  if (!wasAnonymous(modes, fairnessKey)) {
    const { userId } = moving._tag === "Opening" ? moving.opening : moving.closing
    return { fairnessKey, orderingKey: `${fairnessKey} ${userId}` }
  }
  return {
    fairnessKey,
    orderingKey: moving._tag === "Opening" ? Option.getOrUndefined(moving.opening.retryKey) : undefined
  }
}

/** Can the exit close its stay? An exit of other premises, or with a time too far ahead or too long ago, is not tried. */
const isPossible = ({ premises, stay, claim }: Closing) =>
  (premises._tag === "PlacePremises" || premises.organizationId === stay.organizationId) &&
  Result.isSuccess(requireTimely(claim))

/** Makes the stay log. Movements that wait at the same moment share a statement as long as the scope is open, unless {@link GroupCommit} is off. */
export const makeStayLog = Effect.fnUntraced(function* (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing,
  ready: Effect.Effect<void, StoreError>,
  appended: Latch.Latch
) {
  const modes = makeTrackingModes()
  const statement = movements(db, modes, appended)
  const openEnding = makeOpenEnding(db)

  const areBatched = yield* GroupCommit
  const queue = areBatched
    ? yield* makeBatchQueue(statement, {
        name: "movements",
        ready,
        apart: apartInTransactions(statement, storing, organizationOf),
        largestBatch: 256,
        concurrency: 1,
        concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW,
        mostPending: 10_000
      })
    : undefined
  const move = queue
    ? (moving: Moving) => queue.submit(moving, keysOf(moving, modes))
    : single(statement, storing, organizationOf)

  /** Which of the two entrances of an organization that end other stays at once the next one follows. */
  let isSecond = false

  /** Writes an entrance that ends other stays, in one transaction. It locks no row of its organization: two of an organization run at once. */
  const openInTransaction = (located: LocatedOpening) => {
    isSecond = !isSecond
    const fairnessKey = located.organizationId
    const orderingKey = `bigint ${fairnessKey}${isSecond ? " entering" : ""}`
    const opening = Effect.catchIf(
      db.transaction(openEnding(located)),
      (error) => isSqlError(error) && isOfItsRows(error),
      // As in a batch: of entrances with one retry key at the same moment all but one run again, and find that one.
      (error) => Effect.flatten(recoverSingle(statement, located, error as SqlError))
    )
    return Effect.tap(storing.unaudited({ fairnessKey, orderingKey })("enter and leave", opening), appended.open)
  }

  const open = (opening: Opening, { organizationId, placeId }: PremisesKey) => {
    const located: LocatedOpening = { _tag: "Opening", organizationId, placeId, opening }
    if (opening.leaves !== undefined && opening.leaves.length > 0) return openInTransaction(located)
    return Effect.catchTag(
      move(located) as Effect.Effect<Opened, OpeningRefusal | NeedsTransaction | StoreError>,
      "NeedsTransaction",
      () => openInTransaction(located)
    )
  }

  const close = (closing: Closing, isLookedUp: boolean) =>
    move({ _tag: "Closing", closing, isLookedUp }) as Effect.Effect<Settled, StoreError>

  /** Answers an exit that was not written: with the reason, or with the stay that an earlier exit closed. */
  const explain = (closing: Closing) =>
    storing.gen("explain an exit", function* () {
      const { premises, stay: locator, userId, claim } = closing
      const { organizationId, placeId } = yield* directory.require(premises)
      const rows = db.run<StayRow>(STAY_OF_EXIT, [organizationId, placeId, locator.stayId, userId])
      const row = yield* requireRow(rows, () => new PremisesNotFound({ premises }))
      if (row.entered_at === null || organizationId !== locator.organizationId) return yield* new ExitNotMatched()
      const stay = {
        id: locator.stayId,
        organizationId,
        premises,
        orgAuthServerId: row.person ?? undefined,
        entrance: timestampOf(row.entered_at)
      }
      if (row.exited_at !== null) {
        const closed: ClosedStay = { _tag: "ClosedStay", ...stay, exit: timestampOf(row.exited_at) }
        return yield* Effect.fromResult(settle(factsOf(row), closed, claim))
      }
      yield* Effect.fromResult(settle(factsOf(row), { _tag: "OpenStay", ...stay, keyId: 0 }, claim))
      // The rule allows it: the stay is of a person, or the facts changed.
      return yield* Option.getOrElse(
        Option.map(yield* close(closing, true), (closed) => Effect.succeed(closed)),
        () => Effect.fail(new WriteConflict())
      )
    })

  return StayLog.of({
    open: (opening) => {
      const known = directory.known(opening.premises)
      if (known !== undefined) return open(opening, known)
      return Effect.flatMap(storing("find a place", directory.require(opening.premises)), (key) => open(opening, key))
    },

    close: (closing) =>
      isPossible(closing)
        ? Effect.flatMap(close(closing, false), (closed) =>
            Option.isSome(closed) ? Effect.succeed(closed.value) : explain(closing)
          )
        : explain(closing),

    ...(yield* makeStayReads(db, directory, storing, ready, areBatched))
  })
})
