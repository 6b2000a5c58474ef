/** Applies `signInDelay` in one process, with a memory that attackers cannot fill. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import { makeUsernamePseudonyms, SIGN_IN_MEMORY_MS, signInDelay } from "../../domain/accounts/SignInAttempts.ts"

/** How many pairs of a username and a network are remembered. A pair is added by an attempt that was checked, which takes a hash. */
const MAX_PAIRS = 50_000

/** What one network did for one username. */
interface Attempts {
  readonly name: string
  /** How many attempts failed since the last sign-in. */
  failures: number
  /** How many are being checked: they count as failed until their outcome is known. */
  pending: number
  /** When the last one failed or succeeded, in milliseconds since the epoch. */
  last: number
  /** Whether the username signed in from there. */
  isKnown: boolean
}

/** What became of an attempt. One that was not checked is undone: no password was tried. */
export type SignInOutcome = "succeeded" | "failed" | "not checked"

const keyOf = (name: string, network: string): string => `${name} ${network}`

/**
 * Delays attempts to sign in, by username and network together (`signInDelay`). It is bounded: of more pairs than it holds, those that
 * were tried least recently are forgotten. Usernames stand under a keyed hash that takes 32 characters however long they are, so that
 * no two share an entry, and none can be computed.
 */
export class SignInThrottle {
  readonly #pseudonymOf = makeUsernamePseudonyms(SecureRandom.randomBytesUnsafe(32))
  /** By username and network, in the order of their last outcomes. */
  readonly #pairs = new Map<string, Attempts>()
  /** How many networks are remembered of each username that did not sign in from there. */
  readonly #strangers = new Map<string, number>()
  readonly #most: number

  constructor(most = MAX_PAIRS) {
    this.#most = most
  }

  /** How many pairs are remembered. */
  get size(): number {
    return this.#pairs.size
  }

  /** Whether the username signed in from there lately. */
  isKnown(username: string, network: string): boolean {
    return this.#pairs.get(keyOf(this.#pseudonymOf(username), network))?.isKnown ?? false
  }

  /** Admits an attempt, and answers 0, or after how many milliseconds it is admitted. An admitted attempt is settled later. */
  admit(username: string, network: string, now: number): number {
    const name = this.#pseudonymOf(username)
    this.#forgetOld(now)
    const before = this.#pairs.get(keyOf(name, network))
    if (before !== undefined) {
      const delay = signInDelay(before.failures + before.pending, before.isKnown ? 1 : this.#strangers.get(name)!)
      const wait = before.pending > 0 ? delay : Math.min(delay, before.last + delay - now)
      if (wait > 0) return wait
    }
    this.#remember(name, network).pending++
    return 0
  }

  /** Records the outcome of an admitted attempt. */
  settle(username: string, network: string, now: number, outcome: SignInOutcome): void {
    const name = this.#pseudonymOf(username)
    const key = keyOf(name, network)
    const attempts = this.#remember(name, network)
    // None is pending when the pair was forgotten in the meantime.
    attempts.pending = Math.max(0, attempts.pending - 1)
    if (outcome === "not checked") {
      if (attempts.failures + attempts.pending === 0 && !attempts.isKnown) this.#forget(key, attempts)
      return
    }
    attempts.last = now
    this.#pairs.delete(key)
    this.#pairs.set(key, attempts)
    if (outcome === "failed") {
      attempts.failures++
      return
    }
    attempts.failures = 0
    if (!attempts.isKnown) this.#countStranger(name, -1)
    attempts.isKnown = true
  }

  /** The attempts of a pair, which is added if it is new. */
  #remember(name: string, network: string): Attempts {
    const key = keyOf(name, network)
    const known = this.#pairs.get(key)
    if (known !== undefined) return known
    const attempts: Attempts = { name, failures: 0, pending: 0, last: 0, isKnown: false }
    this.#pairs.set(key, attempts)
    this.#countStranger(name, 1)
    if (this.#pairs.size > this.#most) this.#forget(...this.#pairs.entries().next().value!)
    return attempts
  }

  #forget(key: string, { name, isKnown }: Attempts): void {
    this.#pairs.delete(key)
    if (!isKnown) this.#countStranger(name, -1)
  }

  #countStranger(name: string, change: 1 | -1): void {
    const count = (this.#strangers.get(name) ?? 0) + change
    if (count === 0) this.#strangers.delete(name)
    else this.#strangers.set(name, count)
  }

  #forgetOld(now: number): void {
    for (const [key, attempts] of this.#pairs) {
      if (attempts.pending > 0 || Math.abs(now - attempts.last) < SIGN_IN_MEMORY_MS) return
      this.#forget(key, attempts)
    }
  }
}
