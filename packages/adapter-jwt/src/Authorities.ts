/**
 * Combines issuers into one `Authenticator`. Each token is verified by the issuer that it names, and two issuers never stand for
 * one id of a caller.
 */
import type { AuthenticatorUnavailable } from "@sojourn/core"
import { Authenticator, NotAuthenticated, NOTHING_REVOKED, RevokedTokens } from "@sojourn/core"
import { Effect, Layer, Result, type Scope } from "effect"
import { InvalidOptions } from "./InvalidOptions.ts"
import type { KindName } from "./CallerKind.ts"
import * as UnverifiedToken from "./UnverifiedToken.ts"
import * as TokenCache from "./TokenCache.ts"

export type { VerifiedCaller } from "./TokenCache.ts"

/** An issuer whose tokens for one of the audiences authenticate callers. */
export interface Authority {
  readonly issuer: string
  readonly audience: ReadonlyArray<string>
  /** Verifies a token completely, including that it is of this issuer and for one of the audiences. */
  readonly authenticate: (
    presented: UnverifiedToken.UnverifiedToken
  ) => Effect.Effect<TokenCache.VerifiedCaller, NotAuthenticated | AuthenticatorUnavailable>
  /**
   * The caller ids that it can issue: those of these kinds that begin with the prefix (`undefined`: none was configured).
   * Left out for this service's own issuer, whose ids the operator chooses one by one.
   */
  readonly ids?: { readonly kinds: ReadonlyArray<KindName>; readonly prefix: string | undefined } | undefined
}

const refuse = (reason: string) => Result.fail(new NotAuthenticated({ reason }))

const OTHER_ISSUER = refuse("the token is of another issuer")
const OTHER_AUDIENCE = refuse("the token is for another audience")
const SEVERAL_AUDIENCES = refuse("the token is for the audiences of several authorities")

/** Whether two issuers could issue the same id to different callers. */
const share = (one: Authority, other: Authority): boolean => {
  if (one.issuer === other.issuer || one.ids === undefined || other.ids === undefined) return false
  const { kinds, prefix } = one.ids
  if (!other.ids.kinds.some((kind) => kinds.includes(kind))) return false
  const [a, b] = [prefix, other.ids.prefix]
  // The same prefix for both states that equal ids are the same person.
  if (a !== undefined && a === b) return false
  return (a ?? "").startsWith(b ?? "") || (b ?? "").startsWith(a ?? "")
}

const conflict = (one: Authority, other: Authority): string | undefined => {
  if (one.issuer === other.issuer && one.audience.some((name) => other.audience.includes(name))) {
    return `two authorities have the issuer ${one.issuer} and the same audience`
  }
  return share(one, other)
    ? `${one.issuer} and ${other.issuer} can write the same ids for the same kind of caller: give each a subjectPrefix ` +
        "that does not begin the other's, or both the same one if their ids are the same people's"
    : undefined
}

/**
 * Combines authorities into one authenticator. The unverified issuer and audience of a token only choose the authority, which
 * then verifies the token. Among authorities of one issuer the audience decides, and a token for both is refused.
 *
 * Fails with `InvalidOptions` when there is no authority, when two could match one token, and when two issuers could give one id
 * to two people. Tokens that are `revoked` are refused, whoever issued them; none is by default.
 */
export const combine = (
  authorities: ReadonlyArray<Authority>,
  revoked: RevokedTokens = NOTHING_REVOKED
): Result.Result<Authenticator["Service"], InvalidOptions> => {
  const invalid = (reason: string) => Result.fail(new InvalidOptions({ reason }))
  if (authorities.length === 0) return invalid("there must be an issuer whose tokens are accepted")
  for (const [at, one] of authorities.entries()) {
    for (const other of authorities.slice(at + 1)) {
      const why = conflict(one, other)
      if (why !== undefined) return invalid(why)
    }
  }
  const byIssuer = Map.groupBy(authorities, ({ issuer }) => issuer)

  const chosen = ({ claims: { iss, aud } }: UnverifiedToken.UnverifiedToken) => {
    const [first, ...others] = (typeof iss === "string" ? byIssuer.get(iss) : undefined) ?? []
    if (first === undefined) return OTHER_ISSUER
    if (others.length === 0) return Result.succeed(first)
    const audiences: ReadonlyArray<unknown> = Array.isArray(aud) ? aud : [aud]
    const meant = [first, ...others].filter(({ audience }) => audience.some((name) => audiences.includes(name)))
    if (meant.length > 1) return SEVERAL_AUDIENCES
    return meant[0] === undefined ? OTHER_AUDIENCE : Result.succeed(meant[0])
  }

  const authenticator = TokenCache.make((credentials) => {
    const presented = UnverifiedToken.fromCredentials(credentials)
    if (Result.isFailure(presented)) return Effect.fail(presented.failure)
    const authority = chosen(presented.success)
    if (Result.isFailure(authority)) return Effect.fail(authority.failure)
    return authority.success.authenticate(presented.success)
  }, revoked)
  return Result.succeed(authenticator)
}

/** The {@link combine} of these authorities, such as `OwnIssuer.authority` and `Oidc.authority` make, with the `RevokedTokens` of the context. */
export const make = <E = never, R = never>(
  authorities: ReadonlyArray<Effect.Effect<Authority, E, R>>
): Effect.Effect<Authenticator["Service"], E | InvalidOptions, R> =>
  Effect.gen(function* () {
    return yield* Effect.fromResult(combine(yield* Effect.all(authorities), yield* RevokedTokens))
  })

/** {@link make} as a layer. */
export const layer = <E = never, R = never>(
  authorities: ReadonlyArray<Effect.Effect<Authority, E, R>>
): Layer.Layer<Authenticator, E | InvalidOptions, Exclude<R, Scope.Scope>> =>
  Layer.effect(Authenticator, make(authorities))
