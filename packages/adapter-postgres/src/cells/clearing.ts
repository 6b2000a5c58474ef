/** Announces an organization in a cell, and deletes what moves leave: copies of a move that was cut off, and the history in the former cell. */
import type { OrganizationId } from "@sojourn/core"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Database } from "../database/Database.ts"
import { holdOrganization, liftStatementTimeout } from "../database/locks.ts"
import { aheadTables, type Between } from "./copying.ts"
import * as sql from "./moving.sql.ts"

/** The departure from a cell that the organization has not come back to, and whose history is there. */
const LEFT = `
select from departure d where kind = 'organization' and id = $1::bigint and not is_cleared
  and not exists (select from arrival a where a.organization_id = $1::bigint and a.number > d.number)
for update`

const COMING = "select from arrival where organization_id = $1::bigint and not is_complete"

/** The transaction that announced the organization. */
export interface Announced {
  readonly announcement: string
}

/** The copy does not fit any more, or is none of the organization's. */
export class CopyOutdated extends Data.TaggedError("CopyOutdated")<{ readonly reason: string }> {}

/** Changes the copy while the organization is surely not leaving: another move of it may be going on. */
export const whileHere = <A>(
  { source, organizationId }: Pick<Between, "source" | "organizationId">,
  change: Effect.Effect<A, SqlError>
) =>
  source.transaction(
    Effect.gen(function* () {
      if ((yield* holdOrganization(source, organizationId)) === undefined)
        return yield* new CopyOutdated({ reason: "it left" })
      return yield* change
    })
  )

/** Deletes what a cell has of the long tables of an organization that is not there. */
const clearHistory = Effect.fnUntraced(function* <E>(
  db: Database,
  organizationId: OrganizationId,
  within: (effect: Effect.Effect<bigint, SqlError>) => Effect.Effect<bigint, E>
) {
  for (const table of aheadTables) {
    const some = Effect.map(
      db.run<{ readonly count: bigint }>(sql.clear(table), [organizationId]),
      ([row]) => row!.count
    )
    while ((yield* within(some)) > 0n);
  }
})

/** Deletes what a cut-off move left in a cell, and writes what is to come there. `within` makes sure that the organization is elsewhere. */
const removeCopy = Effect.fnUntraced(function* <E>(
  db: Database,
  organizationId: OrganizationId,
  within: <A>(change: Effect.Effect<A, SqlError>) => Effect.Effect<A, E | SqlError>,
  then: Effect.Effect<unknown, SqlError>
) {
  const settings = Effect.gen(function* () {
    yield* liftStatementTimeout(db)
    // Who clears what left looks whether it comes back.
    yield* db.run("select from departure where kind = 'organization' and id = $1::bigint for update", [organizationId])
    for (const table of sql.IN_PAUSE.toReversed()) yield* db.run(sql.remove(table), [organizationId])
    yield* then
  })
  yield* within(db.transaction(settings))
  yield* clearHistory(db, organizationId, within)
})

/** Says that the organization comes to the target, where nothing of it is left: from here on no partition is dropped there. */
export const announce = Effect.fnUntraced(function* (between: Between, number: bigint) {
  const { target, organizationId } = between
  let announcement = ""
  const arrive = Effect.map(
    target.run<Announced>(sql.ARRIVE, [organizationId, number]),
    ([row]) => (announcement = row!.announcement)
  )
  yield* removeCopy(target, organizationId, (change) => whileHere(between, change), arrive)
  yield* target.run("update departure set is_cleared = true where organization_id = $1::bigint", [organizationId])
  return announcement
})

/** Deletes what a move left that is given up, where the organization surely is elsewhere or nowhere. */
export const giveUp = <E>(
  db: Database,
  organizationId: OrganizationId,
  within: <A>(change: Effect.Effect<A, SqlError>) => Effect.Effect<A, E | SqlError>
) =>
  Effect.gen(function* () {
    const coming = yield* db.run(COMING, [organizationId])
    if (coming.length === 0) return
    // Who copies there sees that.
    const touch = db.run("update arrival set is_complete = false where organization_id = $1::bigint", [organizationId])
    yield* removeCopy(db, organizationId, within, touch)
    yield* within(
      db.run("delete from arrival where organization_id = $1::bigint and not is_complete", [organizationId])
    )
  })

/** Deletes the history of an organization in a cell that it left, unless it comes back. */
export const clearLeft = Effect.fnUntraced(function* (db: Database, organizationId: OrganizationId) {
  const own = [organizationId]
  yield* clearHistory(db, organizationId, (some) =>
    db.transaction(Effect.flatMap(db.run(LEFT, own), (left) => (left.length === 0 ? Effect.succeed(0n) : some)))
  )
  yield* db.transaction(
    Effect.flatMap(db.run(LEFT, own), (left) =>
      left.length === 0
        ? Effect.void
        : db.run("update departure set is_cleared = true where organization_id = $1::bigint", own)
    )
  )
})
