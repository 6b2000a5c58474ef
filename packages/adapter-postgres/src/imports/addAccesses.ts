/** Imports accesses, in a transaction: with their keys, and into the histories of their premises. */
import {
  accessAdmission,
  type AccessDraft,
  type AccessImport,
  bucketsOfStays,
  BUCKET_LENGTH_MS,
  BUCKET_STEPS,
  type HistoryBucket,
  historyParts,
  type HistoryPart,
  type ImportedStay,
  type OrganizationId,
  OrganizationNotFound,
  overlay,
  type PlaceId,
  placeName,
  type RefusedRow,
  type TrackingMode,
  Timestamp
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Clock, Effect, Result } from "effect"
import { arrays } from "../database/columns.ts"
import { type Database, WriteConflict } from "../database/Database.ts"
import { holdOrganization, liftStatementTimeout, requireOrganization } from "../database/locks.ts"
import { LOCK_FEED, PUBLISH_DUE } from "../feed/publish.sql.ts"
import { publishEvents, publishPremises } from "../feed/publishEvents.ts"
import { bucketOf, rowsOf } from "../history/HistoryStore.ts"
import { ROLL_UP_ONE } from "../history/history.sql.ts"
import { countOf, instantOf } from "../database/rows.ts"
import * as sql from "./imports.sql.ts"

/** How many stays or buckets a statement writes. */
const BATCH_ROWS = 1_000

/** How many events a roll-up adds at once. */
const EVENTS = 5_000

/** Runs a computation, in whose pauses the event loop serves other requests. */
const inPauses = <A>(steps: Generator<void, A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    let step = steps.next()
    while (step.done !== true) {
      yield* Effect.yieldNow
      step = steps.next()
    }
    return step.value
  })

/** Adds all events of the feed to the buckets. */
const rollUpAll = Effect.fnUntraced(function* (db: Database, organizationId: OrganizationId) {
  while ((yield* countOf(db.run(ROLL_UP_ONE, [EVENTS, organizationId]))) > 0);
})

/**
 * Publishes what was recorded until the last of the exits, and adds it to the buckets: an event of a time before would be of a number without the
 * people who are added. It is a transaction of its own, as it locks the feed.
 */
export const settleHistory = (db: Database, { organizationId, rows, now }: AccessImport) =>
  db.transaction(
    Effect.gen(function* () {
      const last = rows.reduce((latest, { exit }) => Math.max(latest, exit), -Infinity)
      const [feed] = yield* db.run<{ readonly has_publishing_interval: boolean }>(LOCK_FEED, [organizationId])
      if (feed === undefined) return yield* new OrganizationNotFound({ organizationId })
      if (feed.has_publishing_interval) yield* db.run(PUBLISH_DUE, [PgTypes.timestamptz(now), organizationId])
      else {
        const until = PgTypes.timestamptz(Timestamp(last))
        const pending = yield* db.run<{ readonly place_id: bigint }>(sql.PENDING_UNTIL, [organizationId, until])
        for (const { place_id: placeId } of pending) yield* publishPremises(db, organizationId, placeId, now)
      }
      yield* rollUpAll(db, organizationId)
    })
  )

/** Admits rows, and leaves out those with a key that a row before has. */
const admitRows = (
  admit: ReturnType<typeof accessAdmission>,
  rows: ReadonlyArray<AccessDraft>,
  refused: Array<RefusedRow>
): ReadonlyArray<ImportedStay> => {
  const keys = new Set<string>()
  return rows.flatMap((row) => {
    const stay = admit(row)
    if (Result.isFailure(stay)) {
      refused.push({ line: row.line, reason: stay.failure })
      return []
    }
    const { key } = stay.success
    if (key !== undefined && keys.has(key)) return []
    if (key !== undefined) keys.add(key)
    return stay.success
  })
}

/** What histories need of a stay. */
type AddedStay = Pick<ImportedStay, "placeId" | "entrance" | "exit">

/** Adds the admitted rows whose keys are new, batch by batch. Returns their stays, and the refused rows. */
const addStays = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  admit: ReturnType<typeof accessAdmission>,
  rows: ReadonlyArray<AccessDraft>
) {
  const added: Array<AddedStay> = []
  const refused: Array<RefusedRow> = []
  const held = new Set<PlaceId>()
  for (let from = 0; from < rows.length; from += BATCH_ROWS) {
    yield* Effect.yieldNow
    const batch = admitRows(admit, rows.slice(from, from + BATCH_ROWS), refused)
    const used = new Set(batch.flatMap(({ placeId }) => (placeId === undefined || held.has(placeId) ? [] : placeId)))
    if (used.size > 0) {
      const there = yield* db.run(sql.HOLD_PLACES, [organizationId, arrays.bigints([...used], (id) => id)])
      // One of them was removed since.
      if (there.length < used.size) return yield* new WriteConflict()
      for (const id of used) held.add(id)
    }
    const fresh = yield* db.run<{ readonly n: number }>(sql.ADD_STAYS, [
      organizationId,
      arrays.integers([...batch.keys()], (n) => n),
      arrays.bigints(batch, ({ placeId }) => placeId ?? 0n),
      arrays.texts(batch, ({ orgAuthServerId }) => orgAuthServerId),
      arrays.instants(batch, ({ entrance }) => entrance),
      arrays.instants(batch, ({ exit }) => exit),
      arrays.texts(batch, ({ key }) => key)
    ])
    for (const { n } of fresh) {
      const { placeId, entrance, exit } = batch[n]!
      added.push({ placeId, entrance, exit })
    }
  }
  return { added, refused }
})

interface PartRow {
  readonly minutes: string | null
  readonly quarters: string | null
  readonly days: string | null
  readonly next_at: Date | null
  readonly next_inside: bigint | null
  readonly former_inside: bigint | null
}

/** Adds to a part of the history of premises; returns when the next stored bucket after it begins. */
const addToPart = Effect.fnUntraced(function* (
  db: Database,
  premises: readonly [OrganizationId, placeId: bigint],
  { from, to, added, addedInside }: HistoryPart
) {
  const range = [PgTypes.timestamptz(from), PgTypes.timestamptz(to)]
  const [row] = yield* db.run<PartRow>(sql.READ_PART, [...premises, ...range])
  const { minutes, quarters, days, next_at, next_inside, former_inside } = row!
  const stored = {
    minute: rowsOf(minutes).map(bucketOf),
    quarter: rowsOf(quarters).map(bucketOf),
    day: rowsOf(days).map(bucketOf)
  }
  // The buckets before this part have those who are added already.
  const former = Number(former_inside ?? 0n) - addedInside
  const storedInside = stored.day[0]?.before ?? (next_inside === null ? former : Number(next_inside))
  const changed = overlay({ stored, storedInside, added, addedInside })
  const written = BUCKET_STEPS.flatMap((step) =>
    changed[step].map((bucket) => ({ ...bucket, step: BUCKET_LENGTH_MS[step] / 1000 }))
  )
  for (let from = 0; from < written.length; from += BATCH_ROWS) {
    const batch = written.slice(from, from + BATCH_ROWS)
    const numbers = (value: (row: HistoryBucket) => number) => arrays.bigints(batch, (row) => BigInt(value(row)))
    yield* db.run(sql.PUT_BUCKETS, [
      ...premises,
      arrays.integers(batch, ({ step }) => step),
      arrays.instants(batch, ({ from }) => from),
      arrays.instants(batch, ({ until }) => until),
      numbers(({ entered }) => entered),
      numbers(({ left }) => left),
      numbers(({ exits }) => exits),
      numbers(({ stayed }) => stayed),
      numbers(({ before }) => before),
      numbers(({ least }) => least),
      numbers(({ most }) => most),
      numbers(({ insideTime }) => insideTime)
    ])
  }
  return instantOf(next_at)
})

/** Adds stays to the histories of their premises. */
const addToHistories = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  stays: ReadonlyArray<AddedStay>,
  now: Timestamp
) {
  const byPlace = new Map<bigint, Array<AddedStay>>()
  const first = new Map<bigint, number>()
  for (const [n, stay] of stays.entries()) {
    if (n % BATCH_ROWS === BATCH_ROWS - 1) yield* Effect.yieldNow
    const placeId = stay.placeId ?? 0n
    const known = byPlace.get(placeId)
    if (known === undefined) byPlace.set(placeId, [stay])
    else known.push(stay)
    first.set(placeId, Math.min(first.get(placeId) ?? Infinity, stay.entrance))
  }
  const beginnings = [...first]
  yield* db.run(sql.BEGIN_AT, [
    organizationId,
    arrays.bigints(beginnings, ([placeId]) => placeId),
    arrays.instants(beginnings, ([, at]) => at)
  ])
  for (const [placeId, own] of byPlace) {
    const parts = historyParts(yield* inPauses(bucketsOfStays(own, now)))
    for (let part = parts.next(); part !== undefined; part = parts.next()) {
      parts.skipTo(yield* addToPart(db, [organizationId, placeId], part))
    }
  }
})

interface OrganizationModeRow {
  readonly tracking_mode: TrackingMode
}

/** Imports the rows, in a transaction. It blocks no movement, and the feed of the organization for its last moment alone. */
export const addAccesses = Effect.fnUntraced(function* (db: Database, { organizationId, rows, now }: AccessImport) {
  yield* liftStatementTimeout(db)
  const { tracking_mode: mode } = yield* requireOrganization<OrganizationModeRow>(db, organizationId, holdOrganization)
  yield* db.run(sql.LOCK_HISTORY, [organizationId])
  const found = yield* db.run<{ readonly id: PlaceId; readonly name: string | null }>(sql.PLACES, [organizationId])
  const places = found.map(({ id, name }) => ({ id, name: placeName({ id, name: name ?? undefined }) }))
  const admit = accessAdmission({ organizationId, mode, places }, now)
  const { added, refused } = yield* addStays(db, organizationId, admit, rows)
  const answer = { imported: added.length, skipped: rows.length - refused.length - added.length, refused }
  if (added.length === 0) return answer
  yield* rollUpAll(db, organizationId)
  yield* addToHistories(db, organizationId, added, now)
  yield* db.run(sql.NOTE_IMPORT, [organizationId, PgTypes.timestamptz(yield* Clock.currentTimeMillis)])
  yield* publishEvents(db, organizationId, [{ _tag: "OrganizationChanged", changed: "updated" }])
  return answer
})
