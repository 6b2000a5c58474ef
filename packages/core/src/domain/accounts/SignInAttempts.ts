/** The rules by which failed sign-ins delay the next ones: guessing gets slow, while a network that did not fail never waits. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/** How many attempts of one network for one username may fail before it has to wait. */
const FREE_FAILURES = 5

/** The same, while many networks fail for that username. */
const FREE_FAILURES_OF_MANY = 2

/** How many networks that failed for one username are taken for one person's typing errors. */
const FEW_NETWORKS = 4

/** The first delay, which doubles with each failure, in milliseconds. */
const FIRST_DELAY = 1_000

/** The largest delay of a network while few networks fail for the username. */
const LARGEST_DELAY_OF_FEW = 60_000

/** How much each further network adds to the delay of all: together they have one attempt in this time. */
const INTERVAL = 30_000

/** How long attempts are remembered after the last one, and the largest delay: one day. */
export const SIGN_IN_MEMORY_MS = 24 * 60 * 60 * 1000

/**
 * How many milliseconds must pass between the last failed attempt of a network for a username and its next attempt. `failures` is how
 * many of its attempts failed since it last signed in, `networks` how many networks failed for this username, itself included.
 *
 * A network that has not failed never waits, whatever others do: an administrator who knows the password is admitted from a new network
 * at once. After its first two failures each, many networks have together at most one attempt in 30 seconds.
 */
export const signInDelay = (failures: number, networks: number): number => {
  const isAttacked = networks > FEW_NETWORKS
  const excess = failures - (isAttacked ? FREE_FAILURES_OF_MANY : FREE_FAILURES)
  if (excess < 0) return 0
  const largest = Math.min(Math.max(LARGEST_DELAY_OF_FEW, networks * INTERVAL), SIGN_IN_MEMORY_MS)
  return isAttacked ? largest : Math.min(FIRST_DELAY * 2 ** excess, largest)
}

/**
 * What stands for a username: an HMAC under a key, 32 characters long however long the username is. No two names have the same.
 */
export const makeUsernamePseudonyms =
  (key: Uint8Array) =>
  (username: string): string =>
    bytesToHex(hmac(sha256, key, utf8ToBytes(username)).subarray(0, 16))
