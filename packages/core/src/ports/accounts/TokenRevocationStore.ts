/** The port for revocations of tokens, which every server reads again and again. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Caller } from "../../domain/accounts/Caller.ts"
import type { TokenRevocation } from "../../domain/accounts/TokenRevocation.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** What became known since another reading. */
export interface RevocationsRead {
  readonly revocations: ReadonlyArray<TokenRevocation>
  /** Where the next reading goes on. */
  readonly position: bigint
}

/** The revocations of callers' tokens, one for each caller. They are kept for good: an issuer may let its tokens live for years. */
export class TokenRevocationStore extends Context.Service<
  TokenRevocationStore,
  {
    /**
     * Keeps the revocation of a caller, or the earlier one where that has the later moment.
     * Law: `accounts/TokenRevocationStore.ts` "of the revocations of a caller the one with the latest moment is kept, also of racing ones".
     */
    readonly revoke: (revocation: TokenRevocation, caller: Caller) => Effect.Effect<void, StoreError>
    /**
     * Reads the revocations that were kept after the position, or all of them. A position that the store did not issue, as before a backup
     * was restored, counts as none. No revocation is left out by two readings of which one follows the other.
     * Laws: `accounts/TokenRevocationStore.ts` "a reading has what was revoked since the one before", "readings that follow each other miss
     * none of racing revocations".
     */
    readonly since: (position?: bigint) => Effect.Effect<RevocationsRead, StoreError>
  }
>()("@sojourn/core/TokenRevocationStore") {}
