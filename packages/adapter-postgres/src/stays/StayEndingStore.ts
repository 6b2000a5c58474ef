/** The port `StayEndingStore` in PostgreSQL: large crowds end in batches, each of which is a transaction. */
import {
  LARGEST_LONG,
  mayEndStays,
  nextTimeOfDay,
  type OrganizationId,
  policyActed,
  type Premises,
  premisesCleared,
  PremisesNotFound,
  recorded,
  type StayEndingStore,
  staysEnded,
  type Timestamp,
  type TrackingMode
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, type Latch } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { arrays } from "../database/columns.ts"
import { appendActs } from "../database/auditEntries.ts"
import type { Database } from "../database/Database.ts"
import { organizationsApart } from "../database/leavingOut.ts"
import { levelIn, requireLevelIn } from "../database/levels.ts"
import { lockOrganization } from "../database/locks.ts"
import { OF_PREMISES } from "../database/premises.sql.ts"
import type { PremisesDirectory } from "../database/PremisesDirectory.ts"
import { countOf, requireRow, timestampOf } from "../database/rows.ts"
import type { Storing } from "../database/Storing.ts"
import { type PremisesRange, resetCounted } from "../devices/CountStore.ts"
import { type MomentRow, momentsOf } from "../database/moments.sql.ts"
import { BEGIN_DAILY, CLEAR, END, END_DAILY, IS_ANY_OPEN, LAST_STAY, PUBLISHED_INSIDE } from "./stayEndings.sql.ts"

/** Open stays of a batch. A movement of one of them waits until the batch ends. */
const STAYS_AT_ONCE = 500

const ends = momentsOf("staysEndAt")

const MODE = `select o.tracking_mode from organization o where ${OF_PREMISES}`

interface BatchRow {
  readonly count: bigint
  readonly place_id: bigint
  readonly stay_id: bigint
}

/** Makes the store; `appended` is opened where stays ended. */
export const makeStayEndingStore = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing,
  appended: Latch.Latch
): StayEndingStore["Service"] => {
  /** The premises that are meant, for the store of their organization. */
  const rangeOf = (premises: Premises, withPlaces: boolean) =>
    Effect.map(storing("find a place", directory.require(premises)), ({ organizationId, placeId }): PremisesRange => {
      const isAll = placeId === 0n && withPlaces
      return { organizationId, first: placeId, last: isAll ? LARGEST_LONG : placeId }
    })

  /** Locks the organization of premises, which exist, and answers its mode. */
  const lockPremises = Effect.fnUntraced(function* (premises: Premises, { organizationId, first }: PremisesRange) {
    yield* lockOrganization(db, organizationId)
    const rows = db.run<{ readonly tracking_mode: TrackingMode }>(MODE, [organizationId, first])
    return (yield* requireRow(rows, () => new PremisesNotFound({ premises }))).tracking_mode
  })

  /** Runs a statement of batches to the end. Answers how many stays ended. */
  const abandon = Effect.fnUntraced(function* <E>(
    { organizationId, first, last }: PremisesRange,
    now: Timestamp,
    run: (parameters: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<BatchRow>, E>
  ) {
    let [place, stay, ended] = [first, 0n, 0]
    let isLeft = true
    while (isLeft) {
      const premises = [organizationId, first, last]
      const [row] = yield* run([...premises, place, stay, PgTypes.timestamptz(now), STAYS_AT_ONCE])
      isLeft = row !== undefined
      if (row === undefined) continue
      ended += Number(row.count)
      ;[place, stay] = [row.place_id, row.stay_id]
      yield* appended.open
    }
    return ended
  })

  /** Ends the day of an organization, unless another server did. */
  const endOne = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    now: Timestamp
  ): Effect.fn.Return<number, SqlError> {
    const [found] = yield* db.run<MomentRow>(ends.READ, [organizationId, PgTypes.timestamptz(now)])
    if (found === undefined) return 0
    const moment = PgTypes.timestamptz(timestampOf(found.moment))
    const next = nextTimeOfDay(found.time_of_day, found.time_zone ?? undefined, now)
    if (found.is_due) {
      yield* db.transaction(
        Effect.gen(function* () {
          const begun = yield* db.run(BEGIN_DAILY, [organizationId, moment])
          if (begun.length > 0) yield* appendActs(db, [policyActed("staysEndAt", "stay.abandon", organizationId)])
        })
      )
      const all = { organizationId, first: 0n, last: LARGEST_LONG }
      yield* abandon(all, now, (parameters) => db.run<BatchRow>(END_DAILY, [...parameters, moment]))
    }
    const taken = yield* db.run(ends.SET, [organizationId, moment, PgTypes.timestamptz(next)])
    return found.is_due ? taken.length : 0
  })

  return {
    end: ({ premises, withPlaces, administratorId, people, claim }) =>
      Effect.flatMap(rangeOf(premises, withPlaces), (range) =>
        Effect.tap(
          storing.by(range.organizationId).transaction("end stays of people", function* () {
            const { organizationId, first, last } = range
            const mode = yield* lockPremises(premises, range)
            const level = yield* levelIn(db, organizationId, administratorId)
            yield* Effect.fromResult(mayEndStays(level, mode, premises, claim))
            const [row] = yield* db.run<{ readonly count: bigint; readonly people: bigint }>(END, [
              organizationId,
              first,
              last,
              arrays.texts(people, (person) => person),
              claim.timestamp === undefined ? null : PgTypes.timestamptz(claim.timestamp),
              PgTypes.timestamptz(claim.now)
            ])
            return recorded(Number(row!.count), staysEnded(organizationId, premises, people, Number(row!.people)))
          }),
          appended.open
        )
      ),

    clear: ({ premises, withPlaces, administratorId, now }) =>
      Effect.gen(function* () {
        const range = yield* rangeOf(premises, withPlaces)
        const batches = storing.unaudited(range.organizationId)
        const begun = yield* storing.by(range.organizationId).transaction("begin to clear premises", function* () {
          const { organizationId, first, last } = range
          yield* lockPremises(premises, range)
          yield* requireLevelIn(db, organizationId, administratorId, "manager")
          const { counted, hasPublishingInterval } = yield* resetCounted(db, range, now)
          const [stay] = yield* db.run<{ readonly last_stay: bigint }>(LAST_STAY, [])
          const published = hasPublishingInterval
            ? (yield* countOf(db.run(PUBLISHED_INSIDE, [organizationId, first, last]))) - counted
            : undefined
          const [open] = yield* db.run(IS_ANY_OPEN, [organizationId, first, last])
          const begun = { counted, published, lastStay: stay!.last_stay }
          const isInhabited = open !== undefined || counted > 0
          return recorded(begun, isInhabited ? premisesCleared(organizationId, premises) : undefined)
        })
        yield* appended.open
        const ended = yield* abandon(range, now, (parameters) =>
          batches("clear premises", db.run<BatchRow>(CLEAR, [...parameters, begun.lastStay]))
        )
        return { ended: begun.published ?? ended, counted: begun.counted }
      }),

    endDue: (now) =>
      storing.long.byServer.gen("end stays daily", function* () {
        const due = yield* db.run<{ readonly organization_id: OrganizationId }>(ends.DUE, [PgTypes.timestamptz(now)])
        const ended = yield* organizationsApart(
          "the daily end of stays",
          due.map(({ organization_id }) => organization_id),
          (organizationId) => endOne(organizationId, now)
        )
        return ended.reduce<number>((sum, one) => sum + one, 0)
      })
  }
}
