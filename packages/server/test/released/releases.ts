/** Backups of released versions with the answers that each version gave: `<version>.backup` and `<version>.json`. */
import { makeWebHandler } from "@sojourn/adapter-http"
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { ExitTokens } from "@sojourn/core"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { backUp, restoreInto } from "../../src/backup/database.ts"
import { keysIn } from "../../src/backup/keys.ts"
import { checkBackup } from "../../src/backup/read.ts"
import { layerDemoDirectory } from "../../src/demo/people.ts"
import { issuerKey } from "../../src/IssuerKey.ts"
import { layerInterface } from "../../src/layer.ts"
import { layerPostgres } from "../../src/storage/postgres.ts"
import { tokenKeys } from "../../src/TokenKeys.ts"
import { asking, makeWorld } from "./world.ts"

/** An empty database, which the scope removes. */
const emptyDatabase = Effect.gen(function* () {
  const postgres = yield* EmbeddedPostgres
  return { ...postgres.connection, database: yield* postgres.temporaryDatabase() } satisfies DatabaseAddress
})

/** A data directory, which the scope removes. */
const dataDirectory = Effect.flatMap(FileSystem.FileSystem, (files) =>
  files.makeTempDirectoryScoped({ prefix: "sojourn-released-" })
)

/** This version's interface on a database, with the keys of a data directory. */
const serveOn = Effect.fnUntraced(function* (address: DatabaseAddress, data: string) {
  const key = yield* issuerKey(data)
  const keys = yield* tokenKeys(data, Redacted.make(""))
  const provided = yield* Layer.build(
    Layer.merge(layerPostgres(address, { keys, migrate: true }), ExitTokens.layer(keys))
  )
  const options = { key, directory: layerDemoDirectory, policy: { allow: [] }, corsOrigins: [] }
  const dispatcher = yield* Layer.build(Layer.provide(layerInterface(options), Layer.succeedContext(provided)))
  const handle = yield* Effect.provideContext(makeWebHandler, dispatcher)
  return asking((input, init) => handle(new Request(input, init)), key)
})

/** Creates a world with this version, writes a backup of it, and returns this version's answers about it. */
export const makeRelease = Effect.fnUntraced(function* (file: string) {
  const [address, data] = [yield* emptyDatabase, yield* dataDirectory]
  const ask = yield* serveOn(address, data)
  const world = yield* Effect.promise(() => makeWorld(ask))
  yield* backUp(address, yield* keysIn(data), file)
  return world
})

/** Restores a backup with this version, and serves it. */
export const serveRelease = Effect.fnUntraced(function* (file: string) {
  const [address, data] = [yield* emptyDatabase, yield* dataDirectory]
  const head = yield* checkBackup(file)
  yield* restoreInto(address, head, file, data)
  return yield* serveOn(address, data)
})
