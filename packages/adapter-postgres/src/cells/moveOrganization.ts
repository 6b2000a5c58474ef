/**
 * Moves an organization from one cell to another, which may be a database of its own.
 *
 * No transaction spans both. The long tables are copied ahead. Then all servers hold the requests of the organization, and one transaction of
 * its cell deletes the rest of its rows, and with them as they were then the copy is completed and committed; last it is committed
 * itself, with the rows of `departure` that say where the organization is. So whatever is cut off, the organization is complete in the cell that
 * `departure` leads to, and what is elsewhere is a copy that no request reads, which the next move deletes.
 */
import { type CellNumber, cellOfId, type OrganizationId, OrganizationNotFound, StoreError } from "@sojourn/core"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { brokenKey, type Database, describe, isLockTimeout, isRolledBack } from "../database/Database.ts"
import { liftStatementTimeout, stopMovements } from "../database/locks.ts"
import { type CellMoves, databaseOf, type Departure, NOTIFY, SERVER_LIFETIME } from "./CellMoves.ts"
import { announce, type Announced, clearLeft, CopyOutdated, giveUp, whileHere } from "./clearing.ts"
import {
  type Between,
  copyAhead,
  inPortions,
  type JsonRow,
  type CopyPosition,
  readSince,
  rowsOf,
  writeSince
} from "./copying.ts"
import * as sql from "./moving.sql.ts"

/**
 * The steps of a move, each reported when it is done. Cut off before `left` the organization is where it was, and after it in the new cell; between
 * `arrived` and `left` both have it, and it is still where it was.
 */
export type MoveStep = "announced" | "copied" | "held" | "captured" | "arrived" | "left" | "completed" | "cleared"

/** The organization cannot be moved now. It is where it was, and the same call tries it again. */
export class MoveFailed extends Data.TaggedError("MoveFailed")<{ readonly reason: string }> {
  override get message(): string {
    return `the organization was not moved: ${this.reason}`
  }
}

/** A cell that an organization may be in or go to. */
export interface CellOfMove {
  readonly number: CellNumber
  readonly moves: CellMoves["Service"]
}

/** A move of an organization. */
export interface Move<E> {
  readonly organizationId: OrganizationId
  readonly to: CellNumber
  /** Called with each step. Where it fails, the move is cut off. */
  readonly onStep: (step: MoveStep) => Effect.Effect<void, E>
  /** Runs what holds the organization's requests, so that no change over cells is between two steps. */
  readonly locked: <A, E2, R2>(effect: Effect.Effect<A, E2, R2>) => Effect.Effect<A, E2 | StoreError, R2>
}

/** What a move did. */
export interface Moved {
  readonly from: CellNumber
  /** For how many milliseconds the requests of the organization were held; 0 where it was in the cell already. */
  readonly pauseMs: number
}

/** Something is in the way that will be gone soon; `holds` where requests were held for nothing. */
class NotNow extends Data.TaggedError("NotNow")<{ readonly reason: string; readonly holds?: boolean }> {}

/** How often a move is tried that something is in the way of. */
const ATTEMPTS = 25

/** A server that was killed is in the way for its lifetime: less than the attempts take. */
const RETRY_DELAY = "500 millis"

/** How often requests are held for nothing at most. */
const MAX_HOLDS = 3

/** Copying goes on, while the organization is used, until what is left takes less than this, in milliseconds. */
const SHORT_COPY_MS = 200

const MAX_COPIES = 5

/** How long servers may take to hold requests. It is shorter than they hold them. */
const HOLD_TIMEOUT_MS = 2000

/** How long the locks of the pause are waited for. */
const LOCK_TIMEOUT = "1500ms"

/** The servers that have looked at the cell within their lifetime, but not lately: they will look again, or are gone soon. */
const QUIET = `
select from cell_server
where seen_at between clock_timestamp() - interval '${SERVER_LIFETIME}' and clock_timestamp() - interval '2500 milliseconds'`

const FORGET_SERVERS = "delete from cell_server where seen_at < clock_timestamp() - interval '1 hour'"

const HOLD = `
insert into moving_organization (organization_id, attempt, cell, deadline)
values ($1::bigint, $2::text, $3::smallint, clock_timestamp() + interval '${HOLD_TIMEOUT_MS + 1000} milliseconds')
on conflict do nothing
returning attempt`

const NOT_HOLDING = `
select from cell_server
where seen_at > clock_timestamp() - interval '${SERVER_LIFETIME}' and not acknowledged @> array[$1::text]`

const KEEP_HELD = "select from moving_organization where organization_id = $1::bigint and attempt = $2::text for update"

const LOCK_FEED = `
select from presence_feed f join presence_history h using (organization_id) where f.organization_id = $1::bigint for update`

const LET_GO = "delete from moving_organization where organization_id = $1::bigint and attempt = $2::text"

const DEPARTED =
  "select cell, number from departure where kind = 'organization' and id = $1::bigint and number > $2::bigint"

type Counted = Readonly<Record<"presence_bucket" | "entrance_retry", bigint>>

interface TakenRow extends JsonRow {
  readonly table: string
}

const isDisturbance = (error: unknown): error is SqlError =>
  isSqlError(error) && (isRolledBack(error) || isLockTimeout(error))

/** Where an organization is: the cell that issued its id, or where the moves from there lead. */
const findCell = Effect.fnUntraced(function* (cells: ReadonlyArray<CellOfMove>, organizationId: OrganizationId) {
  const cellOf = (number: CellNumber | undefined) => cells.find((cell) => cell.number === number)
  let cell = cellOf(Option.getOrUndefined(cellOfId(organizationId)))
  let number = 0n
  while (cell !== undefined) {
    const [next] = yield* databaseOf(cell.moves).run<{ readonly cell: CellNumber; readonly number: bigint }>(DEPARTED, [
      organizationId,
      number
    ])
    if (next === undefined) return { cell, number }
    cell = cellOf(next.cell)
    number = next.number
  }
  return yield* new OrganizationNotFound({ organizationId })
})

interface Located {
  readonly cell: CellOfMove
  /** The number of the move that led there. */
  readonly number: bigint
  /** Whether it is there: else it was deleted. */
  readonly exists: boolean
}

/**
 * Where an organization is. One that is missing in its cell has left it or was deleted: what its moves lead to is read again after that, since a
 * move that ends at this moment must not be taken for a deletion.
 */
const locate = (
  cells: ReadonlyArray<CellOfMove>,
  organizationId: OrganizationId
): Effect.Effect<Located, OrganizationNotFound | SqlError> =>
  Effect.gen(function* () {
    const found = yield* findCell(cells, organizationId)
    const source = databaseOf(found.cell.moves)
    const rows = yield* source.run("select from organization where id = $1::bigint", [organizationId])
    if (rows.length > 0) return { ...found, exists: true }
    const { number } = yield* findCell(cells, organizationId)
    return number === found.number ? { ...found, exists: false } : yield* locate(cells, organizationId)
  })

/**
 * Deletes the copy of an organization in a cell that it is not in: what a move left there that was cut off. A move that goes on begins its copy
 * anew.
 */
export const abandonCopy = Effect.fnUntraced(function* (
  cells: ReadonlyArray<CellOfMove>,
  { organizationId, cell: number }: Pick<Departure, "organizationId" | "cell">
) {
  const { cell: from, exists } = yield* locate(cells, organizationId)
  const target = cells.find((cell) => cell.number === number)
  if (target === undefined || from === target) return
  const elsewhere = { source: databaseOf(from.moves), organizationId }
  yield* giveUp(databaseOf(target.moves), organizationId, (change) => (exists ? whileHere(elsewhere, change) : change))
})

/** Has the home cell know who has something in the target, but those that it knows already. Answers whom it knows then. */
const addSubjects = Effect.fnUntraced(function* (
  { source, home, organizationId }: Between,
  to: CellNumber,
  known: ReadonlySet<string>
) {
  if (to === 0) return known
  const subjects = yield* rowsOf(source, sql.SUBJECTS, [organizationId])
  const unknown = subjects.filter((subject) => !known.has(subject))
  yield* inPortions(unknown, (json) => home.run(sql.ADD_SUBJECTS, [json, to]))
  return new Set(subjects)
})

/** What was copied ahead. */
interface Copy extends Announced {
  readonly position: CopyPosition
  /** Whom the home cell knows to have something in the target. */
  readonly subjects: ReadonlySet<string>
}

/** The last steps, in one transaction of the source, around one of the target. */
const switchOver = <E>(
  between: Between,
  { position, subjects, announcement }: Copy,
  attempt: string,
  number: bigint,
  { to, onStep }: Pick<Move<E>, "to" | "onStep">
) => {
  const { source, target, organizationId } = between
  const own = [organizationId]
  const bound = (db: Database) =>
    Effect.andThen(db.run(`set local lock_timeout = '${LOCK_TIMEOUT}'`, []), liftStatementTimeout(db))
  const body = Effect.gen(function* () {
    yield* bound(source)
    const held = yield* source.run(KEEP_HELD, [organizationId, attempt])
    if (held.length === 0) return yield* new NotNow({ reason: "it took too long" })
    // The locks of a deletion.
    const found = yield* source.run("select from organization where id = $1::bigint for update", own)
    if (found.length === 0) return yield* new CopyOutdated({ reason: "it left" })
    // Until here events are published and rolled up.
    yield* source.run(LOCK_FEED, own)
    const [now] = yield* source.run<Pick<CopyPosition, "places" | "erased">>(sql.DELETIONS, own)
    if (now!.places !== position.places || now!.erased !== position.erased) {
      return yield* new CopyOutdated({ reason: "its places changed, or a person was erased" })
    }
    yield* addSubjects(between, to, subjects)
    const accounts = yield* rowsOf(source, sql.ACCOUNTS, own)
    yield* source.run(sql.DEPART, [organizationId, to, number])
    const since = yield* readSince(between, position, sql.TAKE_OPEN)
    const taken = Map.groupBy(yield* source.run<TakenRow>(sql.TAKE, own), ({ table }) => table)
    const counted = `select ${sql.COUNT}`
    const [rows] = yield* source.run<Counted>(counted, own)
    yield* target.transaction(
      Effect.gen(function* () {
        yield* bound(target)
        const [arrival] = yield* target.run<Announced>(sql.ARRIVAL, own)
        if (arrival?.announcement !== announcement)
          return yield* new CopyOutdated({ reason: "another move of it goes on" })
        yield* writeSince(between, since)
        const [copied] = yield* target.run<Counted>(counted, own)
        // What is past retention may be deleted meanwhile, and is in the copy until the target deletes it.
        if (copied!.presence_bucket < rows!.presence_bucket || copied!.entrance_retry < rows!.entrance_retry) {
          return yield* new CopyOutdated({ reason: "rows are missing in the copy" })
        }
        if (copied!.entrance_retry > rows!.entrance_retry) {
          yield* target.run(sql.remove("entrance_retry"), own)
          const all = yield* rowsOf(source, sql.copyAll("entrance_retry"), own)
          yield* inPortions(all, (json, columns) => target.run(sql.write("entrance_retry", columns), [json]))
        }
        yield* inPortions(accounts, (json) => target.run(sql.WRITE_ACCOUNTS, [json]))
        for (const table of sql.IN_PAUSE) {
          const own = (taken.get(table) ?? []).map(({ row }) => row)
          yield* inPortions(own, (json, columns) => target.run(sql.write(table, columns), [json]))
        }
        for (const statement of sql.ADAPT) yield* target.run(statement, own)
        yield* onStep("captured")
        yield* stopMovements(source)
        if ((yield* source.run(sql.IS_STILL, own)).length === 0) {
          return yield* new NotNow({ reason: "a server did not hold its requests" })
        }
        yield* source.run(LET_GO, [organizationId, attempt])
        yield* source.run(NOTIFY, [])
      })
    )
    yield* onStep("arrived")
  })
  return source.transaction(body)
}

/** Has all servers hold the requests of the organization, and runs the switch. Answers for how long they held them. */
const pause = <E>(between: Between, copy: Copy, number: bigint, move: Move<E>) =>
  Effect.gen(function* () {
    const { source, organizationId } = between
    const attempt = SecureRandom.uuidV4Unsafe()
    if ((yield* source.run(QUIET, [])).length > 0)
      return yield* new NotNow({ reason: "a server does not look at the cell" })
    const began = yield* Clock.currentTimeMillis
    const written = yield* source.run(HOLD, [organizationId, attempt, move.to])
    if (written.length === 0) return yield* new NotNow({ reason: "another move of it goes on" })
    const letGo = Effect.ignore(Effect.andThen(source.run(LET_GO, [organizationId, attempt]), source.run(NOTIFY, [])))
    const switched = Effect.gen(function* () {
      yield* source.run(NOTIFY, [])
      while ((yield* source.run(NOT_HOLDING, [attempt])).length > 0) {
        if ((yield* Clock.currentTimeMillis) - began > HOLD_TIMEOUT_MS) {
          return yield* new NotNow({ reason: "a server has a request of it that does not end", holds: true })
        }
        yield* Effect.sleep("5 millis")
      }
      yield* move.onStep("held")
      yield* switchOver(between, copy, attempt, number, move)
      return (yield* Clock.currentTimeMillis) - began
    })
    return yield* Effect.tapError(switched, () => letGo)
  })

/**
 * Moves an organization to a cell, or does what a move to it left to do that was cut off. All that is acknowledged while it goes on is in the new
 * cell. Its requests wait meanwhile: as long as its open stays and settings take to copy. The first of the cells is the home cell.
 */
export const moveOrganization = <E = never>(
  cells: ReadonlyArray<CellOfMove>,
  move: Move<E>
): Effect.Effect<Moved, MoveFailed | OrganizationNotFound | StoreError | E> => {
  const { organizationId, to, onStep, locked } = move
  const finish = (from: CellOfMove | undefined, target: CellOfMove, number: bigint) =>
    Effect.gen(function* () {
      yield* target.moves.complete({ organizationId, number })
      yield* onStep("completed")
      const inTarget = databaseOf(target.moves)
      for (const { moves } of from === undefined ? cells.filter((cell) => cell !== target) : [from]) {
        yield* clearLeft(databaseOf(moves), organizationId)
        if (from !== undefined) continue
        const between = { source: inTarget, organizationId }
        yield* giveUp(databaseOf(moves), organizationId, (change) => whileHere(between, change))
      }
      yield* onStep("cleared")
    })

  const once = Effect.gen(function* () {
    const target = cells.find((cell) => cell.number === to)
    if (target === undefined) return yield* new MoveFailed({ reason: `there is no cell ${to}` })
    const { cell: from, number: last, exists } = yield* locate(cells, organizationId)
    if (from === target) {
      yield* finish(undefined, target, last)
      return { from: from.number, pauseMs: 0 }
    }
    const [home] = cells
    const between = {
      source: databaseOf(from.moves),
      target: databaseOf(target.moves),
      home: databaseOf(home!.moves),
      organizationId
    }
    if (!exists) {
      yield* giveUp(between.target, organizationId, (change) => change)
      return yield* new OrganizationNotFound({ organizationId })
    }
    const number = last + 1n
    yield* between.source.run(FORGET_SERVERS, [])
    const announcement = yield* announce(between, number)
    yield* onStep("announced")
    let position: CopyPosition | undefined
    for (let copies = 0; copies < MAX_COPIES; copies++) {
      const began = yield* Clock.currentTimeMillis
      position = yield* copyAhead(between, position)
      if ((yield* Clock.currentTimeMillis) - began < SHORT_COPY_MS) break
    }
    const subjects = yield* addSubjects(between, to, new Set())
    yield* onStep("copied")
    let [isFirst, holds] = [true, 0]
    const tryIt = Effect.gen(function* () {
      if (!isFirst) position = yield* copyAhead(between, position)
      isFirst = false
      return yield* locked(pause(between, { position: position!, subjects, announcement }, number, move))
    })
    const pauseMs = yield* Effect.retry(tryIt, {
      while: (error) => {
        if (error instanceof NotNow && error.holds === true) holds += 1
        return holds < MAX_HOLDS && (error instanceof NotNow || isDisturbance(error))
      },
      times: ATTEMPTS,
      schedule: Schedule.spaced(RETRY_DELAY)
    }).pipe(
      Effect.tapError((error) =>
        error instanceof NotNow
          ? Effect.ignore(giveUp(between.target, organizationId, (change) => whileHere(between, change)))
          : Effect.void
      )
    )
    yield* onStep("left")
    yield* finish(from, target, number)
    return { from: from.number, pauseMs }
  })

  // Two moves to one cell write the same rows.
  const isOutdated = (error: unknown) =>
    error instanceof CopyOutdated || (isSqlError(error) && brokenKey(error) !== undefined)
  const restart = Schedule.jittered(Schedule.spaced(RETRY_DELAY))
  return Effect.retry(once, { while: isOutdated, times: MAX_COPIES, schedule: restart }).pipe(
    Effect.mapError((error) => {
      if (error instanceof NotNow || error instanceof CopyOutdated) return new MoveFailed({ reason: error.reason })
      return isSqlError(error) ? new StoreError({ operation: "move an organization", cause: describe(error) }) : error
    })
  ) as Effect.Effect<Moved, MoveFailed | OrganizationNotFound | StoreError | E>
}
