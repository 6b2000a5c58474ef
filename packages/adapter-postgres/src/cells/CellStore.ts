/** The port `CellStore` in PostgreSQL. */
import {
  type AdministratorId,
  CellNumber,
  type CellStore,
  type CellSubject,
  type StoreError,
  subjectId
} from "@sojourn/core"
import { Deferred, Effect, Fiber, Option, Semaphore } from "effect"
import { changeAccounts } from "../accounts/accountChanges.ts"
import { type AccountRow, accountOf, findAccounts } from "../accounts/accounts.ts"
import { appendActs } from "../database/auditEntries.ts"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { takeIdentity } from "../keys/StorageIdentity.ts"
import type { Storing } from "../database/Storing.ts"

const LIST = "select * from administrator_account where administrator_id = any($1::text[])"

const FIND_NAME = "select cell from organization_cell where name = $1::text"

const PUT_NAME = `
insert into organization_cell (name, cell) values ($1::text, $2::smallint) on conflict (name) do update set cell = excluded.cell`

const REMOVE_NAME = "delete from organization_cell where name = $1::text"

const COUNT_NAMES = "select cell, count(*) as count from organization_cell group by cell"

const LIST_CELLS = "select cell from subject_cell where kind = $1::text and id = $2::text"

const ADD_CELL =
  "insert into subject_cell (kind, id, cell) values ($1::text, $2::text, $3::smallint) on conflict do nothing"

const REMOVE_SUBJECT = "delete from subject_cell where kind = $1::text and id = $2::text"

/** A subject, as parameters. */
const subjectOf = (subject: CellSubject): ReadonlyArray<string> => [
  subject._tag === "UserSubject" ? "user" : "administrator",
  subjectId(subject)
]

/** The lock of changes over cells: of this schema, until the transaction ends, also when the server is lost. */
const LOCK = "select pg_advisory_xact_lock(hashtextextended(current_schema(), 2774013958))"

/** A transaction with nothing to do is ended after 15 s, so that a server that hangs releases the lock. One that works says so before. */
const KEEP_ALIVE = "5 seconds"

/** The lock as one effect takes it: what runs under it ends with the lock where that is lost, as with its connection. */
interface Lock {
  readonly isHeld: Deferred.Deferred<void, StoreError>
  readonly released: Deferred.Deferred<void>
  readonly lost: Deferred.Deferred<never, StoreError>
}

interface CellRow {
  readonly cell: number
}

export const makeCellStore = (db: Database, storing: Storing): CellStore["Service"] => {
  // At most one connection waits for the lock or holds it, so that what runs under the lock finds others free.
  const { withPermit } = Semaphore.makeUnsafe(1)
  /** Holds the lock until it is released, in a transaction of its own: what runs under it commits step by step. */
  const hold = ({ isHeld, released, lost }: Lock) =>
    storing.long
      .byServer(
        "lock changes over cells",
        db.transaction(
          Effect.gen(function* () {
            yield* db.run(LOCK, [])
            yield* Deferred.succeed(isHeld, undefined)
            const keepAlive = Effect.forever(Effect.delay(db.run("select 1", []), KEEP_ALIVE))
            yield* Effect.raceFirst(Deferred.await(released), keepAlive)
          })
        )
      )
      .pipe(
        Effect.catchCause((cause) => Effect.andThen(Deferred.failCause(isHeld, cause), Deferred.failCause(lost, cause)))
      )
  return {
    findAccounts: (name) => storing("find accounts", findAccounts(db, name)),
    listAccounts: (administratorIds) =>
      storing(
        "list accounts",
        Effect.map(db.run<AccountRow>(LIST, [arrays.texts(administratorIds, (id: AdministratorId) => id)]), (rows) =>
          rows.map(accountOf)
        )
      ),
    changeAccounts: (change, acts = []) =>
      storing.byServer.transaction("change accounts", function* () {
        yield* appendActs(db, acts)
        if (change._tag === "Unchanged") return
        const accounts = yield* findAccounts(db, change.account)
        yield* changeAccounts(db, change, accounts)
      }),
    findName: (name) =>
      storing(
        "find the cell of a name",
        Effect.map(db.run<CellRow>(FIND_NAME, [name]), ([row]) =>
          Option.map(Option.fromUndefinedOr(row), ({ cell }) => CellNumber.make(cell))
        )
      ),
    putName: (name, cell) => storing.byServer("give a name to a cell", Effect.asVoid(db.run(PUT_NAME, [name, cell]))),
    removeName: (name) => storing.byServer("remove a name", Effect.asVoid(db.run(REMOVE_NAME, [name]))),
    countNames: storing(
      "count the names of cells",
      Effect.map(
        db.run<CellRow & { readonly count: bigint }>(COUNT_NAMES, []),
        (rows) => new Map(rows.map(({ cell, count }) => [CellNumber.make(cell), Number(count)] as const))
      )
    ),
    listCells: (subject) =>
      storing(
        "list the cells of a subject",
        Effect.map(db.run<CellRow>(LIST_CELLS, subjectOf(subject)), (rows) =>
          rows.map(({ cell }) => CellNumber.make(cell))
        )
      ),
    addCell: (subject, cell) =>
      storing.byServer("add a cell of a subject", Effect.asVoid(db.run(ADD_CELL, [...subjectOf(subject), cell]))),
    removeSubject: (subject) =>
      storing.byServer("remove the cells of a subject", Effect.asVoid(db.run(REMOVE_SUBJECT, subjectOf(subject)))),
    takeIdentity: (storageId) => storing.byServer("take the identity of the home cell", takeIdentity(db, storageId)),
    locked: (effect) =>
      withPermit(
        Effect.acquireUseRelease(
          Effect.gen(function* () {
            const lock: Lock = {
              isHeld: yield* Deferred.make<void, StoreError>(),
              released: yield* Deferred.make<void>(),
              lost: yield* Deferred.make<never, StoreError>()
            }
            return { ...lock, holder: yield* Effect.forkChild(hold(lock)) }
          }),
          ({ isHeld, lost }) => Effect.andThen(Deferred.await(isHeld), Effect.raceFirst(effect, Deferred.await(lost))),
          ({ released, holder }) => Effect.andThen(Deferred.succeed(released, undefined), Fiber.join(holder))
        )
      )
  }
}
