/** The interface: the use cases of core and the dispatcher of HTTP requests, on the stores that they are given. */
import {
  type ExtraRoute,
  json,
  layerDispatcher,
  type Options as DispatcherOptions,
  Readiness,
  TokenMinter
} from "@sojourn/adapter-http"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { LdapDirectory, type Options as DirectoryOptions } from "@sojourn/adapter-ldap"
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
  type OrganizationDirectory,
  RevokedTokens,
  TokenRevocations
} from "@sojourn/core"
import { Effect, Layer, Option } from "effect"
import { layerAreaThread } from "../areas/AreaThread.ts"
import { layerPasswords } from "../identity/Passwords.ts"
import { layerFailed, onOneLine, StartupError } from "../shared/StartupError.ts"

/** The path of the own issuer's public key. */
export const JWKS_PATH = "/.well-known/jwks.json"

/** How the interface authenticates callers, and what it allows them. */
export interface InterfaceOptions extends DispatcherOptions {
  /** The own issuer's key; none where all callers use other issuers. */
  readonly key?: OwnIssuer.SigningKey | undefined
  /** Authenticates callers; by default by tokens of the own issuer. */
  readonly authenticator?: Layer.Layer<Authenticator, StartupError> | undefined
  /** The client of organizations' authentication servers; LDAP by default. */
  readonly directory?: Layer.Layer<OrganizationDirectory, StartupError> | undefined
  /** The authentication servers that the service may connect to; by default any `ldaps` server on port 636. */
  readonly policy?: AuthenticationServerPolicy | undefined
  /** Limits on the areas of an organization; those of the specification by default. */
  readonly areaLimits?: AreaLimits | undefined
  /** Whether the service is ready, as `/health/ready` answers; always, by default. */
  readonly isReady?: Effect.Effect<boolean> | undefined
}

/** The organizations' directories over LDAP. */
export const layerDirectory = (options: DirectoryOptions): Layer.Layer<OrganizationDirectory, StartupError> =>
  LdapDirectory.layer(options).pipe(
    Layer.catch(({ reason }) =>
      layerFailed(new StartupError({ message: `the directories cannot be used: ${onOneLine(reason)}` }))
    )
  )

/** The route of the own issuer's public key, with which other services verify its tokens. */
const keyRoute = (key: OwnIssuer.SigningKey): ExtraRoute => ({
  method: "GET",
  path: JWKS_PATH,
  answer: () => Effect.sync(() => json(200, JSON.stringify(OwnIssuer.jwks(key))))
})

/** How long a token is valid that an administrator signed in for, in seconds. */
const TOKEN_LIFETIME_SECONDS = 60 * 60

/** Mints the own issuer's tokens for administrators who sign in with a password. */
const layerTokenMinter = (key: OwnIssuer.SigningKey) =>
  Layer.succeed(
    TokenMinter,
    Option.some((administrator: Administrator) =>
      Effect.map(OwnIssuer.mint(key, administrator, { expiresIn: TOKEN_LIFETIME_SECONDS }), (token) => ({
        token,
        expiresIn: TOKEN_LIFETIME_SECONDS
      }))
    )
  )

/** Refuses all callers: there is no issuer. */
const layerNoIssuer = Layer.succeed(Authenticator, {
  authenticate: () => Effect.fail(new NotAuthenticated({ reason: "no issuer is known" }))
})

/** The revocations that the use cases know, for the authenticator. */
const layerRevokedTokens = Layer.effect(
  RevokedTokens,
  TokenRevocations.useSync(({ known }) => known)
)

/** Whether the service is ready, which it is not before it knows the revocations of tokens. */
const layerReadiness = (isReady: Effect.Effect<boolean>) =>
  Layer.effect(
    Readiness,
    TokenRevocations.useSync(({ known }) => Effect.map(isReady, (ready) => ready && known.version() > 0))
  )

/**
 * The use cases of core, and the dispatcher of the whole interface on them. Requires core's stores and the secret keys.
 */
export const layerInterface = ({
  key,
  authenticator = key === undefined ? layerNoIssuer : OwnIssuer.layer(key),
  directory = layerDirectory({}),
  policy = { allow: [] },
  areaLimits = DEFAULT_AREA_LIMITS,
  isReady = Effect.succeed(true),
  extraRoutes = [],
  ...options
}: InterfaceOptions) => {
  const useCases = layerServices.pipe(
    Layer.provide(directory),
    Layer.provide(Layer.succeed(AuthenticationServers, policy)),
    Layer.provide(Layer.succeed(AreaLimitsInForce, areaLimits)),
    Layer.provide(layerAreaThread()),
    // Only the own issuer uses passwords.
    Layer.provide(key === undefined ? Layer.empty : layerPasswords)
  )
  return layerDispatcher({
    ...options,
    extraRoutes: key === undefined ? extraRoutes : [keyRoute(key), ...extraRoutes]
  }).pipe(
    Layer.provide([Layer.provide(authenticator, layerRevokedTokens), layerReadiness(isReady)]),
    Layer.provide(key === undefined ? Layer.empty : layerTokenMinter(key)),
    Layer.provideMerge(useCases)
  )
}
