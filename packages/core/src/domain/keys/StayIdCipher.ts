/**
 * Hides stay ids from callers. Stay ids mostly rise by one over all organizations of a cell, so two of them reveal how many stays were
 * opened between them. The store keeps the plain ids: rows of neighbouring ids are written to the same pages.
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { AES } from "@stablelib/aes"
import { type AccessId, LARGEST_ISSUED_ID, type StayId } from "../shared/Ids.ts"

/** The AES-128 key of a purpose, derived from a token key's secret. */
const aesKey = (secret: Uint8Array, purpose: string): Uint8Array =>
  hmac(sha256, secret, utf8ToBytes(purpose)).slice(0, 16)

/** AES-128 (FIPS 197) on single blocks of 16 bytes, in place. */
export interface BlockCipher {
  readonly encrypt: (block: Uint8Array) => void
  readonly decrypt: (block: Uint8Array) => void
}

/** The cipher of a token's block, which holds the organization and the stay: one block for a stay, so that no mode is needed. */
export const makeTokenCipher = (secret: Uint8Array): BlockCipher => {
  const key = aesKey(secret, "sojourn/exit-token-block/1")
  const aes = new AES(key)
  return {
    encrypt: (block) => void aes.encryptBlock(block, block),
    decrypt: (block) => void aes.decryptBlock(block, block)
  }
}

const BITS = 53
const RIGHT_BITS = 27
const RIGHT_SIZE = 2 ** RIGHT_BITS
const MASKS = [2 ** (BITS - RIGHT_BITS) - 1, RIGHT_SIZE - 1] as const

/** The block P of FF1 for radix 2, 53 digits, of which 26 are on the left, and no tweak. */
const PARAMETERS = Uint8Array.of(1, 2, 1, 0, 0, 2, 10, BITS - RIGHT_BITS, 0, 0, 0, BITS, 0, 0, 0, 0)

/**
 * Format-preserving encryption of 53-bit numbers by FF1 (NIST SP 800-38G) with AES-128, radix 2 and no tweak.
 *
 * `FF1` of `@noble/ciphers` gives the same numbers, which a test compares, in 30 times the time: 42 us for each access of a list,
 * against 1.6 (2026-11-25). Look again when that package takes numbers in place of arrays of digits.
 *
 * @internal
 */
export const makeFf1 = (key: Uint8Array): ((number: number) => number) => {
  const aes = new AES(key)
  const first = new Uint8Array(16)
  aes.encryptBlock(PARAMETERS, first)
  const block = new Uint8Array(16)
  const view = new DataView(block.buffer)
  return (number) => {
    let left = Math.floor(number / RIGHT_SIZE)
    let right = number - left * RIGHT_SIZE
    for (let round = 0; round < 10; round++) {
      // The block Q: 11 bytes 0, the round, and the right half as four bytes. Of the result the low bits of bytes 4 to 7 count.
      block.set(first)
      view.setUint32(8, view.getUint32(8) ^ round)
      view.setUint32(12, view.getUint32(12) ^ right)
      aes.encryptBlock(block, block)
      const sum = (left + view.getUint32(4)) & MASKS[round % 2]!
      left = right
      right = sum
    }
    return left * RIGHT_SIZE + right
  }
}

/**
 * The ids of accesses: a keyed permutation of the ids from 1 to {@link LARGEST_ISSUED_ID}. Ids above it, which no store issues, stay as
 * they are.
 */
export const makeAccessIds = (secret: Uint8Array): ((id: StayId) => AccessId) => {
  const encrypt = makeFf1(aesKey(secret, "sojourn/access-id/1"))
  return (id) => {
    if (id < 1n || id > LARGEST_ISSUED_ID) return id as bigint as AccessId
    // No id is 0: the one that would be is encrypted again.
    return BigInt(encrypt(Number(id)) || encrypt(0)) as AccessId
  }
}
