/** The port `AuditLog` in PostgreSQL: partitions by month, which retention drops. */
import {
  type AuditLog,
  type AuditPage,
  type AuditQuery,
  OrganizationNotFound,
  PERSON_READ,
  READINGS_MERGED_MS,
  type Timestamp
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect } from "effect"
import * as SqlError from "effect/sql/SqlError"
import { type Database, isLockTimeout, isOfSchema, isOfValues } from "../database/Database.ts"
import { forReader, type ForReader, readRows } from "../database/levels.ts"
import type { Storing } from "../database/Storing.ts"
import { TRY_LOCK } from "../stays/partitions.sql.ts"
import * as sql from "../database/audit.sql.ts"
import { type AuditRow, columnsOf, entryOfRow } from "../database/auditEntries.ts"

/** The seed of the key of the advisory lock of partitions: an arbitrary number. */
const PARTITIONS_LOCK = 4_733_160_215n

/** How long a change of partitions waits for transactions that add entries, in milliseconds. They wait for it no longer. */
const LOCK_TIMEOUT_MS = 200

const LIST = forReader(sql.LIST, "r.at desc, r.id desc")

/** The parameters of a list. It reads one entry more than are asked for, and none from after the page before. */
const parametersOf = ({ from, to, action, actor, after, limit }: AuditQuery) => [
  PgTypes.timestamptz(from),
  PgTypes.timestamptz(after === undefined ? to : Math.min(to, after.at + 1)),
  action ?? null,
  actor ?? null,
  PgTypes.timestamptz(after?.at ?? null),
  after?.id ?? null,
  limit + 1
]

const pageOf = (rows: ReadonlyArray<AuditRow>, { limit }: AuditQuery): AuditPage => ({
  entries: rows.slice(0, limit).map(entryOfRow),
  hasMore: rows.length > limit
})

interface PartitionRow {
  readonly name: string
  readonly ends_at: Date | null
}

export const makeAuditLog = (db: Database, storing: Storing): AuditLog["Service"] => {
  /** Changes partitions, unless another server does, or transactions hold it up: the next call does then. */
  const changing = (statements: ReadonlyArray<string>) =>
    db
      .transaction(
        Effect.gen(function* () {
          const [lock] = yield* db.run<{ readonly is_locked: boolean }>(TRY_LOCK, [PARTITIONS_LOCK])
          if (lock?.is_locked !== true) return
          yield* db.run(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`, [])
          for (const statement of statements) yield* db.run(statement, [])
        })
      )
      .pipe(
        Effect.catchIf(
          // Entries of the month are in the rest where no server made its partition in time: they stay there.
          (error) => SqlError.isSqlError(error) && (isLockTimeout(error) || isOfSchema(error) || isOfValues(error)),
          () => Effect.void
        )
      )

  const keepPartitions = Effect.fnUntraced(function* (before: Timestamp, now: Timestamp) {
    const partitions = yield* db.run<PartitionRow>(sql.PARTITIONS, [])
    // Where Citus has the table, it is one.
    if (partitions.length === 0) return
    const names = new Set(partitions.map(({ name }) => name))
    for (const month of [sql.monthOf(now), sql.monthOf(now, 1)]) {
      if (!names.has(month.name)) yield* changing(sql.makeMonth(month))
    }
    for (const { name, ends_at: end } of partitions) {
      if (end !== null && end.getTime() <= before) yield* changing([sql.dropMonth(name)])
    }
  })

  return {
    list: ({ organizationId, administratorId, ...query }) =>
      storing.gen("list entries of the audit", function* () {
        const rows = db.run<ForReader<AuditRow>>(LIST, [organizationId, administratorId, ...parametersOf(query)])
        return pageOf(yield* readRows(rows, "owner", () => new OrganizationNotFound({ organizationId })), query)
      }),

    listAll: ({ organizationId, ...query }) =>
      storing.gen("list entries of the audit of all organizations", function* () {
        const rows =
          organizationId === undefined
            ? db.run<AuditRow>(sql.LIST_ALL, parametersOf(query))
            : db.run<AuditRow>(sql.LIST_OF, [organizationId, ...parametersOf(query)])
        return pageOf(yield* rows, query)
      }),

    read: ({ actor, requestId, at, ...reading }) => {
      const columns = columnsOf({ ...reading, action: PERSON_READ }, { actor, requestId }, at)
      return storing
        .unaudited(reading.organizationId ?? `audit ${actor.kind} ${actor.id}`)
        .transaction("record a reading of people", function* () {
          yield* db.run(sql.LOCK_READING, [
            JSON.stringify(columns.slice(1, 8), (_, value) => (typeof value === "bigint" ? `${value}` : value))
          ])
          yield* db.run(sql.READ, [...columns, PgTypes.timestamptz(at - READINGS_MERGED_MS)])
        })
    },

    forget: (before, now) =>
      storing.long.byServer.gen("forget entries of the audit", function* () {
        yield* keepPartitions(before, now)
        yield* db.run(sql.FORGET, [PgTypes.timestamptz(before)])
      })
  }
}
