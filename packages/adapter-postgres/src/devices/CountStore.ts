/** The port `CountStore` in PostgreSQL. */
import {
  type AdministratorId,
  countedCorrected,
  type CountStore,
  nextReset,
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
import type { Storing } from "../database/Storing.ts"
import { LOCK_FEED } from "../feed/publish.sql.ts"
import type { countings } from "./countReadings.ts"
import * as sql from "./counts.sql.ts"

interface PeopleRow extends ReaderColumns {
  readonly counted: bigint
  readonly inside: bigint
}

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
    const [due] = yield* db.run<{
      readonly counted_reset_at: string
      readonly time_zone: string | null
      readonly is_due: boolean
    }>(sql.LOCK_DUE, [organizationId, at])
    if (due === undefined) return 0
    if (due.is_due) {
      const counted = yield* db.run<{ readonly people: bigint }>(sql.LOCK_ALL_COUNTED, [organizationId])
      yield* db.run(LOCK_FEED, [organizationId])
      yield* db.run(sql.CORRECT_ALL, [organizationId, 0, at])
      if (counted.some(({ people }) => people > 0n))
        yield* appendActs(db, [policyActed("countedResetAt", "counted.reset", organizationId)])
    }
    const next = nextReset(due.counted_reset_at, due.time_zone ?? undefined, now)
    yield* db.run(sql.SET_RESET, [organizationId, PgTypes.timestamptz(next)])
    return due.is_due ? 1 : 0
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
          const due = yield* db.run<{ readonly organization_id: OrganizationId }>(sql.DUE_RESETS, [
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
