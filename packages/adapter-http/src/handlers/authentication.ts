import { type Administrator, SignIns } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Hash from "effect/Hash"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Redacted from "effect/Redacted"
import type { AuthenticationGroup } from "../api/authentication.ts"
import { NotFound, TooManyRequests } from "../api/refusals.ts"
import type { GroupHandlers } from "../pipeline/endpoint.ts"
import { limitNetwork, RequestLimits } from "../pipeline/limits.ts"
import type { RequestHead } from "../pipeline/requestHead.ts"
import { sayRetryAfter } from "../pipeline/retryAfter.ts"
import { refuse } from "./refuse.ts"

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

/** Answers the endpoint for signing in with a password (contract, section 9). */
export const authenticationHandlers = Effect.gen(function* () {
  const signIns = yield* SignIns
  const minter = yield* TokenMinter
  const limiter = yield* RateLimiter.RateLimiter
  const limit = limitNetwork(yield* RequestLimits)
  const handlers: GroupHandlers<typeof AuthenticationGroup> = {
    token: Effect.fnUntraced(function* ({ head, payload: { username, password } }) {
      if (Option.isNone(minter)) return yield* new NotFound({ detail: "Administrators sign in elsewhere." })
      yield* limit(head)
      yield* Effect.mapError(limiter.consume({ ...ATTEMPTS, key: counterOf(username) }), tooMany(head))
      const administrator = yield* signIns.withPassword(username, Redacted.make(password)).pipe(refuse())
      const { token, expiresIn } = yield* minter.value(administrator)
      return { access_token: Redacted.value(token), token_type: "Bearer" as const, expires_in: expiresIn }
    })
  }
  return handlers
}).pipe(Effect.provide(Layer.provide(RateLimiter.layer, RateLimiter.layerStoreMemory)))
