/** The port that turns the credentials of a request into a caller. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Caller } from "../../domain/accounts/Caller.ts"
import { TaggedError } from "../../domain/shared/TaggedError.ts"

/**
 * The credentials are not valid: absent, malformed, forged, expired, or of no known kind. `reason` is for the operator
 * and holds nothing of the credentials themselves.
 */
export class NotAuthenticated extends TaggedError("NotAuthenticated", "the credentials are missing or invalid")<{
  readonly reason: string
}> {}

/** No caller can be authenticated now: the keys that credentials are checked with were never loaded. */
export class AuthenticatorUnavailable extends TaggedError(
  "AuthenticatorUnavailable",
  "the credentials cannot be verified at the moment"
)<{
  readonly reason: string
}> {}

/** Who is calling (spec: accounts#callers). The mechanism is the adapter's. */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    /**
     * Answers the caller whom the bearer credentials prove.
     * It never answers a caller for credentials that it could not check, and makes no outgoing request that the credentials
     * choose. Fails with `AuthenticatorUnavailable` where no key was ever loaded.
     */
    readonly authenticate: (
      credentials: Redacted.Redacted<string>
    ) => Effect.Effect<Caller, NotAuthenticated | AuthenticatorUnavailable>
  }
>()("@sojourn/core/Authenticator") {}
