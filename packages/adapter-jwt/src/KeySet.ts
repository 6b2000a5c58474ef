import { AuthenticatorUnavailable } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as HttpClient from "effect/http/HttpClient"
import * as Allowance from "./Allowance.ts"
import { LoadFailed } from "./Download.ts"
import type { PublicKeys } from "./PublicKeys.ts"
import { keySetMetrics } from "./metrics.ts"
import * as Source from "./Source.ts"

/** How many loads tokens can ask for at once; after those, one per cooldown. */
export const BURST = 5

/** Where the key set is, and how it is kept fresh. */
export interface Options {
  readonly issuer: string
  readonly source: Source.Source
  readonly algorithms: ReadonlyArray<string>
  readonly refreshEvery: Duration.Duration
  readonly cooldown: Duration.Duration
  readonly keepFor: Duration.Duration
  readonly timeout: Duration.Duration
}

/**
 * An issuer's key set, kept fresh from its address.
 *
 * It is loaded at the start and every `refreshEvery`, by this service's own clock and not by what callers send. One load
 * runs at a time. Tokens with keys that are not known can ask for {@link BURST} loads, and for one per `cooldown` after
 * those; while loads fail there is one per `cooldown` at most. A failed load leaves the last good keys in use, until they
 * are older than `keepFor`. A load that brings the same text leaves the same keys in use, and makes them young again.
 */
export interface KeySet {
  /** The last good keys. Waits for the first load. Fails when none were loaded, or none within `keepFor`. */
  readonly current: Effect.Effect<PublicKeys, AuthenticatorUnavailable>
  /** Are these the keys that {@link current} would answer at this time, in milliseconds, without waiting? */
  readonly isCurrent: (keys: PublicKeys, now: number) => boolean
  /**
   * The last good keys, after loads until they have what the caller misses, or a load that began after this call has not
   * brought it, or no more loads are allowed now. Who misses something of the same `name` is allowed one load per `cooldown`,
   * so that a crowd with tokens of one withdrawn key does not use up what everybody shares.
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
  const allowance = Allowance.make(BURST, cooldown)

  const metrics = keySetMetrics(options.issuer)
  let known: { readonly keys: PublicKeys; readonly text: string; readonly since: number } | undefined
  let address: { readonly url: string; readonly since: number } | undefined
  let failing = false
  let last: Attempt | undefined

  const load = Effect.fnUntraced(
    function* (now: number) {
      // The discovered address is asked for again in time, and after anything went wrong with it.
      if (address === undefined || failing || now - address.since >= refreshEvery) {
        address = { url: (yield* Source.locate(client, options.source)).url, since: now }
      }
      const { keys, answer } = yield* Source.load(client, address.url, options.algorithms)
      // A set without a key for us is a mistake at the issuer: better to keep what we have.
      if (keys.usable.length === 0) return yield* new LoadFailed({ reason: "none of the keys can be used" })
      // What was found out with the keys stays true while the issuer publishes the same ones.
      known = { keys: answer.text === known?.text ? known.keys : keys, text: answer.text, since: now }
    },
    Effect.timeoutOrElse({
      duration: options.timeout,
      orElse: () => new LoadFailed({ reason: "the answer did not come in time" })
    })
  )

  const loadOnce = (now: number) =>
    load(now).pipe(
      Effect.flatMap(() => {
        metrics.loaded(now)
        if (!failing) return Effect.void
        failing = false
        return Effect.logInfo("The issuer's keys are loaded again", options.issuer)
      }),
      Effect.catchTag("LoadFailed", ({ reason }) => {
        metrics.failed()
        if (failing) return Effect.void
        failing = true
        return Effect.logWarning("The issuer's keys could not be loaded", options.issuer, reason)
      })
    )

  const running = () => (last !== undefined && last.fiber.pollUnsafe() === undefined ? last : undefined)

  // The attempt lives in the service's scope: a caller who goes away does not end it, and so cannot spend what everybody
  // shares.
  const attempt = (mayBegin: (now: number) => boolean) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (running() === undefined && mayBegin(now)) {
        last = { number: (last?.number ?? 0) + 1, at: now, fiber: yield* Effect.forkIn(loadOnce(now), scope) }
        return last
      }
      return running()
    }).pipe(
      gate.withPermit,
      Effect.uninterruptible,
      Effect.tap((begun) => (begun === undefined ? Effect.void : Fiber.await(begun.fiber)))
    )

  const isCool = (now: number) => last === undefined || now < last.at || now - last.at >= cooldown

  const isFresh = (since: number, now: number) => now - since <= keepFor

  const usable = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    known !== undefined && isFresh(known.since, now)
      ? Effect.succeed(known.keys)
      : Effect.fail(
          new AuthenticatorUnavailable({
            reason: known === undefined ? "the issuer's keys were never loaded" : "the issuer's keys are too old"
          })
        )
  )

  yield* Effect.gen(function* () {
    const age = (now: number) => (known === undefined ? Infinity : now - known.since)
    if (age(yield* Clock.currentTimeMillis) >= refreshEvery) yield* attempt(() => true)
    const left = refreshEvery - age(yield* Clock.currentTimeMillis)
    yield* Effect.sleep(Math.max(left, cooldown))
  }).pipe(Effect.forever, Effect.forkScoped)

  return {
    isCurrent: (keys, now) => known?.keys === keys && isFresh(known.since, now),
    current: Effect.catch(usable, () => Effect.andThen(attempt(isCool), usable)),
    having: Effect.fnUntraced(function* (name, what) {
      const before = last?.number ?? 0
      const isThere = () => known !== undefined && what(known.keys)
      while (!isThere()) {
        const begun = yield* attempt((now) => (failing ? isCool(now) : allowance.take(name, now)))
        if (begun === undefined || begun.number > before) break
      }
      return yield* usable
    })
  }
})
