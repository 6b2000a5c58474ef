import { layerRoutes, Readiness, serve, TokenMinter } from "@sojourn/adapter-http"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import {
  type Administrator,
  type AreaLimits,
  AreaLimitsInForce,
  type AuthenticationServerPolicy,
  AuthenticationServers,
  Authenticator,
  DEFAULT_AREA_LIMITS,
  layerServices,
  NotAuthenticated,
  type OrganizationDirectory
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { CommandFailed } from "./CommandFailed.ts"
import { layerDirectory } from "./identity/directories.ts"
import { countQuestionsApart } from "./node/elsewhere.ts"
import { layerPasswords } from "./Passwords.ts"

/** Where the public half of the own issuer's key is served. */
export const JWKS_PATH = "/.well-known/jwks.json"

export interface ServerOptions {
  /** The own issuer's key; none where all callers sign in elsewhere. */
  readonly key?: OwnIssuer.SigningKey | undefined
  /** Who says who is calling; the own issuer alone, when left out. */
  readonly authenticator?: Layer.Layer<Authenticator, CommandFailed> | undefined
  /** How organizations' authentication servers are asked; over LDAP as their URLs say, when left out. */
  readonly directory?: Layer.Layer<OrganizationDirectory, CommandFailed> | undefined
  /** Which authentication servers may be asked at all. */
  readonly policy: AuthenticationServerPolicy
  /** What an organization may hold; as the contract has it, when left out. */
  readonly areaLimits?: AreaLimits | undefined
  readonly corsOrigins: ReadonlyArray<string>
  /** Whether the server takes requests now, as `/health/ready` tells; always, when left out. */
  readonly isReady?: Effect.Effect<boolean>
}

/** What the own issuer adds to the interface: its public key, and tokens for administrators who have a password. */
const layerOwnIssuer = (key: OwnIssuer.SigningKey) =>
  HttpRouter.add("GET", JWKS_PATH, HttpServerResponse.jsonUnsafe(OwnIssuer.jwks(key)))

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

/** Nobody is let in: there is no issuer. */
const layerNobody = Layer.succeed(Authenticator, {
  authenticate: () => Effect.fail(new NotAuthenticated({ reason: "no issuer is known" }))
})

/** The whole interface on a router. It needs core's stores and `ExitTokens`. */
export const layerInterface = ({
  key,
  authenticator = key === undefined ? layerNobody : OwnIssuer.layer(key),
  directory = layerDirectory({}),
  policy,
  areaLimits = DEFAULT_AREA_LIMITS,
  corsOrigins,
  isReady = Effect.succeed(true)
}: ServerOptions) => {
  const useCases = layerServices.pipe(
    Layer.provide(countQuestionsApart(directory)),
    Layer.provide(Layer.succeed(AuthenticationServers, policy)),
    Layer.provide(Layer.succeed(AreaLimitsInForce, areaLimits)),
    // Passwords are of use to the own issuer alone.
    Layer.provide(key === undefined ? Layer.empty : layerPasswords)
  )
  const interfaceRoutes = layerRoutes({ corsOrigins, extraRoutes: key === undefined ? [] : [["GET", JWKS_PATH]] })
  return Layer.mergeAll(interfaceRoutes, key === undefined ? Layer.empty : layerOwnIssuer(key)).pipe(
    Layer.provide([useCases, authenticator, Layer.succeed(Readiness, isReady)]),
    Layer.provide(key === undefined ? Layer.empty : layerTokenMinter(key))
  )
}

/** The composition root: the interface on the stores that it is provided with. It needs an `HttpServer` as well. */
export const layerServer = (options: ServerOptions) => serve(layerInterface(options))
