/** Backup and restore of a whole database, together with the keys of its data directory. */
import { layerClient, loadDatabase, requireEmpty, requireTokenKeys, saveDatabase } from "@sojourn/adapter-postgres"
import { Effect } from "effect"
import { explain } from "@sojourn/service"
import type { DatabaseLocation } from "../storage/index.ts"
import { version } from "../shared/version.ts"
import { FORMAT, type Head } from "./format.ts"
import { putKeys, tokenKeysOf } from "./keys.ts"
import { backupRows } from "./read.ts"
import { writeBackup } from "./write.ts"

/** One connection is enough for it. */
const layerDatabase = ({ address, schema }: DatabaseLocation) => layerClient(address, { schema, maxConnections: 1 })

/** Writes all of a database into a file, with some keys. Answers how many rows it holds. */
export const backUp = (location: DatabaseLocation, keys: Head["keys"], file: string) =>
  writeBackup(file, (writer) =>
    saveDatabase({
      begin: (snapshot) => writer.head({ sojournBackup: FORMAT, version, ...snapshot, keys }),
      write: writer.rows
    }).pipe(Effect.provide(layerDatabase(location)), Effect.mapError(explain))
  )

/**
 * Loads a backup that was checked into an empty database, and puts its keys into a data directory. What is refused leaves both
 * as they were. Answers how many rows it loaded.
 */
export const restoreInto = (location: DatabaseLocation, head: Head, file: string, data: string) =>
  requireEmpty.pipe(
    Effect.andThen(tokenKeysOf(head.keys)),
    Effect.flatMap((keys) =>
      loadDatabase(head, backupRows(file), Effect.andThen(requireTokenKeys(keys), putKeys(data, head.keys)))
    ),
    Effect.provide(layerDatabase(location)),
    Effect.mapError(explain)
  )
