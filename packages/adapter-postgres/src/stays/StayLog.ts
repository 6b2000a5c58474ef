import { type Closing, type Opened, type Opening, requireTimely, type StayLog, type StoreError } from "@sojourn/core"
import { Effect, type Latch, Option, Result } from "effect"
import { explain, type Settled } from "./closings.ts"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { recoverSingle } from "../database/BulkStatement.ts"
import { type Database, isOfItsRows, WriteConflict } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { makeOpenEnding } from "./entrancesEnding.ts"
import type { EndsOthers, LocatedOpening, OpeningRefusal } from "./openings.ts"
import type { PremisesDirectory, PremisesKey } from "../database/PremisesDirectory.ts"
import { makeStayReads } from "./StayReads.ts"
import type { StayOperations, StayStatements } from "./StayStatements.ts"

/**
 * Makes the stay log on PostgreSQL from the operations of its frequent statements: one by one (`oneByOne`) or batched
 * (`batchStays`).
 */
export const makeStayLog = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing,
  operations: StayOperations,
  statement: StayStatements["move"],
  appended: Latch.Latch
): StayLog["Service"] => {
  const openEnding = makeOpenEnding(db, directory, statement)

  let entrances = 0

  /**
   * Writes an entrance that ends other stays, in one transaction. It locks no row of its organization: two of an organization have turns at
   * once.
   */
  const openInTransaction = (located: LocatedOpening) => {
    const fairnessKey = located.organizationId
    const orderingKey = `bigint ${fairnessKey}${entrances++ % 2 === 0 ? "" : " entering"}`
    const opening = Effect.catchIf(
      db.transaction(Effect.catchTag(openEnding(located), "EndsOthers", Effect.die)),
      (error) => isSqlError(error) && isOfItsRows(error),
      // As in a batch: of entrances with one retry key at the same moment all but one run again, and find that one.
      (error) => Effect.flatten(recoverSingle(statement, located, error as SqlError))
    )
    return Effect.tap(storing.by({ fairnessKey, orderingKey })("enter and leave", opening), appended.open)
  }

  const open = (opening: Opening, { organizationId, placeId }: PremisesKey) => {
    const located: LocatedOpening = { _tag: "Opening", organizationId, placeId, opening }
    const ending: LocatedOpening = { ...located, endsOthers: true }
    if (opening.leaves !== undefined && opening.leaves.length > 0) return openInTransaction(ending)
    return Effect.catchTag(
      operations.move(located) as Effect.Effect<Opened, OpeningRefusal | EndsOthers | StoreError>,
      "EndsOthers",
      () => openInTransaction(ending)
    )
  }

  const close = (closing: Closing, isLookedUp: boolean) =>
    operations.move({ _tag: "Closing", closing, isLookedUp }) as Effect.Effect<Settled, StoreError>

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

  /** Can the exit close its stay? An exit of other premises, or with a time too far ahead or too long ago, is not tried. */
  const isPossible = ({ premises, stay, claim }: Closing) =>
    (premises._tag === "PlacePremises" || premises.organizationId === stay.organizationId) &&
    Result.isSuccess(requireTimely(claim))

  return {
    open: (opening) => {
      const known = directory.known(opening.premises)
      if (known !== undefined) return open(opening, known)
      return Effect.flatMap(storing("find a place", directory.require(opening.premises)), (key) => open(opening, key))
    },

    close: (closing) =>
      isPossible(closing)
        ? Effect.flatMap(close(closing, false), (closed) =>
            Option.isSome(closed) ? Effect.succeed(closed.value) : answerUnwritten(closing)
          )
        : answerUnwritten(closing),

    ...makeStayReads(db, directory, storing, operations)
  }
}
