import { Authenticator } from "@sojourn/core"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Url from "effect/http/Url"
import * as Claims from "./Claims.ts"
import * as KeySet from "./KeySet.ts"
import * as Token from "./Token.ts"

const SUPPORTED = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519"
] as const

/** A signature algorithm with a public key. `none` and the shared secrets of `HS*` are not among them. */
export type Algorithm = (typeof SUPPORTED)[number]

/** The algorithms that are accepted unless the options name others. */
export const DEFAULT_ALGORITHMS: ReadonlyArray<Algorithm> = ["RS256", "PS256", "ES256", "EdDSA"]

/** Whose tokens are accepted, and where the keys to verify them are. */
export interface Options {
  /** The address of the issuer's key set: `https`, or `http` on this machine. Redirects are not followed. */
  readonly url: string
  /** What `iss` must be, exactly. */
  readonly issuer: string
  /** What `aud` must be or hold: one of these. */
  readonly audience: string | ReadonlyArray<string>
  /** The accepted algorithms (default {@link DEFAULT_ALGORITHMS}). A key is used with its own `alg` or type only. */
  readonly algorithms?: ReadonlyArray<Algorithm> | undefined
  /** The claim that holds the caller's kind (default `sojourn_kind`). */
  readonly kindClaim?: string | undefined
  /** What the header's `typ` must be, such as `at+jwt` for an issuer of RFC 9068 access tokens (default: anything). */
  readonly type?: string | undefined
  /** How far the issuer's clock may differ from ours: 0 to 60 seconds (default 5 seconds). */
  readonly clockSkew?: Duration.Input | undefined
  /** The keys are loaded again every so often (default 10 minutes). */
  readonly refreshEvery?: Duration.Input | undefined
  /** The least time between the starts of two requests for the keys, whatever tokens arrive (default 10 seconds). */
  readonly cooldown?: Duration.Input | undefined
  /** For how long the last good keys are used while no newer ones can be loaded (default 24 hours). */
  readonly keepFor?: Duration.Input | undefined
  /** How long a request for the keys may take (default 5 seconds). */
  readonly timeout?: Duration.Input | undefined
  /** Allows `http` on another machine: whoever can change that traffic can be anybody (default false). */
  readonly allowHttp?: boolean | undefined
}

/** The options cannot be used; `reason` says which one and why. */
export class InvalidOptions extends Data.TaggedError("InvalidOptions")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

interface Settings {
  readonly keySet: KeySet.Options
  readonly checks: Token.Checks
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

const checkedUrl = (url: string, allowHttp: boolean): Result.Result<string, InvalidOptions> => {
  const parsed = Url.fromString(url)
  if (Result.isFailure(parsed)) return Result.fail(new InvalidOptions({ reason: "url is not an absolute address" }))
  const { protocol, hostname, username, password, href } = parsed.success
  if (protocol !== "https:" && protocol !== "http:") {
    return Result.fail(new InvalidOptions({ reason: "url must be https" }))
  }
  if (protocol === "http:" && !allowHttp && !LOOPBACK.test(hostname)) {
    return Result.fail(new InvalidOptions({ reason: "url must be https: over http anybody could send other keys" }))
  }
  if (username !== "" || password !== "") {
    return Result.fail(new InvalidOptions({ reason: "url must not hold a user name or password" }))
  }
  return Result.succeed(href.replace(/#.*$/, ""))
}

const checkedDuration = (
  name: string,
  input: Duration.Input,
  minimum: Duration.Duration,
  maximum: Duration.Duration
): Result.Result<Duration.Duration, InvalidOptions> => {
  const range = `${name} must be ${Duration.format(minimum)} to ${Duration.format(maximum)}`
  return Result.fromOption(
    Option.filter(Duration.fromInput(input), (duration) => Duration.between(duration, { minimum, maximum })),
    () => new InvalidOptions({ reason: range })
  )
}

const settingsOf = (options: Options): Result.Result<Settings, InvalidOptions> =>
  Result.gen(function* () {
    const algorithms = options.algorithms ?? DEFAULT_ALGORITHMS
    if (algorithms.length === 0 || !algorithms.every((algorithm) => SUPPORTED.includes(algorithm))) {
      return yield* Result.fail(new InvalidOptions({ reason: `algorithms must be some of ${SUPPORTED.join(", ")}` }))
    }
    const audience = typeof options.audience === "string" ? [options.audience] : options.audience
    if (audience.length === 0 || audience.includes("")) {
      return yield* Result.fail(new InvalidOptions({ reason: "audience must not be empty" }))
    }
    if (options.issuer === "") return yield* Result.fail(new InvalidOptions({ reason: "issuer must not be empty" }))
    if (options.kindClaim === "")
      return yield* Result.fail(new InvalidOptions({ reason: "kindClaim must not be empty" }))
    const { minutes, millis, hours, days } = Duration
    const clockSkew = yield* checkedDuration(
      "clockSkew",
      options.clockSkew ?? Token.DEFAULT_CLOCK_SKEW,
      Duration.zero,
      Token.LARGEST_CLOCK_SKEW
    )
    return {
      keySet: {
        url: yield* checkedUrl(options.url, options.allowHttp ?? false),
        refreshEvery: yield* checkedDuration("refreshEvery", options.refreshEvery ?? "10 minutes", millis(1), days(1)),
        cooldown: yield* checkedDuration("cooldown", options.cooldown ?? "10 seconds", millis(1), hours(1)),
        keepFor: yield* checkedDuration("keepFor", options.keepFor ?? "24 hours", millis(1), days(7)),
        timeout: yield* checkedDuration("timeout", options.timeout ?? "5 seconds", millis(1), minutes(1))
      },
      checks: {
        issuer: options.issuer,
        audience,
        algorithms,
        clockSkew: Duration.toSeconds(clockSkew),
        type: options.type
      }
    }
  })

/**
 * Authenticates the callers of another issuer's tokens, with the keys that it publishes as a JWK set.
 *
 * - A token needs a signature by one of these keys, the issuer, one of the audiences, a time of expiry that is not past,
 *   and what {@link Claims.toCaller} asks for. A token without `kid` is accepted when exactly one key can have signed it.
 * - The header's `jku`, `x5u`, `x5c` and `jwk` are not looked at, and a token with `crit` is refused.
 * - A `kid` that is not known asks for the keys once more, when the cooldown allows it, before the token is refused.
 * - `AuthenticatorUnavailable` is for the time before the first load, and for an outage that outlasts `keepFor`.
 *
 * It starts at once, also when the address is down. The `HttpClient` given to it must not follow redirects itself (the
 * one of `FetchHttpClient` is told not to). Fails with `InvalidOptions`.
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Authenticator["Service"], InvalidOptions, HttpClient.HttpClient | Scope.Scope> {
  const settings = yield* Effect.fromResult(settingsOf(options))
  const keySet = yield* KeySet.make(settings.keySet)

  const verified = Effect.fnUntraced(function* (token: string) {
    const keys = yield* keySet.current
    return yield* Token.verify(token, keys.find, settings.checks).pipe(
      Effect.catchTag("KeyNotFound", () =>
        Effect.flatMap(keySet.newerThan(keys), (newer) =>
          Option.isNone(newer)
            ? Effect.fail(Token.unknownKey)
            : Effect.catchTag(Token.verify(token, newer.value.find, settings.checks), "KeyNotFound", () =>
                Effect.fail(Token.unknownKey)
              )
        )
      )
    )
  })

  return Authenticator.of({
    authenticate: (credentials) =>
      Effect.fromResult(Token.fromCredentials(credentials)).pipe(
        Effect.flatMap(verified),
        Effect.flatMap((payload) => Effect.fromResult(Claims.toCaller(payload, options.kindClaim)))
      )
  })
})

/** The {@link make} of these options, as a layer. */
export const layer = (options: Options): Layer.Layer<Authenticator, InvalidOptions, HttpClient.HttpClient> =>
  Layer.effect(Authenticator, make(options))

/** {@link layer} over the platform's `fetch`. */
export const layerFetch = (options: Options): Layer.Layer<Authenticator, InvalidOptions> =>
  Layer.provide(layer(options), FetchHttpClient.layer)
