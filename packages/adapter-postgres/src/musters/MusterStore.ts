/** The port `MusterStore` in PostgreSQL. An open muster is computed from the stays at each reading, and stored when it ends. */
import {
  LARGEST_LONG,
  mayListInside,
  mayStartMuster,
  musterEnded,
  type MusterEnding,
  type MusterId,
  musterPremises,
  type MusterStart,
  musterStarted,
  type MusterStore,
  type OrganizationId,
  OrganizationNotFound,
  type OrgAuthServerId,
  PersonInsideOrder,
  type PlaceId,
  PremisesNotFound,
  recorded,
  type Recorded,
  type TrackingMode
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Database } from "../database/Database.ts"
import { levelIn, levelsIn } from "../database/levels.ts"
import { liftStatementTimeout, readOrganization, readStopped, requireOrganization } from "../database/locks.ts"
import { mapInPortions } from "../database/mapInPortions.ts"
import { OF_PREMISES } from "../database/premises.sql.ts"
import type { PremisesDirectory, PremisesKey } from "../database/PremisesDirectory.ts"
import { requireRow, timestampOf } from "../database/rows.ts"
import type { Storing } from "../database/Storing.ts"
import { placeOfRow } from "../feed/events.ts"
import { publishDue } from "../feed/publishEvents.ts"
import { answerAllowed, verdictsByLevel } from "./calls.ts"
import { markAll } from "./marking.ts"
import {
  countPeople,
  keyOf,
  lockMuster,
  musterOf,
  type MusterRow,
  publishMuster,
  readReport,
  readSummary,
  requireMuster
} from "./musters.ts"
import * as sql from "./musters.sql.ts"

interface InsideRow {
  readonly person: OrgAuthServerId
  readonly place_id: bigint
  readonly entered_at: Date
}

const MODE = `select o.tracking_mode from organization o where ${OF_PREMISES}`

const readInside = Effect.fnUntraced(function* (db: Database, { organizationId, placeId }: PremisesKey) {
  // Of an organization the stays in all its places too.
  const last = placeId === 0n ? LARGEST_LONG : placeId
  const rows = yield* db.run<InsideRow>(sql.INSIDE, [organizationId, placeId, last])
  const people = yield* mapInPortions(rows, (stay) => ({
    orgAuthServerId: stay.person,
    placeId: placeOfRow(stay),
    since: timestampOf(stay.entered_at)
  }))
  return people.sort(PersonInsideOrder)
})

interface CountsRow {
  readonly place_id: bigint
  readonly parent_id: PlaceId | null
  readonly inside: bigint
  readonly entered: bigint
  readonly exits: bigint
}

/** What an anonymous muster begins with: the premises that it goes by, who is inside of them, who came in and who left before. */
const readCounts = Effect.fnUntraced(function* (db: Database, organizationId: OrganizationId) {
  const rows = yield* db.run<CountsRow>(sql.COUNTS, [organizationId])
  const [own, ...places] = rows.map((row) => ({
    row,
    placeId: row.place_id as PlaceId,
    parentId: row.parent_id ?? undefined,
    inside: Number(row.inside)
  }))
  const premises = new Set<bigint>(musterPremises(own!.inside, places).map((placeId) => placeId ?? 0n))
  const counted = rows.filter((row) => premises.has(row.place_id))
  const sum = (of: (row: CountsRow) => bigint) => counted.reduce((total, row) => total + of(row), 0n)
  return [[...premises], sum((row) => row.inside), sum((row) => row.entered), sum((row) => row.exits)] as const
})

/** An authenticated muster goes by its people. */
const NO_COUNTS = [[], 0n, 0n, 0n] as const

/** Starts a muster, in a transaction. */
const startMuster = Effect.fnUntraced(function* (
  db: Database,
  { organizationId, administratorId, kind, note, now }: MusterStart
) {
  const organization = yield* requireOrganization<{ readonly tracking_mode: TrackingMode }>(db, organizationId)
  const [open] = yield* db.run<{ readonly id: MusterId }>(sql.OPEN_MUSTER, [organizationId])
  yield* Effect.fromResult(mayStartMuster(yield* levelIn(db, organizationId, administratorId), open?.id))
  yield* publishDue(db, organizationId, now)
  // Movements stop for a moment alone. Those that were being written are over then: their stays have ids up to the last one.
  const [last] = yield* readStopped(db, db.run<{ readonly last_stay: bigint }>(sql.LAST_STAY, []))
  const counts = organization.tracking_mode === "anonymous" ? yield* readCounts(db, organizationId) : NO_COUNTS
  const [started] = yield* db.run<MusterRow>(sql.START, [
    organizationId,
    organization.tracking_mode,
    kind,
    note ?? null,
    PgTypes.timestamptz(now),
    administratorId,
    last!.last_stay,
    ...counts
  ])
  yield* publishMuster(db, started!, ["started"])
  return started!
})

/** Ends a muster that is locked by the first ending that is allowed, unless it has ended. Answers the verdicts, and the act. */
const endMuster = Effect.fnUntraced(function* (db: Database, muster: MusterRow, endings: ReadonlyArray<MusterEnding>) {
  const administrators = endings.map(({ administratorId }) => administratorId)
  const verdicts = yield* verdictsByLevel(db, muster.organization_id, administrators, "manager")
  const first = endings[verdicts.findIndex(Result.isSuccess)]
  if (first === undefined || muster.ended_at !== null) return recorded(verdicts, undefined)
  yield* db.run(sql.END, [...keyOf(muster), PgTypes.timestamptz(first.now)])
  const { inside, safe, left, missing } =
    muster.mode === "anonymous" ? yield* readSummary(db, muster) : yield* countPeople(db, sql.FREEZE_PEOPLE, muster)
  yield* db.run(sql.FREEZE_NUMBERS, [...keyOf(muster), inside, safe, left, missing])
  yield* publishMuster(db, muster, ["ended"])
  return recorded(verdicts, { ...musterEnded(musterOf(muster)), author: first.author })
})

export const makeMusterStore = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing
): MusterStore["Service"] => {
  /** Reads a muster after the transaction that changed it: its events wait for the commit, and reading all people takes long. */
  const readChanged = (musterId: MusterId) =>
    storing.long.snapshot("read a changed muster", function* () {
      yield* liftStatementTimeout(db)
      return yield* readReport(db, yield* requireMuster(db, musterId))
    })

  const organizationOf = (musterId: MusterId) =>
    storing(
      "find a muster",
      Effect.map(requireMuster(db, musterId), ({ organization_id: organizationId }) => organizationId)
    )

  /** Changes a muster, and answers the calls that were not refused with what it is afterwards. */
  const change = <E>(
    operation: string,
    musterId: MusterId,
    changeLocked: (muster: MusterRow) => Effect.Effect<Recorded<ReadonlyArray<Result.Result<unknown, E>>>, SqlError>
  ) =>
    organizationOf(musterId).pipe(
      Effect.flatMap((organizationId) =>
        storing.long.by(organizationId, { isLong: false }).transaction(operation, function* () {
          yield* liftStatementTimeout(db)
          return yield* changeLocked(yield* lockMuster(db, musterId))
        })
      ),
      Effect.flatMap((verdicts) => answerAllowed(verdicts, readChanged(musterId)))
    )

  return {
    inside: (premises, readers) =>
      storing.long.snapshot("list who is inside", function* () {
        yield* liftStatementTimeout(db)
        const key = yield* directory.require(premises)
        const modes = db.run<{ readonly tracking_mode: TrackingMode }>(MODE, [key.organizationId, key.placeId])
        const { tracking_mode: mode } = yield* requireRow(modes, () => new PremisesNotFound({ premises }))
        const levelOf = yield* levelsIn(db, key.organizationId, readers)
        const verdicts = readers.map((reader) => mayListInside(levelOf(reader), mode, premises))
        return yield* answerAllowed(verdicts, readInside(db, key))
      }),

    start: (start) =>
      storing.long
        .by(start.organizationId, { isLong: false })
        .transaction("start a muster", function* () {
          yield* liftStatementTimeout(db)
          const started = yield* startMuster(db, start)
          return recorded(started, musterStarted(musterOf(started)))
        })
        .pipe(
          Effect.flatMap(({ id }) => readChanged(id)),
          // The organization was deleted after the start.
          Effect.catchTag("MusterNotFound", () =>
            Effect.fail(new OrganizationNotFound({ organizationId: start.organizationId }))
          )
        ),

    list: (organizationId, readers) =>
      storing.long.snapshot("list musters", function* () {
        yield* liftStatementTimeout(db)
        yield* requireOrganization(db, organizationId, readOrganization)
        const verdicts = yield* verdictsByLevel(db, organizationId, readers, "viewer")
        const rows = db.run<MusterRow>(sql.MUSTERS, [organizationId])
        return yield* answerAllowed(
          verdicts,
          Effect.flatMap(rows, (musters) => Effect.forEach(musters, (muster) => readSummary(db, muster)))
        )
      }),

    get: (musterId, readers) =>
      storing.long.snapshot("read a muster", function* () {
        yield* liftStatementTimeout(db)
        const muster = yield* requireMuster(db, musterId)
        const verdicts = yield* verdictsByLevel(db, muster.organization_id, readers, "viewer")
        return yield* answerAllowed(verdicts, readReport(db, muster))
      }),

    mark: (musterId, markings) =>
      change("mark people of a muster", musterId, (muster) => markAll(db, muster, markings)),

    end: (musterId, endings) => change("end a muster", musterId, (muster) => endMuster(db, muster, endings)),

    forget: (before, most) =>
      storing.byServer(
        "forget musters",
        Effect.map(db.run(sql.FORGET, [PgTypes.timestamptz(before), most]), (rows) => rows.length)
      )
  }
}
