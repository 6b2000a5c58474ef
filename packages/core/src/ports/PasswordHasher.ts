import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { PasswordHash } from "../domain/Administrator.ts"

/** Makes hashes of passwords that take an attacker long to try, each with a salt of its own. */
export interface PasswordHashing {
  readonly hash: (password: Redacted.Redacted<string>) => Effect.Effect<PasswordHash>
  /** Is it the password that was hashed? It takes as long whether it is or not. */
  readonly verify: (password: Redacted.Redacted<string>, hash: PasswordHash) => Effect.Effect<boolean>
}

/**
 * How passwords of administrators are kept; none, where administrators sign in elsewhere and no password of theirs is
 * kept, which is so unless whoever composes the service says otherwise.
 */
export const PasswordHasher = Context.Reference<Option.Option<PasswordHashing>>("@sojourn/core/PasswordHasher", {
  defaultValue: Option.none
})
