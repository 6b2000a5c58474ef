/** The port `StorageIdentity` in PostgreSQL. */
import { type StorageId, type StorageIdentity, StoreError } from "@sojourn/core"
import { Effect } from "effect"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"

const READ = "select identity::text as identity from storage_identity"

const TAKE = `
insert into storage_identity (identity) values ($1::uuid) on conflict (is_single) do update set identity = excluded.identity
where storage_identity.identity <> excluded.identity`

export const makeStorageIdentity = (db: Database, storing: Storing): StorageIdentity["Service"] => ({
  read: storing.gen("read the identity of the storage", function* () {
    const [row] = yield* db.run<{ readonly identity: StorageId }>(READ, [])
    if (row !== undefined) return row.identity
    const cause = "it is a cell, and the home cell has not given it one"
    return yield* new StoreError({ operation: "read the identity of the storage", cause })
  })
})

export const takeIdentity = (db: Database, storageId: StorageId) => Effect.asVoid(db.run(TAKE, [storageId]))
