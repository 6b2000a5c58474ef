/** The port `StayPolicyStore` in PostgreSQL: policies, and the sweeps that apply them under a lease. */
import {
  changeStayPolicy,
  NO_POLICY,
  policyUpdated,
  recorded,
  type OrganizationId,
  resetAfterChange,
  type StayPolicy,
  type StayPolicyChange,
  type StayPolicyStore,
  type SweepBatch,
  Timestamp
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Clock, Effect, type Latch, Option } from "effect"
import type { Database } from "../database/Database.ts"
import { makeStayPartitions } from "../stays/StayPartitions.ts"
import type { Storing } from "../database/Storing.ts"
import { readOrganization, requireOrganization } from "../database/locks.ts"
import { countOf, instantOf } from "../database/rows.ts"
import { ABANDON, FORGET_ACCESSES, GET, LIST, POLICY_COLUMNS, PUT, TAKE_LEASE } from "./policies.sql.ts"

type StayPolicyRow = { readonly reset_at: Date | null } & {
  readonly [Part in keyof typeof POLICY_COLUMNS as (typeof POLICY_COLUMNS)[Part][0]]: bigint | string | boolean | null
}

const policyOf = ([row]: ReadonlyArray<StayPolicyRow>): StayPolicy =>
  row === undefined
    ? NO_POLICY
    : changeStayPolicy(
        NO_POLICY,
        Object.fromEntries(
          Object.entries(POLICY_COLUMNS).map(([part, [column]]) => {
            const value = row[column]
            return [part, typeof value === "bigint" ? Number(value) : value]
          })
        ) as StayPolicyChange
      )

const parts = Object.keys(POLICY_COLUMNS) as ReadonlyArray<keyof StayPolicy>

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
      storing.byServer(
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
      storing.by(organizationId).transaction("change a stay policy", function* () {
        yield* requireOrganization(db, organizationId)
        const rows = yield* db.run<StayPolicyRow>(GET, [organizationId])
        const before = policyOf(rows)
        const changed = decide(before)
        const next = instantOf(rows[0]?.reset_at ?? null)
        const resetAt = resetAfterChange({
          before,
          after: changed,
          next,
          now: Timestamp(yield* Clock.currentTimeMillis)
        })
        yield* db.run(PUT, [
          organizationId,
          ...parts.map((part) => changed[part] ?? null),
          resetAt === undefined ? null : PgTypes.timestamptz(resetAt)
        ])
        return recorded(changed, policyUpdated(organizationId, before, changed))
      }),

    list: storing(
      "list stay policies",
      Effect.map(db.run<{ readonly organization_id: OrganizationId }>(LIST, []), (rows) =>
        rows.map(({ organization_id }) => organization_id)
      )
    ),

    takeLease: ({ organizationId, every, now }) =>
      storing.byServer(
        "take a sweep lease",
        Effect.map(
          db.run<{ readonly lease_number: bigint }>(TAKE_LEASE, [organizationId, every, PgTypes.timestamptz(now)]),
          ([row]) => Option.map(Option.fromUndefinedOr(row), ({ lease_number: number }) => ({ organizationId, number }))
        )
      ),

    abandon: (batch) => Effect.tap(sweep("abandon stays", ABANDON)(batch), appended.open),
    forget: sweep("forget accesses", FORGET_ACCESSES),
    forgetAtOnce: (now) => storing.long.byServer("forget accesses at once", partitions.keep(now))
  }
}
