/** The composition root of the server: the whole interface on the stores and the HTTP server that it is given. */
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
import type { PageSettings } from "@sojourn/page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { layerAreaThread } from "../areas/AreaThread.ts"
import { excludeDirectoryWaits } from "../http/externalWaits.ts"
import { layerStreamOptions, STREAM_BOUNDS, type StreamBounds } from "../http/streams.ts"
import type { StartupError } from "../shared/StartupError.ts"
import { layerDirectory } from "../identity/directories.ts"
import { isFromProbePort } from "../http/probes.ts"
import { NodeRequests } from "../http/NodeServer.ts"
import { pageRoutes } from "../page/page.ts"
import { layerPasswords } from "../identity/Passwords.ts"

/**
 * The path of the own issuer's public key.
 *
 * @since 0.1.0
 * @category constants
 */
export const JWKS_PATH = "/.well-known/jwks.json"

/**
 * @since 0.1.0
 * @category models
 */
export interface ServerOptions {
  /** The own issuer's key; none where all callers use other issuers. */
  readonly key?: OwnIssuer.SigningKey | undefined
  /** Authenticates callers; by default by tokens of the own issuer. */
  readonly authenticator?: Layer.Layer<Authenticator, StartupError> | undefined
  /** The client of organizations' authentication servers; LDAP by default. */
  readonly directory?: Layer.Layer<OrganizationDirectory, StartupError> | undefined
  /** The authentication servers that the service may connect to. */
  readonly policy: AuthenticationServerPolicy
  /** Limits on the areas of an organization; those of the specification by default. */
  readonly areaLimits?: AreaLimits | undefined
  readonly corsOrigins: ReadonlyArray<string>
  /** The administrators' page at `/`, with an operator's settings; none by default. */
  readonly page?: boolean | Omit<PageSettings, "passwords">
  /** Bounds of presence streams; by default 2,000 of an hour each. */
  readonly streams?: StreamBounds | undefined
  /** Whether `/metrics` is answered on a port of its own alone; not, by default. */
  readonly metricsElsewhere?: boolean
  /** Whether the server is ready, as `/health/ready` answers; always, by default. */
  readonly isReady?: Effect.Effect<boolean>
}

/** The route of the own issuer's public key, with which other services verify its tokens. */
const keyRoute = (key: OwnIssuer.SigningKey): ExtraRoute => ({
  method: "GET",
  path: JWKS_PATH,
  answer: () => Effect.sync(() => json(200, JSON.stringify(OwnIssuer.jwks(key))))
})

/** How long a token is valid that an administrator signed in for, in seconds. */
const TOKEN_LIFETIME = 60 * 60

/** Mints the own issuer's tokens for administrators who sign in with a password. */
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

/** Refuses all callers: there is no issuer. */
const layerNoIssuer = Layer.succeed(Authenticator, {
  authenticate: () => Effect.fail(new NotAuthenticated({ reason: "no issuer is known" }))
})

/**
 * The dispatcher of the whole interface. Requires core's stores and `ExitTokens`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerInterface = ({
  key,
  authenticator = key === undefined ? layerNoIssuer : OwnIssuer.layer(key),
  directory = layerDirectory({}),
  policy,
  areaLimits = DEFAULT_AREA_LIMITS,
  corsOrigins,
  page = false,
  metricsElsewhere = false,
  isReady = Effect.succeed(true)
}: ServerOptions) => {
  const useCases = layerServices.pipe(
    Layer.provide(excludeDirectoryWaits(directory)),
    Layer.provide(Layer.succeed(AuthenticationServers, policy)),
    Layer.provide(Layer.succeed(AreaLimitsInForce, areaLimits)),
    Layer.provide(layerAreaThread()),
    // Only the own issuer uses passwords.
    Layer.provide(key === undefined ? Layer.empty : layerPasswords)
  )
  const settings = { ...(typeof page === "object" && page), passwords: key !== undefined }
  const dispatcher = Effect.gen(function* () {
    const extraRoutes = [
      ...(key === undefined ? [] : [keyRoute(key)]),
      ...(page === false ? [] : yield* pageRoutes(settings))
    ]
    return layerDispatcher({
      corsOrigins,
      extraRoutes,
      mayReadMetrics: ({ source }) => !metricsElsewhere || isFromProbePort(source)
    })
  })
  return Layer.unwrap(dispatcher).pipe(
    Layer.provide([useCases, authenticator, Layer.succeed(Readiness, isReady)]),
    Layer.provide(key === undefined ? Layer.empty : layerTokenMinter(key))
  )
}

/**
 * Serves the interface on the stores and the server that it is provided with.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerServer = (options: ServerOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const requests = yield* NodeRequests
      yield* requests.serve(yield* makeNodeListener)
    })
  ).pipe(Layer.provide(layerInterface(options)), Layer.provide(layerStreamOptions(options.streams ?? STREAM_BOUNDS)))
