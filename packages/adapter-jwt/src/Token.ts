import { NotAuthenticated } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { CryptoKey, JWTPayload, JWTVerifyOptions } from "jose"
import { errors, jwtVerify } from "jose"
import type { Payload } from "./ClaimPath.ts"
import type { Presented } from "./Presented.ts"

/** How far the issuer's clock may be from ours at most. */
export const LARGEST_CLOCK_SKEW = Duration.seconds(60)

/** How far the issuer's clock may be from ours, unless configured. */
export const DEFAULT_CLOCK_SKEW = Duration.seconds(5)

/** What must hold of a token beside its signature. `clockSkew` is in seconds. */
export interface Checks {
  readonly issuer: string
  readonly audience: ReadonlyArray<string>
  readonly algorithms: ReadonlyArray<string>
  readonly clockSkew: number
  readonly type?: string | undefined
}

/** Is it a clock skew that we tolerate: 0 to 60 seconds? */
export const isTolerable = (clockSkew: Duration.Duration): boolean =>
  Duration.between(clockSkew, { minimum: Duration.zero, maximum: LARGEST_CLOCK_SKEW })

const refuse = (reason: string) => new NotAuthenticated({ reason })

/** Nobody is proven by a token whose key is not known. */
export const unknownKey = refuse("the token is signed with an unknown key")

/** Nor by one that is signed in a way that is not accepted. */
export const wrongAlgorithm = refuse("the token's algorithm is not allowed")

const ENDLESS = refuse("the token has no valid time of expiry")
const ISSUED_LATER = refuse("the token was issued in the future")

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
  if (error instanceof errors.JWSSignatureVerificationFailed) return "the token's signature does not match"
  return "the token is malformed or its key unusable"
}

/** What a verified token says. */
export interface Verified {
  readonly payload: Payload
  /** Are the token's times right at this time, in milliseconds? */
  readonly isTimely: (now: number) => boolean
}

/** Verifies tokens by these checks: see {@link verifier}. */
export interface Verify {
  (presented: Presented, key: CryptoKey): Effect.Effect<Verified, NotAuthenticated>
}

/** Keeps no more of the payload than its times. jose looks at `exp` and `nbf` by the whole second, and so does this. */
const timeliness =
  ({ exp = NaN, nbf = -Infinity, iat = -Infinity }: JWTPayload, clockSkew: number) =>
  (now: number) => {
    const second = Math.floor(now / 1000)
    return exp > second - clockSkew && nbf <= second + clockSkew && iat <= now / 1000 + clockSkew
  }

/**
 * Verifies tokens by these checks: the payload of a token with a signature of the key, and the right issuer, audience and
 * times by Effect's clock. It fails with `NotAuthenticated` otherwise.
 */
export const verifier = (checks: Checks): Verify => {
  const fixed: JWTVerifyOptions = {
    issuer: checks.issuer,
    audience: [...checks.audience],
    algorithms: [...checks.algorithms],
    clockTolerance: checks.clockSkew,
    requiredClaims: ["exp"],
    ...(checks.type === undefined ? {} : { typ: checks.type })
  }
  return Effect.fnUntraced(function* (presented, key) {
    const now = yield* Clock.currentTimeMillis
    const { payload } = yield* Effect.tryPromise({
      try: () => jwtVerify<Payload>(presented.token, key, { ...fixed, currentDate: new Date(now) }),
      catch: (error) => refuse(reasonOf(error))
    })
    // jose has made sure that they are numbers, where they are there; it takes 1e999 for one, which is no time.
    if (!Number.isFinite(payload.exp)) return yield* ENDLESS
    const isTimely = timeliness(payload, checks.clockSkew)
    // It leaves `iat` to us.
    if (!isTimely(now)) return yield* ISSUED_LATER
    return { payload, isTimely }
  })
}

/**
 * Would the token be right, at this time in milliseconds, if its key were known? What names another issuer, or has expired,
 * is refused without asking anybody for a key.
 */
export const isPlausible = ({ claims }: Presented, checks: Checks, now: number): boolean =>
  claims.iss === checks.issuer && typeof claims.exp === "number" && claims.exp > now / 1000 - checks.clockSkew
