/** The exit-token keys and retry keys in PostgreSQL: sharing, rotation, expiry, and no secret in the database. */
import { assert, layer } from "@effect/vitest"
import { type SecretKey, RETRY_KEY_LIFETIME } from "@sojourn/core"
import { Clock, Effect, Redacted } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { forgetRetryKeys, migrate, requireTokenKeys } from "../src/index.ts"
import { MAX_FORGOTTEN_KEYS } from "../src/stays/RetryKeys.ts"
import { emptyDatabase, layerPostgres, on } from "./fixtures.ts"

const key = (id: number, byte: number): SecretKey => ({
  id,
  secret: Redacted.make(new Uint8Array(32).fill(byte))
})

const migrated = Effect.tap(emptyDatabase, (database) => on(database)(migrate))

layer(layerPostgres, { excludeTestServices: true })("exit-token keys", (it) => {
  it.effect("are shared by the servers of a database, and may be rotated", () =>
    Effect.gen(function* () {
      const database = yield* migrated
      yield* on(database)(requireTokenKeys([key(1, 1)]))
      yield* on(database)(requireTokenKeys([key(1, 1)]))
      yield* on(database)(requireTokenKeys([key(2, 2), key(1, 1)]))
      yield* on(database)(requireTokenKeys([key(2, 2)]))
    })
  )

  it.effect("are refused under an id that was another's, whichever of two servers comes first", () =>
    Effect.gen(function* () {
      const database = yield* migrated
      const results = yield* Effect.all(
        [1, 2, 3, 4].map((byte) => Effect.result(on(database)(requireTokenKeys([key(1, byte)])))),
        { concurrency: "unbounded" }
      )
      const refusals = results.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
      assert.deepStrictEqual(refusals, ["TokenKeyDiffers", "TokenKeyDiffers", "TokenKeyDiffers"])
    })
  )

  it.effect("are nowhere in the database, neither as they are nor as text", () =>
    Effect.gen(function* () {
      const database = yield* migrated
      yield* on(database)(requireTokenKeys([key(1, 0x41)]))
      const [row] = yield* on(database)(
        SqlClient.SqlClient.use((sql) => sql<{ readonly kept: string }>`select token_key::text as kept from token_key`)
      )
      for (const text of ["A".repeat(8), "QUFB", "41414141"]) assert.notInclude(row?.kept ?? text, text)
    })
  )
})

layer(layerPostgres, { excludeTestServices: true })("retry keys", (it) => {
  it.effect("are forgotten by many statements when they are many, none of which takes long", () =>
    Effect.gen(function* () {
      const most = Number(MAX_FORGOTTEN_KEYS)
      const counts = yield* on(yield* migrated)(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`insert into entrance_retry
            (organization_id, place_id, retry_key, stay_id, key_id, entered_at, used_at)
            select 1, 0, n, n, 1, now() - interval '2 days', now() - interval '2 days'
            from generate_series(1, ${2 * most + 1}::int) n`
          yield* sql`create table gone (n bigint generated always as identity, count bigint)`
          yield* sql.unsafe(`create function note() returns trigger language plpgsql as $$
            begin insert into gone (count) select count(*) from old_rows; return null; end $$`)
          yield* sql`create trigger note after delete on entrance_retry
            referencing old table as old_rows for each statement execute function note()`
          yield* forgetRetryKeys
          return yield* sql<{ readonly count: bigint }>`select count from gone order by n`
        })
      )
      assert.deepStrictEqual(
        counts.map(({ count }) => Number(count)),
        [most, most, 1]
      )
    })
  )

  it.effect("are forgotten when their day is over", () =>
    Effect.gen(function* () {
      const database = yield* migrated
      const now = yield* Clock.currentTimeMillis
      const left = yield* on(database)(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          for (const [name, age] of [
            ["old", RETRY_KEY_LIFETIME + 1],
            ["young", RETRY_KEY_LIFETIME - 60_000]
          ] as const) {
            const used = new Date(now - age)
            yield* sql`insert into entrance_retry
              (organization_id, place_id, retry_key, stay_id, key_id, entered_at, used_at)
              values (1, 0, ${name}, 1, 1, ${used}::timestamptz, ${used}::timestamptz)`
          }
          yield* forgetRetryKeys
          return yield* sql<{ readonly retry_key: string }>`select retry_key from entrance_retry`
        })
      )
      assert.deepStrictEqual(
        left.map(({ retry_key }) => retry_key),
        ["young"]
      )
    })
  )
})
