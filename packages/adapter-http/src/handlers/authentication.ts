import { type Administrator, SignIns } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Hash from "effect/Hash"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Redacted from "effect/Redacted"
import { SojournApi } from "../api/index.ts"
import { NotFound, TooManyRequests } from "../api/refusals.ts"
import type { RequestHead } from "./envelope.ts"
import { limitNetwork, RequestLimits } from "./limits.ts"
import { refuse } from "./refuse.ts"
import { sayRetryAfter } from "./retryAfter.ts"

/** A token and how long it works, in seconds. */
export interface MintedToken {
  readonly token: Redacted.Redacted<string>
  readonly expiresIn: number
}

/**
 * Makes tokens for administrators whom a password proved; none, where administrators sign in elsewhere, which is so unless
 * whoever composes the server says otherwise. Then there is no endpoint for it.
 */
export const TokenMinter = Context.Reference<
  Option.Option<(administrator: Administrator) => Effect.Effect<MintedToken>>
>("@sojourn/adapter-http/TokenMinter", { defaultValue: Option.none })

/** How often a password may be tried for one username, whether or not it is anybody's. */
const ATTEMPTS = { limit: 10, window: "5 minutes" } as const

/** Usernames share this many counters: what strangers make up must not fill the memory. */
const COUNTERS = 0xffff

const counterOf = (username: string) => `sign-in ${Hash.string(username.toLowerCase()) & COUNTERS}`

const tooMany = (request: RequestHead) => (error: RateLimiter.RateLimiterError) => {
  if (error.reason._tag === "RateLimitExceeded") sayRetryAfter(request, Duration.toMillis(error.reason.retryAfter))
  return new TooManyRequests({ detail: "Too many attempts for this username: try again in some minutes." })
}

export const layerAuthentication = HttpApiBuilder.group(
  SojournApi,
  "authentication",
  Effect.fnUntraced(function* (handlers) {
    const signIns = yield* SignIns
    const minter = yield* TokenMinter
    const limiter = yield* RateLimiter.RateLimiter
    const limit = limitNetwork(yield* RequestLimits)
    return handlers.handle(
      "token",
      Effect.fnUntraced(function* ({ payload: { username, password } }) {
        if (Option.isNone(minter)) return yield* new NotFound({ detail: "Administrators sign in elsewhere." })
        const request = yield* HttpServerRequest.HttpServerRequest
        yield* limit(request)
        yield* Effect.mapError(limiter.consume({ ...ATTEMPTS, key: counterOf(username) }), tooMany(request))
        const administrator = yield* signIns.withPassword(username, Redacted.make(password)).pipe(refuse())
        const { token, expiresIn } = yield* minter.value(administrator)
        return { access_token: Redacted.value(token), token_type: "Bearer" as const, expires_in: expiresIn }
      })
    )
  })
).pipe(Layer.provide(RateLimiter.layer), Layer.provide(RateLimiter.layerStoreMemory))
