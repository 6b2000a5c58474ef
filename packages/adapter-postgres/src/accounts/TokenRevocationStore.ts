/** The port `TokenRevocationStore` in PostgreSQL. */
import { recorded, tokensRevoked, type TokenRevocationStore } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect } from "effect"
import type { Database } from "../database/Database.ts"
import { timestampOf } from "../database/rows.ts"
import type { Storing } from "../database/Storing.ts"

/** The lock of revocations: of this schema, until the transaction ends. */
const LOCK = "select pg_advisory_xact_lock(hashtextextended(current_schema(), 3120875547))"

/** $1 the caller, $2 the moment. The revision is above all others, which are visible under the lock: a reading finds them in their order. */
const REVOKE = `
insert into token_revocation as kept (caller_hash, issued_before, revision)
values ($1::text, $2::timestamptz, (select coalesce(max(revision), 0) + 1 from token_revocation))
on conflict (caller_hash) do update set issued_before = excluded.issued_before, revision = excluded.revision
where kept.issued_before < excluded.issued_before
returning revision`

/** The revocations after the revision $1; all, where no revision is as high. */
const SINCE = `
select caller_hash, issued_before, revision from token_revocation
where revision > case when $1::bigint > (select max(revision) from token_revocation) then 0 else $1::bigint end
order by revision`

interface RevocationRow {
  readonly caller_hash: string
  readonly issued_before: Date
  readonly revision: bigint
}

export const makeTokenRevocationStore = (db: Database, storing: Storing): TokenRevocationStore["Service"] => ({
  revoke: ({ callerHash, issuedBefore }, caller) =>
    storing.by(`revocation ${callerHash}`).transaction("revoke tokens", function* () {
      yield* db.run(LOCK, [])
      const kept = yield* db.run(REVOKE, [callerHash, PgTypes.timestamptz(issuedBefore)])
      return recorded(undefined, kept.length === 0 ? undefined : tokensRevoked(caller))
    }),

  since: (position = 0n) =>
    storing(
      "read the revocations of tokens",
      Effect.map(db.run<RevocationRow>(SINCE, [position]), (rows) => ({
        revocations: rows.map((row) => ({ callerHash: row.caller_hash, issuedBefore: timestampOf(row.issued_before) })),
        position: rows.at(-1)?.revision ?? position
      }))
    )
})
