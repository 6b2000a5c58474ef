/** The port `MusterStore` in PostgreSQL. An open muster is computed from the stays at each reading, and stored when it ends. */
import {
  type AdministratorId,
  LARGEST_LONG,
  countAdded,
  markSafe,
  mayAdd,
  mayListInside,
  mayMark,
  mayStartMuster,
  type MusterEntry,
  type MusterId,
  type MusterMarking,
  MusterNotFound,
  type MusterStore,
  type OrganizationId,
  OrganizationNotFound,
  type OrgAuthServerId,
  PersonInsideOrder,
  PremisesNotFound,
  requireLevel,
  type Timestamp,
  type TrackingMode
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import { levelIn, levelsIn } from "../database/levels.ts"
import { arrays } from "../database/columns.ts"
import { type Database, LONG_TIMEOUT, ONE_MOMENT, type Storing } from "../database/Database.ts"
import { liftStatementTimeout, lockOrganization, readStopped, requireOrganization } from "../database/locks.ts"
import { OF_PREMISES } from "../database/premises.sql.ts"
import type { PremisesDirectory, PremisesKey } from "../database/PremisesDirectory.ts"
import { mapInPortions } from "../database/mapInPortions.ts"
import { placeOfRow } from "../feed/events.ts"
import { publishDue, publishEvents } from "../feed/publishEvents.ts"
import { timestampOf } from "../database/rows.ts"
import {
  countPeople,
  keyOf,
  type MusterRow,
  musterOf,
  placesColumn,
  readCrowd,
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

const NOBODY = { entries: [], people: [] }

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

  const publish = (muster: MusterRow, events: ReadonlyArray<"started" | "updated" | "ended">) =>
    publishEvents(
      db,
      muster.organization_id,
      events.map((state) => ({ _tag: "MusterChanged", musterId: muster.id, state }))
    )

  /** Reads a muster; with `lock`, it does not change until the transaction ends. */
  const requireMuster = Effect.fnUntraced(function* (musterId: MusterId, lock: boolean) {
    const [found] = yield* db.run<{ readonly organization_id: OrganizationId }>(ORGANIZATION_OF, [musterId])
    if (found === undefined) return yield* new MusterNotFound({ musterId })
    if (lock) yield* lockOrganization(db, found.organization_id)
    const [row] = yield* db.run<MusterRow>(MUSTER, [found.organization_id, musterId])
    if (row === undefined) return yield* new MusterNotFound({ musterId })
    return row
  })

  /** A muster after a transaction that changed it: reading all people takes long, and what the transaction published waits for its commit. */
  const report = (muster: MusterRow) =>
    reading(Effect.flatMap(db.run<MusterRow>(MUSTER, keyOf(muster)), ([present]) => readReport(db, present ?? muster)))

  /** Answers those calls that were not refused with what is read once. */
  const answered = <A, E, F>(
    verdicts: ReadonlyArray<Result.Result<unknown, E>>,
    read: Effect.Effect<A, F>
  ): Effect.Effect<ReadonlyArray<Result.Result<A, E>>, F> =>
    verdicts.every(Result.isFailure)
      ? Effect.succeed(verdicts as ReadonlyArray<Result.Failure<A, E>>)
      : Effect.map(read, (answer) => verdicts.map(Result.map(() => answer)))

  /** The verdicts on those who want to read something of an organization. */
  const viewers = (organizationId: OrganizationId, readers: ReadonlyArray<AdministratorId>) =>
    Effect.map(levelsIn(db, organizationId, readers), (levelOf) =>
      readers.map((reader) => requireLevel(levelOf(reader), "viewer"))
    )

  const readInside = Effect.fnUntraced(function* ({ organizationId, placeId }: PremisesKey) {
    // Of an organization the stays in all its places too.
    const last = placeId === 0n ? LARGEST_LONG : placeId
    const rows = yield* db.run<InsideRow>(INSIDE, [organizationId, placeId, last])
    const people = yield* mapInPortions(rows, (stay) => ({
      orgAuthServerId: stay.person,
      placeId: placeOfRow(stay),
      since: timestampOf(stay.entered_at)
    }))
    return people.sort(PersonInsideOrder)
  })

  /** Applies markings to a locked muster, in their order, and writes what they change at once. */
  const markAll = Effect.fnUntraced(function* (muster: MusterRow, markings: ReadonlyArray<MusterMarking>) {
    const administrators = markings.map(({ administratorId }) => administratorId)
    const levelOf = yield* levelsIn(db, muster.organization_id, administrators)
    const allowed = markings.map(({ administratorId, marking }) =>
      mayMark(levelOf(administratorId), musterOf(muster), marking)
    )
    const asked = new Set(
      markings.flatMap(({ marking }, i) =>
        marking._tag === "MarkPeople" && Result.isSuccess(allowed[i]!) ? marking.people : []
      )
    )
    const known = asked.size === 0 ? NOBODY : yield* readSome(db, muster, [...asked])
    // Only people who are not in the muster are added to it.
    const crowd = asked.size > known.people.length ? yield* readCrowd(db, muster) : { inside: 0, added: 0 }
    const people = new Map(known.people.map((person) => [person.orgAuthServerId, person]))
    const entries = new Map(known.entries.map((entry) => [entry.orgAuthServerId, entry]))
    const changed = new Map<OrgAuthServerId, MusterEntry>()
    let { added } = crowd
    let count = Number(muster.safe)
    const verdicts = markings.map(({ marking, now }, i) =>
      Result.gen(function* () {
        yield* allowed[i]!
        if (marking._tag === "MarkCount") {
          const changes = count !== marking.count
          count = marking.count
          return changes
        }
        const some = <A>(found: ReadonlyMap<OrgAuthServerId, A>) =>
          marking.people.flatMap((person) => found.get(person) ?? [])
        const marked = markSafe(some(entries), some(people), marking.people, now)
        const more = countAdded(marked)
        yield* mayAdd(more, { inside: crowd.inside, added })
        added += more
        for (const entry of marked) {
          entries.set(entry.orgAuthServerId, entry)
          changed.set(entry.orgAuthServerId, entry)
        }
        return marked.length > 0
      })
    )
    if (changed.size > 0) {
      const written = [...changed.values()]
      yield* db.run(MARK, [
        ...keyOf(muster),
        arrays.texts(written, ({ orgAuthServerId }) => orgAuthServerId),
        arrays.texts(written, ({ placeIds }) => placesColumn(placeIds)),
        arrays.instants(written, ({ since }) => since),
        arrays.instants(written, ({ markedAt }) => markedAt)
      ])
    }
    if (count !== Number(muster.safe)) yield* db.run(COUNT, [...keyOf(muster), count])
    yield* publish(
      muster,
      verdicts.flatMap((verdict) => (Result.isSuccess(verdict) && verdict.success ? ["updated" as const] : []))
    )
    return verdicts
  })

  const endOne = Effect.fnUntraced(function* (muster: MusterRow, now: Timestamp) {
    yield* db.run(END, [...keyOf(muster), PgTypes.timestamptz(now)])
    const { inside, safe, left, missing } =
      muster.mode === "anonymous" ? yield* readSummary(db, muster) : yield* countPeople(db, FREEZE_PEOPLE, muster)
    yield* db.run(FREEZE_NUMBERS, [...keyOf(muster), inside, safe, left, missing])
    yield* publish(muster, ["ended"])
  })

  /** Changes a muster, and answers those calls that were not refused with what it is afterwards. */
  const changing = <E>(
    operation: string,
    musterId: MusterId,
    change: (muster: MusterRow) => Effect.Effect<ReadonlyArray<Result.Result<unknown, E>>, SqlError>
  ) =>
    storingLong(
      operation,
      transaction(
        Effect.flatMap(requireMuster(musterId, true), (muster) =>
          Effect.map(change(muster), (verdicts) => ({ muster, verdicts }))
        )
      ).pipe(Effect.flatMap(({ muster, verdicts }) => answered(verdicts, report(muster))))
    )

  return {
    inside: (premises, readers) =>
      storingLong(
        "list who is inside",
        reading(
          Effect.gen(function* () {
            const key = yield* directory.require(premises)
            const [row] = yield* db.run<{ readonly tracking_mode: TrackingMode }>(MODE, [
              key.organizationId,
              key.placeId
            ])
            if (row === undefined) return yield* new PremisesNotFound({ premises })
            const levelOf = yield* levelsIn(db, key.organizationId, readers)
            const verdicts = readers.map((reader) => mayListInside(levelOf(reader), row.tracking_mode, premises))
            return yield* answered(verdicts, readInside(key))
          })
        )
      ),

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
            yield* publishDue(db, organizationId, now)
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
            yield* publish(muster, ["started"])
            return muster
          })
        ).pipe(Effect.flatMap(report))
      ),

    list: (organizationId, readers) =>
      storingLong(
        "list musters",
        reading(
          Effect.gen(function* () {
            const [organization] = yield* db.run(EXISTS, [organizationId])
            if (organization === undefined) return yield* new OrganizationNotFound({ organizationId })
            const summaries = Effect.flatMap(db.run<MusterRow>(MUSTERS, [organizationId]), (rows) =>
              Effect.forEach(rows, (row) => readSummary(db, row))
            )
            return yield* answered(yield* viewers(organizationId, readers), summaries)
          })
        )
      ),

    get: (musterId, readers) =>
      storingLong(
        "read a muster",
        reading(
          Effect.gen(function* () {
            const muster = yield* requireMuster(musterId, false)
            return yield* answered(yield* viewers(muster.organization_id, readers), readReport(db, muster))
          })
        )
      ),

    mark: (musterId, markings) => changing("mark people of a muster", musterId, (muster) => markAll(muster, markings)),

    end: (musterId, endings) =>
      changing("end a muster", musterId, (muster) =>
        Effect.gen(function* () {
          const administrators = endings.map(({ administratorId }) => administratorId)
          const levelOf = yield* levelsIn(db, muster.organization_id, administrators)
          const verdicts = administrators.map((one) => requireLevel(levelOf(one), "manager"))
          const first = endings[verdicts.findIndex(Result.isSuccess)]
          if (first !== undefined && muster.ended_at === null) yield* endOne(muster, first.now)
          return verdicts
        })
      ),

    forget: (before, most) =>
      storing(
        "forget musters",
        Effect.map(db.run(FORGET, [PgTypes.timestamptz(before), most]), (rows) => rows.length)
      )
  }
}
