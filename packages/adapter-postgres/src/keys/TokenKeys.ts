/** Compares the exit-token keys of a server with those that its database was used with. */
import { type SecretKey, fingerprintOf } from "@sojourn/core"
import { Data, Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The database was used with another exit-token key under this id: stays that are open have tokens of that one. */
export class TokenKeyDiffers extends Data.TaggedError("TokenKeyDiffers")<{ readonly keyId: number }> {
  override get message(): string {
    return (
      `exit-token key ${this.keyId} is not the one that this database was used with: ` +
      "share that key with every server of the database, or give the new one another id"
    )
  }
}

/**
 * Records the exit-token keys that a database is used with, and fails for a key whose id has another fingerprint. Servers with
 * different keys would otherwise refuse each other's tokens without a visible reason. The database stores fingerprints only.
 */
export const requireTokenKeys = Effect.fnUntraced(function* (keys: ReadonlyArray<SecretKey>) {
  const sql = yield* SqlClient.SqlClient
  for (const key of keys) {
    const fingerprint = fingerprintOf(key)
    yield* sql`insert into token_key (id, fingerprint) values (${key.id}::smallint, ${fingerprint}) on conflict do nothing`
    const [known] = yield* sql<{ readonly fingerprint: string }>`
      select fingerprint from token_key where id = ${key.id}::smallint`
    if (known?.fingerprint !== fingerprint) return yield* new TokenKeyDiffers({ keyId: key.id })
  }
})
