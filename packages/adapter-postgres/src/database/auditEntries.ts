/** Entries of the audit as rows, and how a transaction adds them. */
import {
  type Act,
  type AuditEntry,
  type AuditEntryId,
  authorIn,
  type Author,
  type OrganizationId,
  type PlaceId
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Clock, Effect } from "effect"
import type { Database } from "./Database.ts"
import { numberOf, timestampOf } from "./rows.ts"
import { APPEND } from "./audit.sql.ts"

export interface AuditRow {
  readonly id: AuditEntryId
  readonly at: Date
  readonly actor_kind: AuditEntry["actor"]["kind"]
  readonly actor_id: string
  readonly action: string
  readonly organization_id: bigint
  readonly place_id: PlaceId | null
  readonly target_kind: string | null
  readonly target_id: string | null
  readonly changes: AuditEntry["changes"] | null
  readonly people: bigint | null
  readonly request_id: string | null
}

export const entryOfRow = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: timestampOf(row.at),
  actor: { kind: row.actor_kind, id: row.actor_id },
  action: row.action,
  organizationId: row.organization_id === 0n ? undefined : (row.organization_id as OrganizationId),
  placeId: row.place_id ?? undefined,
  target: row.target_kind === null ? undefined : { kind: row.target_kind, id: row.target_id! },
  changes: row.changes ?? undefined,
  count: numberOf(row.people),
  requestId: row.request_id ?? undefined
})

/** The columns of an entry, as {@link APPEND} takes them. */
export const columnsOf = (
  { action, organizationId, placeId, target, changes, count }: Omit<Act, "author">,
  { actor, requestId }: Author,
  at: number
): ReadonlyArray<unknown> => [
  PgTypes.timestamptz(at),
  actor.kind,
  actor.id,
  action,
  organizationId ?? 0n,
  placeId ?? null,
  target?.kind ?? null,
  target?.id ?? null,
  changes === undefined ? null : JSON.stringify(changes),
  count ?? null,
  requestId ?? null
]

/** The columns of the entry of an act that happens now: the parameters of `APPEND` and `appendingFrom`. */
export const entryOf = Effect.fnUntraced(function* (act: Act) {
  const author = act.author ?? authorIn(yield* Effect.context<never>())
  return columnsOf(act, author, yield* Clock.currentTimeMillis)
})

/** Adds the entries of acts, in the transaction that changed what they are about. */
export const appendActs = (db: Database, acts: ReadonlyArray<Act>) =>
  Effect.forEach(acts, (act) => Effect.flatMap(entryOf(act), (columns) => db.run(APPEND, columns)), { discard: true })
