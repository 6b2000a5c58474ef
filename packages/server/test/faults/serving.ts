import { OwnIssuer } from "@sojourn/adapter-jwt"
import { type DatabaseAddress, type DatabaseOptions, layer as layerPostgres } from "@sojourn/adapter-postgres"
import { ExitTokens, layerSecretKeysEphemeral } from "@sojourn/core"
import { layerNodeServer, layerServer } from "@sojourn/server"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { layerDemoDirectory } from "../../src/demo/people.ts"
import type { Keys } from "./scene.ts"

/** A server that runs in this process. */
export interface Serving extends Keys {
  readonly baseUrl: string
  readonly close: () => Promise<void>
}

/** Starts a server without a log, on a database with limits for which the command line has no flags. */
export const serveOn = async (address: DatabaseAddress, bounds: DatabaseOptions): Promise<Serving> => {
  const key = await Effect.runPromise(Effect.flatMap(OwnIssuer.generate, OwnIssuer.decode))
  const scope = await Effect.runPromise(Scope.make())
  const server = layerServer({ key, directory: layerDemoDirectory, policy: { allow: [] }, corsOrigins: [] }).pipe(
    Layer.provide(layerPostgres(address, bounds)),
    Layer.provideMerge(layerSecretKeysEphemeral),
    Layer.provideMerge(layerNodeServer({ host: "127.0.0.1", port: 0 })),
    Layer.provide(Logger.layer([]))
  )
  const context = await Effect.runPromise(Layer.buildWithScope(server, scope))
  return {
    key,
    tokens: Context.get(context, ExitTokens),
    baseUrl: HttpServer.formatAddress(Context.get(context, HttpServer.HttpServer).address),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
