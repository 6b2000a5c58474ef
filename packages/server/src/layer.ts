import { type ExtraRoute, json, layerDispatcher, makeNodeListener, Readiness, TokenMinter } from "@sojourn/adapter-http"
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
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { CommandFailed } from "./CommandFailed.ts"
import { layerDirectory } from "./identity/directories.ts"
import { countQuestionsApart } from "./admission/externalWaits.ts"
import { NodeRequests } from "./NodeServer.ts"
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

/** The own issuer's public key, for whoever verifies its tokens. */
const keyRoute = (key: OwnIssuer.SigningKey): ExtraRoute => ({
  method: "GET",
  path: JWKS_PATH,
  answer: Effect.sync(() => json(200, JSON.stringify(OwnIssuer.jwks(key))))
})

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

/** The dispatcher of the whole interface. It needs core's stores and `ExitTokens`. */
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
  return layerDispatcher({ corsOrigins, extraRoutes: key === undefined ? [] : [keyRoute(key)] }).pipe(
    Layer.provide([useCases, authenticator, Layer.succeed(Readiness, isReady)]),
    Layer.provide(key === undefined ? Layer.empty : layerTokenMinter(key))
  )
}

/** The composition root: the interface on the stores that it is provided with, served by the server that it is provided with. */
export const layerServer = (options: ServerOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const requests = yield* NodeRequests
      yield* requests.serve(yield* makeNodeListener)
    })
  ).pipe(Layer.provide(layerInterface(options)))
