/**
 * Answers the endpoints for signing in with a password, for whom a token proves, and for signing out. A server whose administrators sign in
 * elsewhere provides no `TokenMinter`.
 */
import { type Administrator, SignIns, TokenRevocations } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { AuthenticationGroup } from "../../api/accounts/authentication.ts"
import { problemOf } from "../../api/shared/problems.ts"
import { NotFound } from "../../api/shared/refusals.ts"
import { clientNetwork } from "../../pipeline/requestHead.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { limitNetwork, RequestLimits } from "../../pipeline/limits.ts"
import { refuse } from "../shared/refuse.ts"

/** A token and how long it works, in seconds. */
export interface MintedToken {
  readonly token: Redacted.Redacted<string>
  readonly expiresIn: number
}

/**
 * Makes tokens for administrators whom a password proved; none, where administrators sign in elsewhere, which is the
 * default. Then there is no endpoint for it.
 */
export const TokenMinter = Context.Reference<
  Option.Option<(administrator: Administrator) => Effect.Effect<MintedToken>>
>("@sojourn/adapter-http/TokenMinter", { defaultValue: Option.none })

/** The networks that attempts are counted by, of IPv6 addresses: one subscriber often has one of 48 bits, with 65,536 of 64 bits. */
const NETWORK_BITS = 48

/** Answers the endpoints for signing in with a password, for whom a token proves, and for signing out. */
export const authenticationHandlers = Effect.gen(function* () {
  const signIns = yield* SignIns
  const revocations = yield* TokenRevocations
  const minter = yield* TokenMinter
  const limits = yield* RequestLimits
  const limit = limitNetwork(limits)
  const handlers: GroupHandlers<typeof AuthenticationGroup> = {
    token: Effect.fnUntraced(function* ({ head, payload: { username, password } }) {
      if (Option.isNone(minter)) return yield* new NotFound(problemOf("SignInElsewhere"))
      yield* limit(head)
      const network = clientNetwork(head, limits.trustedProxies ?? 0, NETWORK_BITS)
      const administrator = yield* signIns.withPassword(username, Redacted.make(password), network).pipe(refuse())
      const { token, expiresIn } = yield* minter.value(administrator)
      return { access_token: Redacted.value(token), token_type: "Bearer" as const, expires_in: expiresIn }
    }),
    administrator: ({ caller: { administratorId, mail } }) => Effect.succeed({ administratorId, mail }),
    signOut: ({ caller }) => revocations.signOut(caller).pipe(refuse())
  }
  return handlers
})
