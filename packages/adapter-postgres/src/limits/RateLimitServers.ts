/** Counts the servers that share a database, so that each grants its part of a rate limit. */
import type { StoreError } from "@sojourn/core"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Effect, type Scope } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { makeDatabase, StoreReadiness } from "../database/Database.ts"
import { countOf } from "../database/rows.ts"
import { makeStoring } from "../database/Storing.ts"

/** Registers or renews the server $1, removes the servers that were not renewed for $2, and returns the number of the rest. */
const COUNT = `
with renewed as (
  insert into rate_limit_server (id, seen_at) values ($1::uuid, now())
  on conflict (id) do update set seen_at = excluded.seen_at
),
expired as (
  delete from rate_limit_server where id <> $1::uuid and seen_at < now() - $2::interval
)
select 1 + count(*) as count from rate_limit_server where id <> $1::uuid and seen_at >= now() - $2::interval`

const LEAVE = "delete from rate_limit_server where id = $1::uuid"

/** How long a server counts that is not renewed, such as one that crashed. */
const LIFETIME = "10 seconds"

/**
 * Makes the effect that registers this server and returns how many servers share the rate limits of the database, itself
 * included. Run it about every two seconds; the server is removed when the scope closes. A row has a random id and a time: it names
 * no caller.
 */
export const countRateLimitServers: Effect.Effect<
  Effect.Effect<number, StoreError>,
  never,
  SqlClient.SqlClient | Scope.Scope
> = Effect.gen(function* () {
  const db = makeDatabase(yield* SqlClient.SqlClient)
  const storing = makeStoring(db, yield* StoreReadiness)
  const id = SecureRandom.uuidV4Unsafe()
  yield* Effect.addFinalizer(() =>
    Effect.ignore(storing.byServer("remove a server of rate limits", db.run(LEAVE, [id])))
  )
  return storing.byServer("count the servers of rate limits", countOf(db.run(COUNT, [id, LIFETIME])))
})
