/** The port `CountStore` in PostgreSQL. */
import {
  type AdministratorId,
  countedCorrected,
  type CountStore,
  LARGEST_LONG,
  nextTimeOfDay,
  type OrganizationId,
  policyActed,
  type PermissionLevel,
  type Premises,
  PremisesNotFound,
  recorded,
  type Timestamp
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, type Latch } from "effect"
import type { Operation } from "../database/BulkStatement.ts"
import { arrays } from "../database/columns.ts"
import { appendActs } from "../database/auditEntries.ts"
import type { Database } from "../database/Database.ts"
import { readAs, type ReaderColumns } from "../database/levels.ts"
import { lockOrganization } from "../database/locks.ts"
import type { PremisesDirectory } from "../database/PremisesDirectory.ts"
import { organizationsApart } from "../database/leavingOut.ts"
import { timestampOf } from "../database/rows.ts"
import type { Storing } from "../database/Storing.ts"
import { LOCK_FEED } from "../feed/publish.sql.ts"
import { type MomentRow, momentsOf } from "../database/moments.sql.ts"
import type { countings } from "./countReadings.ts"
import * as sql from "./counts.sql.ts"

interface PeopleRow extends ReaderColumns {
  readonly counted: bigint
  readonly inside: bigint
}

const resets = momentsOf("countedResetAt")

/** Some premises of an organization: those from `first` to `last`, of which 0 is the organization as a whole. */
export interface PremisesRange {
  readonly organizationId: OrganizationId
  readonly first: bigint
  readonly last: bigint
}

/**
 * Corrects the numbers of premises to 0, in a transaction. Answers how many people this took off, as published, and whether there is a
 * publishing interval.
 */
export const resetCounted = Effect.fnUntraced(function* (
  db: Database,
  { organizationId, first, last }: PremisesRange,
  now: Timestamp
) {
  yield* db.run(sql.LOCK_PLACES, [])
  yield* db.run(sql.LOCK_ALL_COUNTED, [organizationId, first, last])
  const [feed] = yield* db.run<{ readonly has_publishing_interval: boolean }>(LOCK_FEED, [organizationId])
  const corrections = yield* db.run<{ readonly departed: number }>(sql.CORRECT_ALL, [
    organizationId,
    0,
    PgTypes.timestamptz(now),
    first,
    last
  ])
  return {
    counted: corrections.reduce((sum, { departed }) => sum + departed, 0),
    hasPublishingInterval: feed?.has_publishing_interval === true
  }
})

/** Makes the store; `appended` is opened where changes were appended. */
export const makeCountStore = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing,
  appended: Latch.Latch,
  count: Operation<ReturnType<typeof countings>>
): CountStore["Service"] => {
  const read = Effect.fnUntraced(function* (
    premises: Premises,
    administratorId: AdministratorId,
    required: PermissionLevel
  ) {
    const { organizationId, placeId } = yield* directory.require(premises)
    const rows = db.run<PeopleRow>(sql.PEOPLE, [organizationId, placeId, administratorId])
    const [row] = yield* readAs(rows, required, () => new PremisesNotFound({ premises }))
    return { organizationId, premises, counted: Number(row.counted), inside: Number(row.inside) }
  })

  /** Resets an organization in a transaction, or computes its next reset anew, unless another server did. */
  const resetOne = Effect.fnUntraced(function* (organizationId: OrganizationId, now: Timestamp) {
    const at = PgTypes.timestamptz(now)
    yield* db.run(sql.LOCK_PLACES, [])
    const [found] = yield* db.run<MomentRow>(resets.READ, [organizationId, at])
    if (found === undefined) return 0
    const next = nextTimeOfDay(found.time_of_day, found.time_zone ?? undefined, now)
    const moments = [PgTypes.timestamptz(timestampOf(found.moment)), PgTypes.timestamptz(next)]
    const taken = yield* db.run(resets.SET, [organizationId, ...moments])
    if (taken.length === 0 || !found.is_due) return 0
    const { counted } = yield* resetCounted(db, { organizationId, first: 0n, last: LARGEST_LONG }, now)
    if (counted > 0) yield* appendActs(db, [policyActed("countedResetAt", "counted.reset", organizationId)])
    return 1
  })

  return {
    count,

    get: ({ premises, administratorId }) =>
      storing("read the people counted", read(premises, administratorId, "viewer")),

    set: ({ premises, administratorId, counted, now }) =>
      Effect.tap(
        Effect.flatMap(storing("find a place", directory.require(premises)), ({ organizationId, placeId }) =>
          storing.by(organizationId).transaction("correct the people counted", function* () {
            yield* lockOrganization(db, organizationId)
            yield* db.run(sql.LOCK_PLACES, [])
            const before = yield* read(premises, administratorId, "manager")
            const keys = [arrays.bigints([organizationId], (id) => id), arrays.bigints([placeId], (id) => id)]
            yield* db.run(sql.ADD_COUNTED, keys)
            yield* db.run(sql.LOCK_COUNTED, keys)
            yield* db.run(LOCK_FEED, [organizationId])
            yield* db.run(sql.CORRECT, [organizationId, counted, PgTypes.timestamptz(now), placeId])
            const after = { ...(yield* read(premises, administratorId, "manager")), counted }
            return recorded(after, countedCorrected(organizationId, premises, before.counted, counted))
          })
        ),
        appended.open
      ),

    reset: (now) =>
      Effect.tap(
        storing.byServer.gen("reset the people counted", function* () {
          const due = yield* db.run<{ readonly organization_id: OrganizationId }>(resets.DUE, [
            PgTypes.timestamptz(now)
          ])
          const reset = yield* organizationsApart(
            "the reset of people counted",
            due.map(({ organization_id }) => organization_id),
            (organizationId) => db.transaction(resetOne(organizationId, now))
          )
          return reset.reduce<number>((sum, one) => sum + one, 0)
        }),
        (organizations) => (organizations > 0 ? appended.open : Effect.void)
      )
  }
}
