/** What an `Authenticator` asks about tokens whose signature it verified: whether they were revoked. */
import * as Context from "effect/Context"
import type { Caller } from "../../domain/accounts/Caller.ts"

/** The revocations that this process knows. Nothing here reads the storage: every request asks. */
export interface RevokedTokens {
  /** 0 before the revocations were read: no caller is authenticated until then. It grows with each revocation that becomes known: an answer holds until it does. */
  readonly version: () => number
  /** Whether a token of the caller with this `iat`, in seconds, is refused (spec: accounts#revocation). */
  readonly isRevoked: (caller: Caller, issuedAt: number | undefined) => boolean
}

/** No token is revoked. */
export const NOTHING_REVOKED: RevokedTokens = { version: () => 1, isRevoked: () => false }

/** The revocations that the use cases know; by default no token is revoked. */
export const RevokedTokens = Context.Reference<RevokedTokens>("@sojourn/core/RevokedTokens", {
  defaultValue: () => NOTHING_REVOKED
})
