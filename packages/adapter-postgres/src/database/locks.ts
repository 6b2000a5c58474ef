/** The locks that several stores take: on an organization's row, and on the table of open stays. */
import { type OrganizationId, OrganizationNotFound, type Preview } from "@sojourn/core"
import { Data, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { CurrentJoined, type Database, isLockTimeout, notInTransaction } from "./Database.ts"

/** Makes a statement on an organization's row; undefined where there is none, or where it was deleted during the wait for the lock. */
export const onOrganization =
  <Columns>(statement: string) =>
  <Row extends object>(db: Database, organizationId: bigint) =>
    Effect.map(db.run<Row & Columns>(statement, [organizationId]), ([row]): (Row & Columns) | undefined => row)

const READ = "select * from organization where id = $1::bigint"

/** Locks the organization $1, and returns its columns. */
export const LOCK_ORGANIZATION = `
update organization set revision = revision + 1 where id = $1::bigint returning *`

/**
 * Locks an organization's row until the transaction ends, and counts that in its `revision`: changes of one organization's area, places and
 * permissions are serialized by this lock, and what was read with a revision holds while there is no other. A transaction reads the facts of
 * its decision after the lock was granted. Movements do not wait for this lock.
 */
export const lockOrganization = onOrganization<{}>(LOCK_ORGANIZATION)

/** Reads an organization's row without a lock. */
export const readOrganization = onOrganization<{}>(READ)

/** Prevents the deletion of an organization until the transaction ends. */
export const holdOrganization = onOrganization<{}>(`${READ} for key share`)

/** The facts of a preview, if nothing changed between it and the lock of the organization, or else as they are now. */
export const currentFacts = <Facts, E>(
  preview: Preview<Facts> | undefined,
  locked: { readonly revision: bigint } | undefined,
  read: Effect.Effect<Preview<Facts>, E>
): Effect.Effect<Facts, E> =>
  preview !== undefined && locked?.revision === preview.revision + 1n
    ? Effect.succeed(preview.facts)
    : Effect.map(read, ({ facts }) => facts)

/** Locks an organization's row until the transaction ends, or only reads it. Returns the row; fails where there is none. */
export const requireOrganization = <Row extends object>(
  db: Database,
  organizationId: OrganizationId,
  read: typeof readOrganization = lockOrganization
) =>
  Effect.filterOrFail(
    read<Row>(db, organizationId),
    (row) => row !== undefined,
    () => new OrganizationNotFound({ organizationId })
  )

/** Lifts the statement timeout until the transaction ends: a statement on a long history may take longer. */
export const liftStatementTimeout = (db: Database) => db.run("set local statement_timeout = 0", [])

/**
 * Waits until no movement is being written, and blocks new ones until the transaction ends. The facts that movements are
 * decided on can then be changed, and no movement that was decided on the old ones is written afterwards. Movements take no
 * lock on these facts, which would cost each of them a write. A transaction takes this lock last, and holds it briefly.
 */
export const stopMovements = (db: Database): Effect.Effect<void, SqlError> =>
  Effect.flatMap(CurrentJoined, (joined) =>
    joined === undefined
      ? tryToStop(db, STOP_TIMEOUTS_MS)
      : Effect.fail(notInTransaction("it would hold up all movements until the transaction ends"))
  )

/** The error that rolls back a nested transaction after it has read, to release its locks. */
class Seen extends Data.TaggedError("Seen")<{ readonly value: unknown }> {}

/** Reads while no movement is being written, then lets movements go on. Later statements see all rows written before. */
export const readStopped = <A>(db: Database, read: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  db
    .transaction(Effect.flatMap(Effect.andThen(stopMovements(db), read), (value) => Effect.fail(new Seen({ value }))))
    .pipe(Effect.catchTag("Seen", ({ value }) => Effect.succeed(value as A)))

/**
 * How long each attempt to stop movements may wait, in milliseconds. A vacuum of the table conflicts for as long as it runs, and
 * movements queue behind the attempt: so the first attempts are short. The last outlives `deadlock_timeout` (a second), after
 * which PostgreSQL cancels an autovacuum that blocks others.
 */
const STOP_TIMEOUTS_MS: ReadonlyArray<number> = [100, 200, 400, 1_500]

/** The pause between two attempts, in which movements go on. */
const STOP_RETRY_DELAY = "200 millis"

const tryToStop = (db: Database, [wait, ...others]: ReadonlyArray<number>): Effect.Effect<void, SqlError> =>
  db
    .transaction(
      Effect.andThen(
        db.run(`set local lock_timeout = ${wait}`, []),
        db.run("lock table open_stay in share row exclusive mode", [])
      )
    )
    .pipe(
      Effect.andThen(db.run("set local lock_timeout to default", [])),
      Effect.asVoid,
      Effect.catchIf(
        (error) => others.length > 0 && isLockTimeout(error),
        () => Effect.delay(tryToStop(db, others), STOP_RETRY_DELAY)
      )
    )
