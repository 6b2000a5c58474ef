import { NotAuthenticated } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { JWTVerifyGetKey } from "jose"
import { errors, jwtVerify } from "jose"
import type { Payload } from "./Claims.ts"

/** The longest token that is looked at, in characters. */
export const LONGEST_TOKEN = 16 * 1024

/** How far the issuer's clock may be from ours at most. */
export const LARGEST_CLOCK_SKEW = Duration.seconds(60)

/** How far the issuer's clock may be from ours, unless configured. */
export const DEFAULT_CLOCK_SKEW = Duration.seconds(5)

/** What must hold of a token beside its signature. `clockSkew` is in seconds. */
export interface Checks {
  readonly issuer: string
  readonly audience: string | ReadonlyArray<string>
  readonly algorithms: ReadonlyArray<string>
  readonly clockSkew: number
  readonly type?: string | undefined
}

/** Finds the key that a token's header asks for. Nothing of the header is proven when it is called. */
export interface FindKey extends JWTVerifyGetKey {}

/** The key that the token names is not among those at hand. */
export class KeyNotFound extends Data.TaggedError("KeyNotFound") {}

/** Is it a clock skew that we tolerate: 0 to 60 seconds? */
export const isTolerable = (clockSkew: Duration.Duration): boolean =>
  Duration.between(clockSkew, { minimum: Duration.zero, maximum: LARGEST_CLOCK_SKEW })

// Base64url has one spelling here: no padding, no blanks, and no bits left over in the last character. Otherwise one
// signature could be written in several ways, and a changed token could still be accepted.
const PART = "(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{4}|[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])"
const COMPACT = new RegExp(`^${PART}\\.${PART}\\.${PART}$`)

const refuse = (reason: string) => new NotAuthenticated({ reason })

/** The token that the credentials hold, when they have the form of a signed one. Nothing is verified yet. */
export const fromCredentials = (credentials: Redacted.Redacted<string>): Result.Result<string, NotAuthenticated> => {
  const token = Redacted.value(credentials)
  if (token.length > LONGEST_TOKEN) return Result.fail(refuse("the token is too long"))
  return COMPACT.test(token) ? Result.succeed(token) : Result.fail(refuse("the credentials are no signed token"))
}

// jose's errors carry the payload and may quote the header: only what we say ourselves goes into a reason.
const reasonOf = (error: unknown): string => {
  if (error instanceof errors.JWTExpired) return "the token has expired"
  if (error instanceof errors.JWTClaimValidationFailed) {
    switch (error.claim) {
      case "iss":
        return "the token is of another issuer"
      case "aud":
        return "the token is for another audience"
      case "exp":
        return "the token has no valid time of expiry"
      case "nbf":
        return "the token is not valid yet"
      case "typ":
        return "the token is of another type"
      default:
        return "a claim of the token is not valid"
    }
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return "the token's algorithm is not allowed"
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "the token does not say which key signed it"
  if (error instanceof errors.JWSSignatureVerificationFailed) return "the token's signature does not match"
  return "the token is malformed or its key unusable"
}

/**
 * The payload of a token whose signature, issuer, audience and times are right, by Effect's clock.
 *
 * `key` is asked for the key with the token's header, of which nothing is proven at that time. Fails with `KeyNotFound`
 * when it throws jose's `JWKSNoMatchingKey`, and with `NotAuthenticated` for every other reason.
 */
export const verify = Effect.fnUntraced(function* (
  token: string,
  key: FindKey,
  checks: Checks
): Effect.fn.Return<Payload, NotAuthenticated | KeyNotFound> {
  const now = yield* Clock.currentTimeMillis
  const verified = yield* Effect.tryPromise({
    try: () =>
      jwtVerify<Payload>(
        token,
        (header, jws) => {
          // No extension is understood here, and `b64` least of all.
          if (header.crit !== undefined) throw new errors.JOSENotSupported()
          return key(header, jws)
        },
        {
          issuer: checks.issuer,
          audience: typeof checks.audience === "string" ? checks.audience : [...checks.audience],
          algorithms: [...checks.algorithms],
          clockTolerance: checks.clockSkew,
          currentDate: new Date(now),
          requiredClaims: ["exp"],
          ...(checks.type === undefined ? {} : { typ: checks.type })
        }
      ),
    catch: (error) => (error instanceof errors.JWKSNoMatchingKey ? new KeyNotFound() : refuse(reasonOf(error)))
  })
  return verified.payload
})

/** Nobody is proven by a token whose key is not known. */
export const unknownKey = refuse("the token is signed with an unknown key")
