/** The port `MusterStore` in PostgreSQL. An open muster is computed from the stays at each reading, and stored when it ends. */
import {
  type AdministratorId,
  LARGEST_LONG,
  type Marking,
  markSafe,
  mayListInside,
  mayMark,
  mayStartMuster,
  type MusterId,
  MusterNotFound,
  type MusterStore,
  type OrganizationId,
  OrganizationNotFound,
  type OrgAuthServerId,
  PersonInsideOrder,
  type Premises,
  PremisesNotFound,
  requireLevel,
  type Timestamp,
  type TrackingMode
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { levelIn } from "../accounts/accounts.ts"
import { arrays } from "../database/columns.ts"
import { type Database, LONG_TIMEOUT, ONE_MOMENT, type Storing } from "../database/Database.ts"
import { liftStatementTimeout, lockOrganization, readStopped, requireOrganization } from "../database/locks.ts"
import { OF_PREMISES } from "../database/premises.sql.ts"
import type { PremisesDirectory } from "../database/PremisesDirectory.ts"
import { mapInPortions } from "../database/mapInPortions.ts"
import { placeOfRow } from "../feed/events.ts"
import { tellDue, tellNews } from "../feed/tellNews.ts"
import { timestampOf } from "../database/rows.ts"
import {
  countPeople,
  keyOf,
  type MusterRow,
  musterOf,
  placesColumn,
  readReport,
  readSome,
  readSummary
} from "./musters.ts"
import {
  COUNT,
  END,
  FORGET,
  FREEZE_NUMBERS,
  FREEZE_PEOPLE,
  INSIDE,
  LAST_STAY,
  MARK,
  MUSTER,
  MUSTERS,
  OPEN_MUSTER,
  ORGANIZATION_OF,
  START
} from "./musters.sql.ts"

interface InsideRow {
  readonly person: OrgAuthServerId
  readonly place_id: bigint
  readonly entered_at: Date
}

const MODE = `select o.tracking_mode from organization o where ${OF_PREMISES}`

const EXISTS = "select from organization where id = $1::bigint"

export const makeMusterStore = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing
): MusterStore["Service"] => {
  const storingLong = <A, E>(operation: string, effect: Effect.Effect<A, E>) => storing(operation, effect, LONG_TIMEOUT)

  /** A transaction about all people inside, who may be very many. */
  const transaction = <A, E>(body: Effect.Effect<A, E | SqlError>) =>
    db.transaction(Effect.andThen(liftStatementTimeout(db), body))

  /** The same, as of one moment. */
  const reading = <A, E>(body: Effect.Effect<A, E | SqlError>) =>
    db.transaction(Effect.andThen(Effect.andThen(db.run(ONE_MOMENT, []), liftStatementTimeout(db)), body))

  const tell = (muster: MusterRow, state: "started" | "updated" | "ended") =>
    tellNews(db, muster.organization_id, [{ _tag: "MusterChanged", musterId: muster.id, state }])

  /** Reads a muster; with `lock`, it does not change until the transaction ends. */
  const requireMuster = Effect.fnUntraced(function* (musterId: MusterId, lock: boolean) {
    const [found] = yield* db.run<{ readonly organization_id: OrganizationId }>(ORGANIZATION_OF, [musterId])
    if (found === undefined) return yield* new MusterNotFound({ musterId })
    if (lock) yield* lockOrganization(db, found.organization_id)
    const [row] = yield* db.run<MusterRow>(MUSTER, [found.organization_id, musterId])
    if (row === undefined) return yield* new MusterNotFound({ musterId })
    return row
  })

  /** A muster after a transaction that changed it: reading all people takes long, and what the transaction told waits for its commit. */
  const report = (muster: MusterRow) =>
    reading(Effect.flatMap(db.run<MusterRow>(MUSTER, keyOf(muster)), ([present]) => readReport(db, present ?? muster)))

  const inside = Effect.fnUntraced(function* (administratorId: AdministratorId, premises: Premises) {
    const key = yield* directory.require(premises)
    const where = [key.organizationId, key.placeId]
    const [row] = yield* db.run<{ readonly tracking_mode: TrackingMode }>(MODE, where)
    if (row === undefined) return yield* new PremisesNotFound({ premises })
    const level = yield* levelIn(db, key.organizationId, administratorId)
    yield* Effect.fromResult(mayListInside(level, row.tracking_mode, premises))
    // Of an organization the stays in all its places too.
    const last = key.placeId === 0n ? LARGEST_LONG : key.placeId
    const rows = yield* db.run<InsideRow>(INSIDE, [...where, last])
    const people = yield* mapInPortions(rows, (stay) => ({
      orgAuthServerId: stay.person,
      placeId: placeOfRow(stay),
      since: timestampOf(stay.entered_at)
    }))
    return people.sort(PersonInsideOrder)
  })

  const markPeople = Effect.fnUntraced(function* (
    muster: MusterRow,
    { people: asked }: Extract<Marking, { readonly _tag: "MarkPeople" }>,
    now: Timestamp
  ) {
    const { entries, people } = yield* readSome(db, muster, asked)
    const changed = markSafe(entries, people, asked, now)
    if (changed.length === 0) return
    yield* db.run(MARK, [
      ...keyOf(muster),
      arrays.texts(changed, ({ orgAuthServerId }) => orgAuthServerId),
      arrays.texts(changed, ({ placeIds }) => placesColumn(placeIds)),
      arrays.instants(changed, ({ since }) => since),
      arrays.instants(changed, ({ markedAt }) => markedAt)
    ])
    yield* tell(muster, "updated")
  })

  return {
    inside: (administratorId, premises) =>
      storingLong("list who is inside", reading(inside(administratorId, premises))),

    start: ({ organizationId, administratorId, kind, note, now }) =>
      storingLong(
        "start a muster",
        transaction(
          Effect.gen(function* () {
            const { tracking_mode: mode } = (yield* requireOrganization<{ readonly tracking_mode: TrackingMode }>(
              db,
              organizationId
            ))!
            const [open] = yield* db.run<{ readonly id: MusterId }>(OPEN_MUSTER, [organizationId])
            yield* Effect.fromResult(mayStartMuster(yield* levelIn(db, organizationId, administratorId), open?.id))
            yield* tellDue(db, organizationId, now)
            // Movements stop for a moment alone. Those that were being written are over then: their stays have ids up to the last one.
            const [last] = yield* readStopped(db, db.run<{ readonly last_stay: bigint }>(LAST_STAY, []))
            const [started] = yield* db.run<MusterRow>(START, [
              organizationId,
              mode,
              kind,
              note ?? null,
              PgTypes.timestamptz(now),
              administratorId,
              last!.last_stay
            ])
            const muster = started!
            yield* tell(muster, "started")
            return muster
          })
        ).pipe(Effect.flatMap(report))
      ),

    list: (administratorId, organizationId) =>
      storingLong(
        "list musters",
        reading(
          Effect.gen(function* () {
            const [organization] = yield* db.run(EXISTS, [organizationId])
            if (organization === undefined) return yield* new OrganizationNotFound({ organizationId })
            yield* Effect.fromResult(requireLevel(yield* levelIn(db, organizationId, administratorId), "viewer"))
            const rows = yield* db.run<MusterRow>(MUSTERS, [organizationId])
            return yield* Effect.forEach(rows, (row) => readSummary(db, row))
          })
        )
      ),

    get: (administratorId, musterId) =>
      storingLong(
        "read a muster",
        reading(
          Effect.gen(function* () {
            const muster = yield* requireMuster(musterId, false)
            const level = yield* levelIn(db, muster.organization_id, administratorId)
            yield* Effect.fromResult(requireLevel(level, "viewer"))
            return yield* readReport(db, muster)
          })
        )
      ),

    mark: ({ musterId, administratorId, marking, now }) =>
      storingLong(
        "mark people of a muster",
        transaction(
          Effect.gen(function* () {
            const muster = yield* requireMuster(musterId, true)
            const level = yield* levelIn(db, muster.organization_id, administratorId)
            yield* Effect.fromResult(mayMark(level, musterOf(muster), marking))
            if (marking._tag === "MarkPeople") yield* markPeople(muster, marking, now)
            else if (BigInt(marking.count) !== muster.safe) {
              yield* db.run(COUNT, [...keyOf(muster), marking.count])
              yield* tell(muster, "updated")
            }
            return muster
          })
        ).pipe(Effect.flatMap(report))
      ),

    end: ({ musterId, administratorId, now }) =>
      storingLong(
        "end a muster",
        transaction(
          Effect.gen(function* () {
            const muster = yield* requireMuster(musterId, true)
            const level = yield* levelIn(db, muster.organization_id, administratorId)
            yield* Effect.fromResult(requireLevel(level, "manager"))
            if (muster.ended_at !== null) return muster
            yield* db.run(END, [...keyOf(muster), PgTypes.timestamptz(now)])
            const { inside, safe, left, missing } =
              muster.mode === "anonymous"
                ? yield* readSummary(db, muster)
                : yield* countPeople(db, FREEZE_PEOPLE, muster)
            yield* db.run(FREEZE_NUMBERS, [...keyOf(muster), inside, safe, left, missing])
            yield* tell(muster, "ended")
            return muster
          })
        ).pipe(Effect.flatMap(report))
      ),

    forget: (before, most) =>
      storing(
        "forget musters",
        Effect.map(db.run(FORGET, [PgTypes.timestamptz(before), most]), (rows) => rows.length)
      )
  }
}
