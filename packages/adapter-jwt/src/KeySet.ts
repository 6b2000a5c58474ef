import { AuthenticatorUnavailable } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { JSONWebKeySet, LocalJWKSet } from "jose"
import { createLocalJWKSet } from "jose"

/** The largest key set that is read, in octets. */
export const LARGEST_KEY_SET = 256 * 1024

/** One loaded state of the key set, and when it was asked for (milliseconds since the epoch). */
export interface Keys {
  readonly find: LocalJWKSet
  readonly since: number
}

/** Where the key set is, and how it is kept fresh. */
export interface Options {
  readonly url: string
  readonly refreshEvery: Duration.Duration
  readonly cooldown: Duration.Duration
  readonly keepFor: Duration.Duration
  readonly timeout: Duration.Duration
}

/**
 * An issuer's key set, kept fresh from its address.
 *
 * It is loaded at the start and every `refreshEvery`, by this service's own clock and not by what callers send. At most
 * one request runs at a time, and at most one starts per `cooldown`. A failed load leaves the last good keys in use, until
 * they are older than `keepFor`.
 */
export interface KeySet {
  /** The last good keys. Waits for the first load. Fails when none were loaded, or none within `keepFor`. */
  readonly current: Effect.Effect<Keys, AuthenticatorUnavailable>
  /** Other keys than those, after one attempt to load when the cooldown allows it, and none otherwise. */
  readonly newerThan: (known: Keys) => Effect.Effect<Option.Option<Keys>>
}

class LoadFailed extends Data.TaggedError("LoadFailed")<{ readonly reason: string }> {}

const failed = (reason: string) => new LoadFailed({ reason })

// An empty set, or one without a single public key, is a mistake at the issuer: better to keep what we have.
const Published = Schema.fromJsonString(
  Schema.Struct({
    keys: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).check(
      Schema.makeFilter((keys) => keys.some(({ kty }) => kty === "RSA" || kty === "EC" || kty === "OKP"), {
        expected: "a key set with a public key"
      })
    )
  })
)

const limited = <E, R>(body: Stream.Stream<Uint8Array, E, R>) =>
  Stream.mapAccumEffect(
    body,
    () => 0,
    (before, chunk: Uint8Array) => {
      const size = before + chunk.length
      return size > LARGEST_KEY_SET
        ? Effect.fail(failed("the answer is too large"))
        : Effect.succeed([size, [chunk]] as const)
    }
  )

const load = (client: HttpClient.HttpClient, { url, timeout }: Options): Effect.Effect<LocalJWKSet, LoadFailed> =>
  Effect.gen(function* () {
    const response = yield* HttpClient.withScope(client).execute(HttpClientRequest.get(url, { acceptJson: true }))
    if (response.status !== 200) return yield* failed(`the answer has status ${response.status}`)
    if (response.url !== url) return yield* failed("the answer is of another address")
    const text = yield* limited(response.stream).pipe(Stream.decodeText, Stream.mkString)
    const published = yield* Schema.decodeEffect(Published)(text).pipe(
      Effect.mapError(() => failed("the answer is no key set"))
    )
    return yield* Effect.try({
      try: () => createLocalJWKSet(published as unknown as JSONWebKeySet),
      catch: () => failed("the answer is no key set")
    })
  }).pipe(
    Effect.scoped,
    // Where the keys are is the operator's word alone: a redirect is not followed.
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    Effect.catchTag("HttpClientError", (error) => failed(`the request failed (${error.reason._tag})`)),
    Effect.timeoutOrElse({ duration: timeout, orElse: () => failed("the answer did not come in time") })
  )

/** Starts to keep the key set fresh, until the scope closes. It succeeds at once, also when the address is down. */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<KeySet, never, HttpClient.HttpClient | Scope.Scope> {
  const client = yield* HttpClient.HttpClient
  const scope = yield* Effect.scope
  const gate = yield* Semaphore.make(1)
  const refreshEvery = Duration.toMillis(options.refreshEvery)
  const cooldown = Duration.toMillis(options.cooldown)
  const keepFor = Duration.toMillis(options.keepFor)

  let keys: Keys | undefined
  let failing = false
  let attempt: { readonly at: number; readonly fiber: Fiber.Fiber<void> } | undefined

  const loadOnce = (since: number) =>
    load(client, options).pipe(
      Effect.flatMap((find) => {
        keys = { find, since }
        if (!failing) return Effect.void
        failing = false
        return Effect.logInfo("The key set is loaded again", options.url)
      }),
      Effect.catchTag("LoadFailed", ({ reason }) => {
        if (failing) return Effect.void
        failing = true
        return Effect.logWarning("The key set could not be loaded", options.url, reason)
      })
    )

  // The attempt lives in the service's scope: a caller who goes away does not end it, and so cannot spend the cooldown
  // that everybody shares.
  const refresh = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const running = attempt !== undefined && attempt.fiber.pollUnsafe() === undefined
    if (!running && (attempt === undefined || now - attempt.at >= cooldown)) {
      attempt = { at: now, fiber: yield* Effect.forkIn(loadOnce(now), scope) }
      return attempt.fiber
    }
    return running ? attempt?.fiber : undefined
  }).pipe(
    gate.withPermit,
    Effect.uninterruptible,
    Effect.flatMap((fiber) => (fiber === undefined ? Effect.void : Effect.asVoid(Fiber.await(fiber))))
  )

  const usable = Effect.map(Clock.currentTimeMillis, (now) =>
    keys !== undefined && now - keys.since <= keepFor ? keys : undefined
  )

  yield* Effect.gen(function* () {
    const age = (now: number) => (keys === undefined ? Infinity : now - keys.since)
    if (age(yield* Clock.currentTimeMillis) >= refreshEvery) yield* refresh
    const left = refreshEvery - age(yield* Clock.currentTimeMillis)
    yield* Effect.sleep(Math.max(left, cooldown))
  }).pipe(Effect.forever, Effect.forkScoped)

  return {
    current: Effect.gen(function* () {
      const known = yield* usable
      if (known !== undefined) return known
      yield* refresh
      const loaded = yield* usable
      if (loaded !== undefined) return loaded
      return yield* new AuthenticatorUnavailable({
        reason: keys === undefined ? "the issuer's keys were never loaded" : "the issuer's keys are too old"
      })
    }),
    newerThan: (known) =>
      Effect.gen(function* () {
        if (keys === known) yield* refresh
        return keys === known ? Option.none() : Option.fromUndefinedOr(keys)
      })
  }
})
