/** The key set of an issuer (JWKS): loaded, kept, and loaded again for a key that it lacks. */
import { AuthenticatorUnavailable } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as HttpClient from "effect/http/HttpClient"
import * as LoadRateLimiter from "./LoadRateLimiter.ts"
import { LoadFailed } from "./BoundedDownload.ts"
import type { PublicKeys } from "./PublicKeys.ts"
import { keySetMetrics } from "./metrics.ts"
import * as KeySetSource from "./KeySetSource.ts"

/** The number of loads that tokens can trigger at once; after those, one per cooldown. */
export const BURST = 5

/** The source of a key set, and how it is refreshed. */
export interface Options {
  readonly issuer: string
  readonly source: KeySetSource.Source
  readonly algorithms: ReadonlyArray<string>
  readonly refreshEvery: Duration.Duration
  readonly cooldown: Duration.Duration
  readonly keepFor: Duration.Duration
  readonly timeout: Duration.Duration
}

/**
 * An issuer's key set, refreshed from its URL.
 *
 * It is loaded at the start and every `refreshEvery`, by this service's own clock and not by requests. One load runs at a
 * time. Tokens with unknown keys can trigger {@link BURST} loads, and one per `cooldown` after those; while loads fail there
 * is one per `cooldown` at most. A failed load keeps the last good keys in use until they are older than `keepFor`. A load
 * of the same text keeps the same keys and renews their age.
 */
export interface KeySet {
  /** The last good keys. Waits for the first load. Fails when none were loaded within `keepFor`. */
  readonly current: Effect.Effect<PublicKeys, AuthenticatorUnavailable>
  /** Whether {@link current} would return these keys at `now`, in milliseconds, without waiting. */
  readonly isCurrent: (keys: PublicKeys, now: number) => boolean
  /**
   * The last good keys, after loading until they satisfy `what`, or a load that began after this call did not help, or no
   * more loads are allowed now. One `name` is granted one load per `cooldown`, so that many requests with tokens of one
   * withdrawn key do not use up the shared limit.
   */
  readonly having: (
    name: string,
    what: (keys: PublicKeys) => boolean
  ) => Effect.Effect<PublicKeys, AuthenticatorUnavailable>
}

interface Attempt {
  readonly number: number
  readonly at: number
  readonly fiber: Fiber.Fiber<void>
}

/** The last good keys of a set, and the loads that renew them. */
const makeKeys = (client: HttpClient.HttpClient, options: Options) => {
  const refreshEvery = Duration.toMillis(options.refreshEvery)
  const keepFor = Duration.toMillis(options.keepFor)
  const metrics = keySetMetrics(options.issuer)
  let known: { readonly keys: PublicKeys; readonly text: string; readonly since: number } | undefined
  let address: { readonly url: string; readonly since: number } | undefined
  let isFailing = false

  const tryToLoad = Effect.fnUntraced(
    function* (now: number) {
      // Discovery is repeated every `refreshEvery`, and after a failure.
      if (address === undefined || isFailing || now - address.since >= refreshEvery) {
        address = { url: (yield* KeySetSource.locate(client, options.source)).url, since: now }
      }
      const { keys, answer } = yield* KeySetSource.load(client, address.url, options.algorithms)
      // A set without a usable key is a mistake of the issuer: keep the present keys.
      if (keys.usable.length === 0) return yield* new LoadFailed({ reason: "none of the keys can be used" })
      // Verifications with these keys stay valid while the issuer publishes the same text.
      known = { keys: answer.text === known?.text ? known.keys : keys, text: answer.text, since: now }
    },
    Effect.timeoutOrElse({
      duration: options.timeout,
      orElse: () => new LoadFailed({ reason: "the answer did not come in time" })
    })
  )

  const isFresh = (since: number, now: number) => now - since <= keepFor

  return {
    current: () => known?.keys,
    isFailing: () => isFailing,
    /** The age of the keys in milliseconds; infinite without any. */
    age: (now: number) => (known === undefined ? Infinity : now - known.since),
    isCurrent: (keys: PublicKeys, now: number) => known?.keys === keys && isFresh(known.since, now),
    load: (now: number) =>
      tryToLoad(now).pipe(
        Effect.flatMap(() => {
          metrics.loaded(now)
          if (!isFailing) return Effect.void
          isFailing = false
          return Effect.logInfo("The issuer's keys are loaded again", options.issuer)
        }),
        Effect.catchTag("LoadFailed", ({ reason }) => {
          metrics.failed()
          if (isFailing) return Effect.void
          isFailing = true
          return Effect.logWarning("The issuer's keys could not be loaded", options.issuer, reason)
        })
      ),
    usable: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      known !== undefined && isFresh(known.since, now)
        ? Effect.succeed(known.keys)
        : Effect.fail(
            new AuthenticatorUnavailable({
              reason: known === undefined ? "the issuer's keys were never loaded" : "the issuer's keys are too old"
            })
          )
    )
  }
}

/** Starts refreshing the key set until the scope closes. It succeeds at once, even when the URL cannot be reached. */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<KeySet, never, HttpClient.HttpClient | Scope.Scope> {
  const keys = makeKeys(yield* HttpClient.HttpClient, options)
  const scope = yield* Effect.scope
  const gate = yield* Semaphore.make(1)
  const refreshEvery = Duration.toMillis(options.refreshEvery)
  const cooldown = Duration.toMillis(options.cooldown)
  const limiter = LoadRateLimiter.make(BURST, cooldown)
  let last: Attempt | undefined

  const running = () => (last !== undefined && last.fiber.pollUnsafe() === undefined ? last : undefined)

  // The load is forked in the service's scope: an interrupted caller does not end it, and cannot waste the shared limit.
  const attempt = (mayBegin: (now: number) => boolean) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (running() === undefined && mayBegin(now)) {
        last = { number: (last?.number ?? 0) + 1, at: now, fiber: yield* Effect.forkIn(keys.load(now), scope) }
        return last
      }
      return running()
    }).pipe(
      gate.withPermit,
      Effect.uninterruptible,
      Effect.tap((begun) => (begun === undefined ? Effect.void : Fiber.await(begun.fiber)))
    )

  const isCool = (now: number) => last === undefined || now < last.at || now - last.at >= cooldown

  yield* Effect.gen(function* () {
    if (keys.age(yield* Clock.currentTimeMillis) >= refreshEvery) yield* attempt(() => true)
    const left = refreshEvery - keys.age(yield* Clock.currentTimeMillis)
    yield* Effect.sleep(Math.max(left, cooldown))
  }).pipe(Effect.forever, Effect.forkScoped)

  return {
    isCurrent: keys.isCurrent,
    current: Effect.catch(keys.usable, () => Effect.andThen(attempt(isCool), keys.usable)),
    having: Effect.fnUntraced(function* (name, what) {
      const before = last?.number ?? 0
      const isThere = () => {
        const current = keys.current()
        return current !== undefined && what(current)
      }
      while (!isThere()) {
        const begun = yield* attempt((now) => (keys.isFailing() ? isCool(now) : limiter.take(name, now)))
        if (begun === undefined || begun.number > before) break
      }
      return yield* keys.usable
    })
  }
})
