import { layerRoutes, Readiness, serve, TokenMinter } from "@sojourn/adapter-http"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import {
  type Administrator,
  type AuthenticationServerPolicy,
  AuthenticationServers,
  layerServices
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { layerDemoDirectory } from "./demo/people.ts"
import { layerPasswords } from "./Passwords.ts"

/** Where the public half of the own issuer's key is served. */
export const JWKS_PATH = "/.well-known/jwks.json"

export interface ServerOptions {
  readonly key: OwnIssuer.SigningKey
  readonly policy: AuthenticationServerPolicy
  readonly corsOrigins: ReadonlyArray<string>
  /** Whether the server takes requests now, as `/health/ready` tells; always, when left out. */
  readonly isReady?: Effect.Effect<boolean>
}

/** How long a token works that an administrator signed in for, in seconds. */
const TOKEN_LIFETIME = 60 * 60

/** Administrators sign in with passwords where the own issuer speaks for them. */
const layerTokenMinter = (key: OwnIssuer.SigningKey) =>
  Layer.succeed(
    TokenMinter,
    Option.some((administrator: Administrator) =>
      Effect.map(OwnIssuer.mint(key, administrator, { expiresIn: TOKEN_LIFETIME }), (token) => ({
        token,
        expiresIn: TOKEN_LIFETIME
      }))
    )
  )

/** The whole interface, with credentials of the own issuer, on a router. It needs core's stores and `ExitTokens`. */
export const layerInterface = ({ key, policy, corsOrigins, isReady = Effect.succeed(true) }: ServerOptions) => {
  const useCases = layerServices.pipe(
    Layer.provide([layerDemoDirectory, layerPasswords, Layer.succeed(AuthenticationServers, policy)])
  )
  return Layer.mergeAll(
    layerRoutes({ corsOrigins, extraRoutes: [["GET", JWKS_PATH]] }),
    HttpRouter.add("GET", JWKS_PATH, HttpServerResponse.jsonUnsafe(OwnIssuer.jwks(key)))
  ).pipe(Layer.provide([useCases, OwnIssuer.layer(key), layerTokenMinter(key), Layer.succeed(Readiness, isReady)]))
}

/** The composition root: the interface on the stores that it is provided with. It needs an `HttpServer` as well. */
export const layerServer = (options: ServerOptions) => serve(layerInterface(options))
