/** The port `StayPolicyStore` in PostgreSQL: policies, and the sweeps that apply them under a lease. */
import {
  accessesForgotten,
  type Act,
  changeStayPolicy,
  DAILY_PARTS,
  type DailyMoments,
  NO_POLICY,
  policyUpdated,
  recorded,
  type OrganizationId,
  OrganizationNotFound,
  overdueAbandoned,
  momentsAfterChange,
  type StayPolicy,
  type StayPolicyChange,
  type StayPolicyStore,
  type SweepBatch,
  Timestamp
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Clock, Effect, type Latch, Option } from "effect"
import { appendActs } from "../database/auditEntries.ts"
import type { Database } from "../database/Database.ts"
import { lockToPublish, publishWith } from "../feed/publishEvents.ts"
import type { OrganizationRow } from "../organizations/organizations.ts"
import { makeStayPartitions } from "../stays/StayPartitions.ts"
import type { Storing } from "../database/Storing.ts"
import { readOrganization, requireOrganization } from "../database/locks.ts"
import { MOMENT_COLUMNS } from "../database/moments.sql.ts"
import { countOf, instantOf } from "../database/rows.ts"
import { ABANDON, FORGET_ACCESSES, GET, LIST, POLICY_COLUMNS, PUT, SET_TIME_ZONE, TAKE_LEASE } from "./policies.sql.ts"

type Moments = typeof MOMENT_COLUMNS

type StayPolicyRow = { readonly [Part in keyof Moments as Moments[Part]["moment"]]: Date | null } & {
  readonly [Part in keyof typeof POLICY_COLUMNS as (typeof POLICY_COLUMNS)[Part][0]]: bigint | string | boolean | null
}

/** The organization's own part of a policy. */
interface ZoneRow {
  readonly time_zone: string | null
}

const policyOf = ([row]: ReadonlyArray<StayPolicyRow>, { time_zone: timeZone }: ZoneRow): StayPolicy =>
  row === undefined && timeZone === null
    ? NO_POLICY
    : changeStayPolicy(NO_POLICY, {
        ...(Object.fromEntries(
          Object.entries(POLICY_COLUMNS).map(([part, [column]]) => {
            const value = row?.[column]
            return [part, typeof value === "bigint" ? Number(value) : value]
          })
        ) as StayPolicyChange),
        timeZone
      })

const momentsOf = ([row]: ReadonlyArray<StayPolicyRow>): DailyMoments =>
  Object.fromEntries(DAILY_PARTS.map((part) => [part, instantOf(row?.[MOMENT_COLUMNS[part].moment] ?? null)]))

const parts = Object.keys(POLICY_COLUMNS) as ReadonlyArray<keyof typeof POLICY_COLUMNS>

/** Makes the store; `appended` is opened where stays were abandoned. */
export const makeStayPolicyStore = (
  db: Database,
  storing: Storing,
  appended: Latch.Latch,
  partitionRows: number
): StayPolicyStore["Service"] => {
  const partitions = makeStayPartitions(db, partitionRows)
  const sweep =
    (operation: string, statement: string, actIn: (organizationId: OrganizationId) => Act) =>
    ({ lease: { organizationId, number }, now, most, isFirst }: SweepBatch) =>
      storing.byServer.transaction(operation, function* () {
        const ended = yield* countOf(db.run(statement, [organizationId, number, PgTypes.timestamptz(now), most]))
        if (isFirst && ended > 0) yield* appendActs(db, [actIn(organizationId)])
        return ended
      })

  return {
    get: (organizationId) =>
      storing.gen("read a stay policy", function* () {
        const organization = yield* requireOrganization<ZoneRow>(db, organizationId, readOrganization)
        return policyOf(yield* db.run<StayPolicyRow>(GET, [organizationId]), organization)
      }),

    change: ({ organizationId, decide }) =>
      storing.by(organizationId).transaction("change a stay policy", function* () {
        const organization = yield* lockToPublish<OrganizationRow>(db, organizationId)
        if (organization === undefined) return yield* new OrganizationNotFound({ organizationId })
        const rows = yield* db.run<StayPolicyRow>(GET, [organizationId])
        const before = policyOf(rows, organization)
        const changed = decide(before)
        const now = Timestamp(yield* Clock.currentTimeMillis)
        const moments = momentsAfterChange({ before, after: changed, next: momentsOf(rows), now })
        yield* db.run(PUT, [
          organizationId,
          ...parts.map((part) => changed[part] ?? null),
          ...DAILY_PARTS.map((part) => {
            const moment = moments[part]
            return moment === undefined ? null : PgTypes.timestamptz(moment)
          })
        ])
        const timeZone = changed.timeZone ?? null
        if (timeZone !== organization.time_zone) {
          yield* publishWith(db, organization, SET_TIME_ZONE, { _tag: "OrganizationChanged", changed: "updated" }, [
            timeZone
          ])
        }
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

    abandon: (batch) => Effect.tap(sweep("abandon stays", ABANDON, overdueAbandoned)(batch), appended.open),
    forget: sweep("forget accesses", FORGET_ACCESSES, accessesForgotten),
    forgetAtOnce: (now) => storing.long.byServer("forget accesses at once", partitions.keep(now))
  }
}
