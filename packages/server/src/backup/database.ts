import { type DatabaseAddress, layerClient, loadDatabase, requireEmpty, saveDatabase } from "@sojourn/adapter-postgres"
import * as Effect from "effect/Effect"
import type { CommandFailed } from "../CommandFailed.ts"
import { explained } from "../storage/explain.ts"
import { version } from "../version.ts"
import { FORMAT, type Head } from "./format.ts"
import { backupRows } from "./read.ts"
import { writeBackup } from "./write.ts"

/** One connection is enough for it. */
const layerDatabase = (address: DatabaseAddress) => layerClient(address, { maxConnections: 1 })

/** Writes all of a database into a file, with some keys. Answers how many rows it holds. */
export const backUp = (address: DatabaseAddress, keys: Head["keys"], file: string) =>
  writeBackup(file, (writer) =>
    saveDatabase({
      begin: (snapshot) => writer.head({ sojournBackup: FORMAT, version, ...snapshot, keys }),
      write: writer.rows
    }).pipe(Effect.provide(layerDatabase(address)), Effect.mapError(explained))
  )

/**
 * Loads a backup that was checked into an empty database, and does `before` once that is known to be empty. Answers how many
 * rows it loaded.
 */
export const restoreInto = (
  address: DatabaseAddress,
  head: Head,
  file: string,
  before: Effect.Effect<void, CommandFailed> = Effect.void
) =>
  requireEmpty.pipe(
    Effect.andThen(before),
    Effect.andThen(loadDatabase(head, backupRows(file))),
    Effect.provide(layerDatabase(address)),
    Effect.mapError(explained)
  )
