/** The port `StayPolicyStore` in PostgreSQL: policies, and the sweeps that apply them under a lease. */
import {
  changeStayPolicy,
  type EventGrain,
  type LongestStay,
  NO_POLICY,
  type OrganizationId,
  resetAfterChange,
  type Retention,
  type SilentAfter,
  type SmallestCount,
  type StayPolicy,
  type StayPolicyStore,
  type SweepBatch,
  Timestamp
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import type { Database } from "../database/Database.ts"
import { makeStayPartitions } from "../stays/StayPartitions.ts"
import type { Storing } from "../database/Storing.ts"
import { readOrganization, requireOrganization } from "../database/locks.ts"
import { countOf, instantOf, numberOf } from "../database/rows.ts"
import { ABANDON, FORGET_ACCESSES, GET, LIST, PUT, TAKE_LEASE } from "./policies.sql.ts"

interface StayPolicyRow {
  readonly longest_stay: bigint | null
  readonly retention: bigint | null
  readonly event_grain: bigint | null
  readonly smallest_count: bigint | null
  readonly counted_reset_at: string | null
  readonly time_zone: string | null
  readonly device_silent_after: bigint | null
  readonly exclusive_places: boolean | null
  readonly reset_at: Date | null
}

const policyOf = ([row]: ReadonlyArray<StayPolicyRow>): StayPolicy =>
  row === undefined
    ? NO_POLICY
    : changeStayPolicy(NO_POLICY, {
        longestStay: numberOf<LongestStay>(row.longest_stay),
        retention: numberOf<Retention>(row.retention),
        eventGrain: numberOf<EventGrain>(row.event_grain),
        smallestCount: numberOf<SmallestCount>(row.smallest_count),
        countedResetAt: row.counted_reset_at,
        timeZone: row.time_zone,
        deviceSilentAfter: numberOf<SilentAfter>(row.device_silent_after),
        exclusivePlaces: row.exclusive_places
      })

/** Makes the store; `appended` is opened where stays were abandoned. */
export const makeStayPolicyStore = (
  db: Database,
  storing: Storing,
  appended: Latch.Latch,
  partitionRows: number
): StayPolicyStore["Service"] => {
  const partitions = makeStayPartitions(db, partitionRows)
  const sweep =
    (operation: string, statement: string) =>
    ({ lease, now, most }: SweepBatch) =>
      storing(
        operation,
        countOf(db.run(statement, [lease.organizationId, lease.number, PgTypes.timestamptz(now), most]))
      )

  return {
    get: (organizationId) =>
      storing.gen("read a stay policy", function* () {
        yield* requireOrganization(db, organizationId, readOrganization)
        return policyOf(yield* db.run<StayPolicyRow>(GET, [organizationId]))
      }),

    change: ({ organizationId, decide }) =>
      storing.transaction("change a stay policy", function* () {
        yield* requireOrganization(db, organizationId)
        const rows = yield* db.run<StayPolicyRow>(GET, [organizationId])
        const before = policyOf(rows)
        const changed = decide(before)
        const next = instantOf(rows[0]?.reset_at ?? null)
        const resetAt = resetAfterChange(before, changed, next, Timestamp(yield* Clock.currentTimeMillis))
        yield* db.run(PUT, [
          organizationId,
          changed.longestStay ?? null,
          changed.retention ?? null,
          changed.eventGrain ?? null,
          changed.smallestCount ?? null,
          changed.countedResetAt ?? null,
          changed.timeZone ?? null,
          changed.deviceSilentAfter ?? null,
          changed.exclusivePlaces ?? null,
          resetAt === undefined ? null : PgTypes.timestamptz(resetAt)
        ])
        return changed
      }),

    list: storing(
      "list stay policies",
      Effect.map(db.run<{ readonly organization_id: OrganizationId }>(LIST, []), (rows) =>
        rows.map(({ organization_id }) => organization_id)
      )
    ),

    takeLease: ({ organizationId, every, now }) =>
      storing(
        "take a sweep lease",
        Effect.map(
          db.run<{ readonly lease_number: bigint }>(TAKE_LEASE, [organizationId, every, PgTypes.timestamptz(now)]),
          ([row]) => Option.map(Option.fromUndefinedOr(row), ({ lease_number: number }) => ({ organizationId, number }))
        )
      ),

    abandon: (batch) => Effect.tap(sweep("abandon stays", ABANDON)(batch), appended.open),
    forget: sweep("forget accesses", FORGET_ACCESSES),
    forgetAtOnce: (now) => storing.long("forget accesses at once", partitions.keep(now))
  }
}
