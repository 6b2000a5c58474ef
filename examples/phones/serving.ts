/** A server of this process for the phones, on a free port. */
import { layerSecretKeys } from "@sojourn/core"
import { issuerKey, layerNodeServer, layerServer, layerStorage, type StorageChoice, tokenKeys } from "@sojourn/server"
import { Context, Effect, FileSystem, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"

/**
 * It lives as long as the scope, and leaves nothing behind. Pages of these origins may call it. Answers where it is, and the key that
 * it trusts tokens of.
 */
export const serveHere = Effect.fnUntraced(function* (
  storage: "memory" | "embedded",
  corsOrigins: ReadonlyArray<string> = []
) {
  const files = yield* FileSystem.FileSystem
  const data = yield* files.makeTempDirectoryScoped({ prefix: "sojourn-phones-" })
  const key = yield* issuerKey(data)
  const keys = yield* tokenKeys(data, Redacted.make(""))
  const choice: StorageChoice =
    storage === "memory" ? { _tag: "Memory" } : { _tag: "Embedded", directory: `${data}/postgres` }
  const server = layerServer({ key, policy: { allow: [] }, corsOrigins }).pipe(
    Layer.provide(layerSecretKeys(keys)),
    Layer.provide(layerStorage(choice, { keys, migrate: true, whenRunning: "refuse" })),
    Layer.provideMerge(layerNodeServer({ host: "127.0.0.1", port: 0 }))
  )
  const { address } = Context.get(yield* Layer.build(server), HttpServer.HttpServer)
  return { url: HttpServer.formatAddress(address), key }
})
