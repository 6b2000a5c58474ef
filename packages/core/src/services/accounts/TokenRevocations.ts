/** The use cases that end tokens before they expire, and what this process knows of revocations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator, Caller, Operator } from "../../domain/accounts/Caller.ts"
import {
  hashOfCaller,
  isIssuedBefore,
  type RevocationInFuture,
  revocationOf,
  type TokenRevocation,
  wholeSecondAfter
} from "../../domain/accounts/TokenRevocation.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { RevokedTokens } from "../../ports/accounts/RevokedTokens.ts"
import { TokenRevocationStore } from "../../ports/accounts/TokenRevocationStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { byCaller as inNameOfCaller } from "../audit/byCaller.ts"
import { insteadOfDefect } from "../shared/backgroundFailures.ts"
import { now } from "../shared/now.ts"

/** The interval of reading what other processes revoked. With the check of streams, each second, it is known everywhere within 2 s. */
const READ_INTERVAL = "500 millis"

/** How long the start waits for the first reading. After it a server refuses all tokens until the storage answers. */
const FIRST_READING_TIMEOUT = "2 seconds"

/** A timer may end a little before the clock says so. */
const TIMER_ERROR_MS = 2

/** Revokes tokens (spec: accounts#revocation). */
export class TokenRevocations extends Context.Service<
  TokenRevocations,
  {
    /**
     * Revokes the tokens of a caller that were issued before a moment, by default until now: then it ends with the second, so that each token
     * which is issued after it works. For operators.
     */
    readonly revoke: (
      operator: Operator,
      caller: Caller,
      issuedBefore?: Timestamp
    ) => Effect.Effect<void, RevocationInFuture | StoreError>
    /** Revokes the administrator's own tokens until now, as {@link revoke}. */
    readonly signOut: (administrator: Administrator) => Effect.Effect<void, StoreError>
    /** What this process knows. */
    readonly known: RevokedTokens
  }
>()("@sojourn/core/TokenRevocations") {
  static readonly layer: Layer.Layer<TokenRevocations, never, TokenRevocationStore> = Layer.effect(
    TokenRevocations,
    Effect.gen(function* () {
      const store = yield* TokenRevocationStore
      const byCaller = new Map<string, TokenRevocation>()
      /** The hashes of callers that authenticators keep, which ask again after each revocation. */
      const hashes = new WeakMap<Caller, string>()
      const hashOf = (caller: Caller) => {
        const hash = hashes.get(caller) ?? hashOfCaller(caller)
        hashes.set(caller, hash)
        return hash
      }
      let position: bigint | undefined
      let version = 0

      const keep = (revocation: TokenRevocation) => {
        const earlier = byCaller.get(revocation.callerHash)
        if (earlier !== undefined && earlier.issuedBefore >= revocation.issuedBefore) return
        byCaller.set(revocation.callerHash, revocation)
        // The first reading alone makes the revocations known.
        if (version > 0) version++
      }

      const read = Effect.map(
        Effect.suspend(() => store.since(position)),
        (found) => {
          found.revocations.forEach(keep)
          position = found.position
          version ||= 1
        }
      ).pipe(
        // What is known stays in force.
        Effect.catchTag("StoreError", (error) => Effect.logDebug("revocations of tokens wait for the storage", error)),
        insteadOfDefect("the reading of revoked tokens", undefined)
      )
      yield* Effect.timeoutOption(read, FIRST_READING_TIMEOUT)
      yield* Effect.forkScoped(Effect.forever(Effect.delay(read, READ_INTERVAL)))

      const put = (revocation: TokenRevocation, caller: Caller) =>
        Effect.map(store.revoke(revocation, caller), () => keep(revocation))

      const revokeUntilNow = Effect.fnUntraced(function* (caller: Caller) {
        const issuedBefore = yield* now
        yield* put({ callerHash: hashOfCaller(caller), issuedBefore }, caller)
        const wait = wholeSecondAfter(issuedBefore) - (yield* now)
        if (wait > 0) yield* Effect.sleep(wait + TIMER_ERROR_MS)
      })

      const useCases: Pick<TokenRevocations["Service"], "revoke" | "signOut"> = inNameOfCaller({
        revoke: Effect.fnUntraced(function* (_operator: Operator, caller: Caller, issuedBefore?: Timestamp) {
          if (issuedBefore === undefined) return yield* revokeUntilNow(caller)
          yield* put(yield* Effect.fromResult(revocationOf(caller, issuedBefore, yield* now)), caller)
        }),
        signOut: (administrator: Administrator) => revokeUntilNow(administrator)
      })

      return TokenRevocations.of({
        ...useCases,
        known: {
          version: () => version,
          isRevoked: (caller, issuedAt) => {
            const revocation = byCaller.size === 0 ? undefined : byCaller.get(hashOf(caller))
            return revocation !== undefined && isIssuedBefore(issuedAt, revocation)
          }
        }
      })
    })
  )
}
