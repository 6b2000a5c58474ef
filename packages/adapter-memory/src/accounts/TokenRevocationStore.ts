import { recorded, tokensRevoked, type TokenRevocationStore } from "@sojourn/core"
import { Effect, Result } from "effect"
import { recording } from "../state/atomically.ts"
import type { State } from "../state/State.ts"

/** Revocations of tokens kept in memory. */
export const makeTokenRevocationStore = (state: State): TokenRevocationStore["Service"] => {
  const { revocations } = state
  const lastOf = () => [...revocations.values()].reduce((last, { number }) => (number > last ? number : last), 0n)
  return {
    revoke: (revocation, caller) =>
      recording(state, function* () {
        const { callerHash, issuedBefore } = yield* Result.succeed(revocation)
        const earlier = revocations.get(callerHash)?.revocation
        if (earlier !== undefined && earlier.issuedBefore >= issuedBefore) return recorded(undefined, undefined)
        revocations.set(callerHash, { revocation, number: lastOf() + 1n })
        return recorded(undefined, tokensRevoked(caller))
      }),

    since: (position = 0n) =>
      Effect.sync(() => {
        const last = lastOf()
        const after = position > last ? 0n : position
        const found = [...revocations.values()].filter(({ number }) => number > after)
        return { revocations: found.map(({ revocation }) => revocation), position: last }
      })
  }
}
