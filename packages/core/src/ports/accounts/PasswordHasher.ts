/** The port for hashes of passwords. They are slow on purpose, so it bounds how many are computed or wait. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { PasswordHash } from "../../domain/accounts/Administrator.ts"
import { TaggedError } from "../../domain/shared/TaggedError.ts"

/** Too many passwords wait to be hashed already: this one was refused without being tried. It may be asked again. */
export class PasswordsBusy extends TaggedError("PasswordsBusy", "the queue of password hashes is full")<{}> {}

/**
 * For whom a password is hashed. Keys take turns, so requests with one `fairnessKey` do not delay those with
 * others. Where the queue is full, the key that has most waiting loses its last request. Where all have as many, those that are not
 * `isTrusted` lose theirs to those that are, of which one has every second turn.
 */
export interface HashingRequester {
  readonly fairnessKey: string
  /** Proved in another way, or signed in from the same network lately. */
  readonly isTrusted: boolean
}

/**
 * Makes hashes of passwords that take an attacker long to try, each with a salt of its own. They take the service long as well, and
 * strangers ask for them: few are made at once, and few wait.
 */
export interface PasswordHashing {
  /** Hashes a password with a new salt. Fails with `PasswordsBusy` where the queue is full. */
  readonly hash: (
    password: Redacted.Redacted<string>,
    requester: HashingRequester
  ) => Effect.Effect<PasswordHash, PasswordsBusy>
  /** Whether this password was hashed. It takes equally long either way. Fails with `PasswordsBusy` where the queue is full. */
  readonly verify: (
    password: Redacted.Redacted<string>,
    hash: PasswordHash,
    requester: HashingRequester
  ) => Effect.Effect<boolean, PasswordsBusy>
  /** A hash that no password matches, for usernames without an account: its comparison takes as long as any other. */
  readonly dummy: PasswordHash
}

/**
 * How passwords of administrators are kept; none, where administrators sign in elsewhere and no password of theirs is
 * kept, which is the default.
 */
export const PasswordHasher = Context.Reference<Option.Option<PasswordHashing>>("@sojourn/core/PasswordHasher", {
  defaultValue: Option.none
})
