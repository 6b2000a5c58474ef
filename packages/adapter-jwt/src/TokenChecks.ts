/** Verifies a token: signature, issuer, audience, times, and that it is an access token. */
import { AuthenticatorUnavailable, NotAuthenticated } from "@sojourn/core"
import { Clock, Duration, Effect } from "effect"
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from "jose"
import { errors, jwtVerify } from "jose"
import type { Payload } from "./ClaimPath.ts"
import type { UnverifiedToken } from "./UnverifiedToken.ts"

/** The largest clock skew that can be configured. */
export const LARGEST_CLOCK_SKEW = Duration.seconds(60)

/** The default clock skew. */
export const DEFAULT_CLOCK_SKEW = Duration.seconds(5)

/** What a token is checked for beside its signature. `clockSkew` is in seconds. */
export interface Checks {
  readonly issuer: string
  readonly audience: ReadonlyArray<string>
  readonly algorithms: ReadonlyArray<string>
  readonly clockSkew: number
  readonly type?: string | undefined
}

/** Whether a clock skew is within 0 to 60 seconds. */
export const isTolerable = (clockSkew: Duration.Duration): boolean =>
  Duration.between(clockSkew, { minimum: Duration.zero, maximum: LARGEST_CLOCK_SKEW })

const refuse = (reason: string) => new NotAuthenticated({ reason })

const ENDLESS = refuse("the token has no valid time of expiry")
const ISSUED_LATER = refuse("the token was issued in the future")

// jose's errors carry the payload and may quote the header, so reasons use fixed texts only.
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
  if (error instanceof errors.JWSSignatureVerificationFailed) return "the token's signature does not match"
  if (error instanceof errors.JOSEAlgNotAllowed) return "the token's algorithm is not allowed"
  if (error instanceof errors.JWKSNoMatchingKey) return "the token is signed with an unknown key"
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "the token does not say which key signed it"
  return "the token is malformed or its key unusable"
}

const OTHER_TYPE = refuse("the token is of another type")
const ID_TOKEN = refuse("the token is an ID token, and no access token")

/** The media type of a header, without the part that may be left out (RFC 7515, section 4.1.9). */
const typeOf = (typ: unknown): unknown =>
  typeof typ === "string" ? typ.toLowerCase().replace(/^application\//, "") : typ

/** What an ID token alone has (OpenID Connect Core, sections 3.1.3.6 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ["at_hash", "c_hash", "s_hash"]

/**
 * Whether a payload is that of an ID token, which tells a client who signed in and may be read by it. Keycloak says in `typ` what each token is, and
 * before version 24 its access tokens have the `nonce` of their sign-in.
 */
const isIdToken = (payload: Payload, type: unknown): boolean =>
  payload["typ"] === "ID" ||
  ID_TOKEN_CLAIMS.some((claim) => payload[claim] !== undefined) ||
  (payload["nonce"] !== undefined && type !== "at+jwt" && payload["typ"] !== "Bearer")

/** The payload of a verified token, with a check of its times. */
export interface CheckedToken {
  readonly payload: Payload
  /** The claim `iat`, in seconds. */
  readonly issuedAt: number | undefined
  /** Whether the token's times are valid at `now`, in milliseconds. */
  readonly isTimely: (now: number) => boolean
}

/** Verifies a token: see {@link verifier}. */
export interface Verify {
  (presented: UnverifiedToken): Effect.Effect<CheckedToken, NotAuthenticated | AuthenticatorUnavailable>
}

/** Keeps only the times of the payload. Like jose, it compares `exp` and `nbf` by the whole second. */
const timeliness =
  ({ exp = NaN, nbf = -Infinity, iat = -Infinity }: JWTPayload, clockSkew: number) =>
  (now: number) => {
    const second = Math.floor(now / 1000)
    return exp > second - clockSkew && nbf <= second + clockSkew && iat <= now / 1000 + clockSkew
  }

/**
 * Makes a verifier of signature, issuer, audience, kind and times, by Effect's clock. Fails with `NotAuthenticated`, or with
 * `AuthenticatorUnavailable` when `find` rejects with it.
 */
export const verifier = (checks: Checks, find: JWTVerifyGetKey): Verify => {
  const fixed: JWTVerifyOptions = {
    issuer: checks.issuer,
    audience: [...checks.audience],
    algorithms: [...checks.algorithms],
    clockTolerance: checks.clockSkew,
    requiredClaims: ["exp"],
    ...(checks.type === undefined ? {} : { typ: checks.type })
  }
  return Effect.fnUntraced(function* (presented) {
    const now = yield* Clock.currentTimeMillis
    const { payload, protectedHeader } = yield* Effect.tryPromise({
      try: () => jwtVerify<Payload>(presented.token, find, { ...fixed, currentDate: new Date(now) }),
      catch: (error) => (error instanceof AuthenticatorUnavailable ? error : refuse(reasonOf(error)))
    })
    const type = typeOf(protectedHeader.typ)
    // Tokens of other kinds, such as of a logout, may have the same issuer, key and audience.
    if (checks.type === undefined && ![undefined, "jwt", "at+jwt"].includes(type as string)) return yield* OTHER_TYPE
    if (isIdToken(payload, type)) return yield* ID_TOKEN
    // jose checks that the times present are numbers, but accepts 1e999, which is Infinity.
    if (!Number.isFinite(payload.exp)) return yield* ENDLESS
    const isTimely = timeliness(payload, checks.clockSkew)
    // jose does not check `iat`.
    if (!isTimely(now)) return yield* ISSUED_LATER
    return { payload, issuedAt: payload.iat, isTimely }
  })
}
