import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { type AccessId, LARGEST_ISSUED_ID, type StayId } from "./Ids.ts"

/**
 * A keyed permutation of the ids from 1 to {@link LARGEST_ISSUED_ID}, which hides the order and the number of stays.
 *
 * Stay ids rise by one over all organizations, so two of them tell how many stays were opened between them. Callers see
 * encrypted ids alone. The store keeps the plain ones, which its indexes and batches want to rise.
 */
export interface StayIdCipher {
  readonly encrypt: (id: StayId) => AccessId
  readonly decrypt: (id: AccessId) => StayId
}

/**
 * The rounds of the Feistel network. Ids that rise by one are as good as chosen by the caller; with six rounds no attack is
 * known that needs less than all of the ids (J. Patarin, "Security of balanced and unbalanced Feistel schemes").
 */
const ROUNDS = 6

/** An id is 53 bits: 26 on the left and 27 on the right. */
const RIGHT_SIZE = 2 ** 27
const LEFT_MASK = 2 ** 26 - 1
const RIGHT_MASK = RIGHT_SIZE - 1
const LARGEST = Number(LARGEST_ISSUED_ID)

const PURPOSE = utf8ToBytes("sojourn/stay-id-cipher/1")

/**
 * HalfSipHash-2-4 of four bytes, with 32 bits of output (J.-P. Aumasson, D. J. Bernstein): a pseudorandom function in 32-bit
 * arithmetic, a twentieth of the cost of SHA-256 here. Lists of accesses need hundreds.
 *
 * @internal
 */
export const halfSipHash = (key0: number, key1: number, word: number): number => {
  let v0 = key0
  let v1 = key1
  let v2 = key0 ^ 0x6c796765
  let v3 = key1 ^ 0x74656462 ^ word
  // Two rounds for the word, two for the block of the length, four to finish.
  for (let round = 0; round < 8; round++) {
    if (round === 2) {
      v0 ^= word
      v3 ^= 4 << 24
    } else if (round === 4) {
      v0 ^= 4 << 24
      v2 ^= 0xff
    }
    v0 = (v0 + v1) | 0
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
    v0 = (v0 << 16) | (v0 >>> 16)
    v2 = (v2 + v3) | 0
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
    v0 = (v0 + v3) | 0
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
    v2 = (v2 + v1) | 0
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
    v2 = (v2 << 16) | (v2 >>> 16)
  }
  return v1 ^ v3
}

/** The permutation under a secret. Ids above {@link LARGEST_ISSUED_ID}, which no store issues, stay as they are. */
export const makeStayIdCipher = (secret: Uint8Array): StayIdCipher => {
  const keys = new Int32Array(2 * ROUNDS)
  for (let round = 0; round < ROUNDS; round++) {
    const digest = hmac(sha256, secret, concatBytes(PURPOSE, Uint8Array.of(round)))
    const view = new DataView(digest.buffer, digest.byteOffset)
    keys.set([view.getInt32(0), view.getInt32(4)], 2 * round)
  }
  const permute = (id: number, isForward: boolean): number => {
    let left = Math.floor(id / RIGHT_SIZE)
    let right = id - left * RIGHT_SIZE
    for (let step = 0; step < ROUNDS; step++) {
      const round = isForward ? step : ROUNDS - 1 - step
      const key0 = keys[2 * round]!
      const key1 = keys[2 * round + 1]!
      if (round % 2 === 0) left ^= halfSipHash(key0, key1, right) & LEFT_MASK
      else right ^= halfSipHash(key0, key1, left) & RIGHT_MASK
    }
    return left * RIGHT_SIZE + right
  }

  const walk = (id: bigint, isForward: boolean): bigint => {
    const number = Number(id)
    if (number < 1 || number > LARGEST) return id
    let permuted = permute(number, isForward)
    // No id is 0: the one that would be takes the place that 0 is sent to.
    if (permuted === 0) permuted = permute(0, isForward)
    return BigInt(permuted)
  }

  return {
    encrypt: (id) => walk(id, true) as AccessId,
    decrypt: (id) => walk(id, false) as StayId
  }
}
