import { Authenticator } from "@sojourn/core"
import type { AuthenticatorUnavailable, NotAuthenticated } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { InvalidOptions } from "./InvalidOptions.ts"
import { countLookup } from "./metrics.ts"
import type { Proof } from "./Proof.ts"
import * as Recent from "./Recent.ts"

/** How many verified tokens are kept in memory at most, and how many characters they may have together; 0: none. */
export interface Options {
  readonly tokens?: number | undefined
  readonly characters?: number | undefined
}

/** The tokens that are kept unless the options say otherwise: 10,000, of 8 MiB together. */
export const DEFAULT = { tokens: 10_000, characters: 8 * 1024 * 1024 }

/** How often tokens that prove nobody any more are looked for, in milliseconds. */
const SWEEP_EVERY = 60_000

const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0

/**
 * An authenticator that verifies a token once, and answers it from memory for as long as its {@link Proof} holds.
 *
 * - What was verified is looked up by the whole token, so that a token that differs in a character was not.
 * - The proof is asked on every hit, by Effect's clock. When it does not hold, the token is verified again, whatever that
 *   gives. So a hit says what a verification would say now.
 * - Refusals are not kept: whoever sends forged tokens fills no memory, and crowds nobody out.
 * - Tokens that prove nobody any more are forgotten within a minute, when somebody is authenticated then, and else with the
 *   next who is: they hold the names of people.
 *
 * Fails with `InvalidOptions` when a bound is not a whole number of 0 or more.
 */
export const make = (
  prove: (credentials: Redacted.Redacted<string>) => Effect.Effect<Proof, NotAuthenticated | AuthenticatorUnavailable>,
  options: Options = {}
): Result.Result<Authenticator["Service"], InvalidOptions> => {
  const { tokens = DEFAULT.tokens, characters = DEFAULT.characters } = options
  if (!isCount(tokens) || !isCount(characters)) {
    return Result.fail(new InvalidOptions({ reason: "tokenCache must have whole numbers of 0 or more" }))
  }
  // Only this closure reaches the tokens: nobody can print them by printing the authenticator.
  const proofs = Recent.make<Proof>({ texts: tokens, characters })
  let sweptAt = -Infinity
  const sweep = (now: number) => {
    sweptAt = now
    proofs.retain((proof) => proof.holds(now))
  }
  return Result.succeed(
    Authenticator.of({
      authenticate: (credentials) =>
        Effect.withFiber((fiber) => {
          const token = Redacted.value(credentials)
          const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
          if (now - sweptAt >= SWEEP_EVERY) sweep(now)
          const known = proofs.find(token)
          const isHit = known?.holds(now) === true
          countLookup(isHit)
          if (isHit) return Effect.succeed(known.caller)
          return Effect.map(prove(credentials), (proof) => {
            proofs.keep(token, proof)
            return proof.caller
          })
        })
    })
  )
}
