/** The keys of an issuer: jose loads, keeps and chooses them. */
import { AuthenticatorUnavailable } from "@sojourn/core"
import { Clock, Duration, Effect, Equal, FiberSet, type Scope } from "effect"
import type * as HttpClient from "effect/http/HttpClient"
import { createRemoteJWKSet, customFetch, errors, jwksCache, type JWKSCacheInput, type JWTVerifyGetKey } from "jose"
import * as IssuerDocuments from "./IssuerDocuments.ts"
import { keySetMetrics } from "./metrics.ts"

/** The number of loads at once; after those, one per cooldown. */
export const BURST = 5

/** The source of the keys, and how they are refreshed. */
export interface Options {
  readonly issuer: string
  readonly source: IssuerDocuments.Source
  readonly algorithms: ReadonlyArray<string>
  readonly refreshEvery: Duration.Duration
  readonly cooldown: Duration.Duration
  readonly keepFor: Duration.Duration
  readonly timeout: Duration.Duration
}

/** An issuer's keys, refreshed from its URL. */
export interface IssuerKeys {
  /**
   * Finds the key of a token. An unknown key triggers a load, because an issuer may sign with a key as soon as it is published:
   * {@link BURST} loads at once, and one per `cooldown` after those. Rejects with `AuthenticatorUnavailable` when no keys were
   * loaded within `keepFor`.
   */
  readonly find: JWTVerifyGetKey
  /** Returns whether the keys are still those of this call, and not older than `keepFor`. */
  readonly unchanged: () => () => boolean
}

/** A set without a usable key is a mistake of the issuer. */
const load = Effect.fnUntraced(function* ({ source, algorithms }: Options) {
  const { url } = yield* IssuerDocuments.locate(source)
  const { usable } = yield* IssuerDocuments.keysAt(url, algorithms)
  if (usable.length > 0) return usable.map(({ jwk }) => jwk)
  return yield* new IssuerDocuments.LoadFailed({ reason: "none of the keys can be used" })
})

/**
 * Starts refreshing the keys until the scope closes, also while no tokens come. It succeeds at once, even when the URL cannot be
 * reached. A failed load keeps the last good keys in use.
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<IssuerKeys, never, HttpClient.HttpClient | Scope.Scope> {
  // A load belongs to the service: an interrupted caller does not end it.
  const run = yield* FiberSet.makeRuntimePromise<HttpClient.HttpClient>()
  const metrics = keySetMetrics(options.issuer)
  const cooldown = Duration.toMillis(options.cooldown)
  let isFailing = false
  let loadsLeft = BURST
  let countedAt = 0

  const loaded = Effect.fnUntraced(function* (now: number) {
    metrics.loaded(now)
    if (isFailing) yield* Effect.logInfo("The issuer's keys are loaded again", options.issuer)
    isFailing = false
  })
  const failed = Effect.fnUntraced(function* (reason: string) {
    metrics.failed()
    if (!isFailing) yield* Effect.logWarning("The issuer's keys could not be loaded", options.issuer, reason)
    isFailing = true
  })

  const attempt = Effect.fnUntraced(function* (signal: AbortSignal) {
    const now = yield* Clock.currentTimeMillis
    // A token bucket in the place of jose's cooldown, which has no burst, and counts loads that succeed only.
    loadsLeft = Math.min(BURST, loadsLeft + Math.max(0, now - countedAt) / cooldown)
    countedAt = now
    if (loadsLeft < 1) return yield* new IssuerDocuments.LoadFailed({ reason: "too many loads" })
    loadsLeft--
    return yield* load(options).pipe(
      Effect.tap(() => loaded(now)),
      Effect.tapError(({ reason }) => failed(reason)),
      Effect.onInterrupt(() => (signal.aborted ? failed("the answer did not come in time") : Effect.void))
    )
  })

  const cache: JWKSCacheInput = {}
  const remote = createRemoteJWKSet(new URL(options.source.url), {
    cacheMaxAge: Duration.toMillis(options.keepFor),
    cooldownDuration: 0,
    timeoutDuration: Math.ceil(Duration.toMillis(options.timeout)),
    [jwksCache]: cache,
    [customFetch]: async (_url, { signal }) => Response.json({ keys: await run(attempt(signal), { signal }) })
  })

  yield* Effect.promise(() =>
    remote.reload().then(
      () => options.refreshEvery,
      () => options.cooldown
    )
  ).pipe(Effect.flatMap(Effect.sleep), Effect.forever, Effect.forkScoped)

  let seen: unknown
  let changes = 0
  /** The same number for the same keys, however often they are loaded; `undefined` without keys to use. */
  const version = (): number | undefined => {
    if (cache.jwks !== seen) {
      if (!Equal.equals(cache.jwks, seen)) changes++
      seen = cache.jwks
    }
    return remote.fresh ? changes : undefined
  }

  return {
    find: (header, token) =>
      remote(header, token).catch((error) => {
        if (error instanceof errors.JOSEError) throw error
        // The load failed: for a key that is not there, or for all keys.
        if (remote.fresh) throw new errors.JWKSNoMatchingKey()
        throw new AuthenticatorUnavailable({
          reason: cache.jwks === undefined ? "the issuer's keys were never loaded" : "the issuer's keys are too old"
        })
      }),
    unchanged: () => {
      const before = version()
      return () => before !== undefined && version() === before
    }
  }
})
