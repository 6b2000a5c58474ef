/** The interface without a network, for the operator's commands: they work whether a server runs or not. */
import { makeWebHandler } from "@sojourn/adapter-http"
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import { type AuthenticationServerPolicy, layerSecretKeys } from "@sojourn/core"
import { layerInterface, type StorageOptions } from "@sojourn/service"
import { Effect, Layer } from "effect"
import { layerStorage } from "../storage/index.ts"
import type { StorageChoice } from "../storage/StorageChoice.ts"

export interface InProcessOptions extends Pick<StorageOptions, "keys"> {
  readonly choice: StorageChoice
  readonly key: OwnIssuer.SigningKey
  readonly policy: AuthenticationServerPolicy
}

/**
 * The whole interface on a storage, without a server: a `fetch` that answers by itself, until the scope ends, and the stores. A server may
 * be running on the same storage.
 */
export const inProcess = Effect.fnUntraced(function* ({ choice, keys, key, policy }: InProcessOptions) {
  const storage = layerStorage(choice, { keys, migrate: true, whenRunning: "share" })
  const provided = yield* Layer.build(Layer.provideMerge(layerSecretKeys(keys), storage))
  const dispatcher = yield* Layer.build(
    layerInterface({ key, policy, corsOrigins: [] }).pipe(Layer.provide(Layer.succeedContext(provided)))
  )
  const handle = yield* Effect.provideContext(makeWebHandler, dispatcher)
  const fetch = ((input, init) => handle(new Request(input, init))) as typeof globalThis.fetch
  return { fetch, stores: provided }
})
