/** Applies `signInDelay` in one process, with a memory that attackers cannot fill. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import { makeUsernamePseudonyms, SIGN_IN_MEMORY, signInDelay } from "../../domain/accounts/SignInAttempts.ts"

/** How many pairs of a username and a network are remembered. A pair is added by an attempt that was checked, which takes a hash. */
const MOST_PAIRS = 50_000

/** What one network did for one username. */
interface Attempts {
  /** How many attempts failed since the last sign-in. */
  failures: number
  /** How many are being checked: they count as failed until their outcome is known. */
  pending: number
  /** When the last one failed or succeeded, in milliseconds since the epoch. */
  last: number
  /** Whether the username signed in from there. */
  isKnown: boolean
}

/** What all networks did for one username, the least recently used first. */
interface Username {
  readonly networks: Map<string, Attempts>
  /** How many of them are known. */
  known: number
}

/** What became of an attempt. One that was not checked is undone: no password was tried. */
export type SignInOutcome = "succeeded" | "failed" | "not checked"

/**
 * Delays attempts to sign in, by username and network together (`signInDelay`). It is bounded: of more pairs than it holds, those of
 * the username that was least recently tried are forgotten. Usernames stand under a keyed hash that takes 32 characters however
 * long they are, so that no two share an entry, and none can be computed.
 */
export class SignInThrottle {
  readonly #pseudonymOf = makeUsernamePseudonyms(SecureRandom.randomBytesUnsafe(32))
  /** The least recently used first. */
  readonly #usernames = new Map<string, Username>()
  readonly #most: number
  #pairs = 0

  constructor(most = MOST_PAIRS) {
    this.#most = most
  }

  /** How many pairs are remembered. */
  get size(): number {
    return this.#pairs
  }

  /** Whether the username signed in from there lately. */
  isKnown(username: string, network: string): boolean {
    return this.#usernames.get(this.#pseudonymOf(username))?.networks.get(network)?.isKnown ?? false
  }

  /** Admits an attempt, and answers 0, or after how many milliseconds it is admitted. An admitted attempt is settled later. */
  admit(username: string, network: string, now: number): number {
    const name = this.#pseudonymOf(username)
    this.#forgetOld(name, now)
    for (const oldest of this.#usernames.keys()) if (!this.#forgetOld(oldest, now)) break
    const known = this.#usernames.get(name)
    const before = known?.networks.get(network)
    if (known !== undefined && before !== undefined) {
      const networks = before.isKnown ? 1 : known.networks.size - known.known
      const delay = signInDelay(before.failures + before.pending, networks)
      const wait = before.pending > 0 ? delay : Math.min(delay, before.last + delay - now)
      if (wait > 0) return wait
    }
    this.#touch(name, network).pending++
    this.#evict()
    return 0
  }

  /** Tells what became of an admitted attempt. */
  settle(username: string, network: string, now: number, outcome: SignInOutcome): void {
    const name = this.#pseudonymOf(username)
    const attempts = this.#touch(name, network)
    // None is pending when the pair was forgotten in the meantime.
    attempts.pending = Math.max(0, attempts.pending - 1)
    if (outcome === "not checked") {
      if (attempts.failures + attempts.pending === 0 && !attempts.isKnown) this.#forget(name, network)
      return
    }
    attempts.last = now
    if (outcome === "failed") {
      attempts.failures++
      return
    }
    attempts.failures = 0
    if (!attempts.isKnown) this.#usernames.get(name)!.known++
    attempts.isKnown = true
  }

  /** The attempts of a pair, which is the most recently used one from then on. */
  #touch(name: string, network: string): Attempts {
    const username = this.#usernames.get(name) ?? { networks: new Map<string, Attempts>(), known: 0 }
    let attempts = username.networks.get(network)
    if (attempts === undefined) {
      attempts = { failures: 0, pending: 0, last: 0, isKnown: false }
      this.#pairs++
    }
    this.#usernames.delete(name)
    this.#usernames.set(name, username)
    username.networks.delete(network)
    username.networks.set(network, attempts)
    return attempts
  }

  #forget(name: string, network: string): void {
    const username = this.#usernames.get(name)
    const attempts = username?.networks.get(network)
    if (username === undefined || attempts === undefined) return
    if (attempts.isKnown) username.known--
    username.networks.delete(network)
    if (username.networks.size === 0) this.#usernames.delete(name)
    this.#pairs--
  }

  /** Forgets what is over of a username, and answers whether nothing is left. */
  #forgetOld(name: string, now: number): boolean {
    for (const [network, { last, pending }] of this.#usernames.get(name)?.networks ?? []) {
      if (pending > 0 || last + SIGN_IN_MEMORY > now) return false
      this.#forget(name, network)
    }
    return true
  }

  #evict(): void {
    while (this.#pairs > this.#most) {
      const [name, { networks }] = this.#usernames.entries().next().value!
      this.#forget(name, networks.keys().next().value!)
    }
  }
}
