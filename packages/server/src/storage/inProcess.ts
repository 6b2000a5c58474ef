import { routerConfig } from "@sojourn/adapter-http"
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import { type AuthenticationServerPolicy, ExitTokens } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { layerInterface } from "../layer.ts"
import { layerStorage } from "./index.ts"
import type { StorageChoice, StorageOptions } from "./Storage.ts"

export interface InProcessOptions extends Pick<StorageOptions, "keys"> {
  readonly choice: StorageChoice
  readonly key: OwnIssuer.SigningKey
  readonly policy: AuthenticationServerPolicy
}

/**
 * The whole interface on a storage, without a server: a `fetch` that answers by itself, until the scope ends. A server may
 * be running on the same storage.
 */
export const inProcess = Effect.fnUntraced(function* ({ choice, keys, key, policy }: InProcessOptions) {
  const storage = layerStorage(choice, { keys, migrate: true, whenRunning: "share" })
  const provided = yield* Layer.build(Layer.merge(storage, ExitTokens.layer(keys)))
  const { handler } = yield* Effect.acquireRelease(
    Effect.sync(() =>
      HttpRouter.toWebHandler(
        layerInterface({ key, policy, corsOrigins: [] }).pipe(
          Layer.provide(Layer.succeedContext(provided)),
          Layer.provideMerge(HttpServer.layerServices)
        ),
        { routerConfig, disableLogger: true }
      )
    ),
    ({ dispose }) => Effect.promise(dispose)
  )
  return ((input, init) => handler(new Request(input, init))) as typeof globalThis.fetch
})
