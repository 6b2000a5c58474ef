/** What hides stay ids: the standards, by published vectors and another implementation, and no visible order. */
import { createCipheriv, createHmac } from "node:crypto"
import { FF1 } from "@noble/ciphers/ff1.js"
import { assert, describe, it } from "@effect/vitest"
import { AES } from "@stablelib/aes"
import * as Redacted from "effect/Redacted"
import { makeAccessIds, makeFf1, makeTokenCipher } from "../../../src/domain/keys/StayIdCipher.ts"
import { LARGEST_ISSUED_ID, LARGEST_LONG, StayId } from "../../../src/index.ts"
import { secretKey, integer, stayId } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const secretOf = (fill: number) => new Uint8Array(32).fill(fill)
const firstIds = Array.from({ length: 20_000 }, (_, i) => StayId.make(BigInt(i + 1)))

const bitsOf = (number: number) => Array.from(number.toString(2).padStart(53, "0"), Number)
const numberOf = (bits: ReadonlyArray<number>) => parseInt(bits.join(""), 2)

/** The AES key of a purpose, by Node's HMAC. */
const aesKey = (secret: Uint8Array, purpose: string) =>
  Uint8Array.from(createHmac("sha256", secret).update(purpose).digest().subarray(0, 16))

/** How many of the bits of `numbers` are set, for each of the 53 bits. */
const bitCounts = (numbers: ReadonlyArray<bigint>): ReadonlyArray<number> =>
  Array.from({ length: 53 }, (_, bit) => numbers.filter((number) => (number >> BigInt(bit)) & 1n).length)

/** By how many standard deviations a count of `n` fair coins is off. */
const deviations = (count: number, n: number) => Math.abs(count - n / 2) / Math.sqrt(n / 4)

describe("FF1", () => {
  // NIST, "Block Cipher Modes: FF1 Samples", samples 1 to 3.
  it.each([
    ["2B7E151628AED2A6ABF7158809CF4F3C", 10, "", "0123456789", "2433477484"],
    ["2B7E151628AED2A6ABF7158809CF4F3C", 10, "39383736353433323130", "0123456789", "6124200773"],
    ["2B7E151628AED2A6ABF7158809CF4F3C", 36, "3737373770717273373737", "0123456789abcdefghi", "a9tv40mll9kdu509eum"]
  ])("of the library, with which ours is compared, gives the samples of NIST", (key, radix, tweak, plain, cipher) => {
    const digits = (text: string) => Array.from(text, (digit) => parseInt(digit, radix))
    const ff1 = FF1(radix, Uint8Array.from(Buffer.from(key, "hex")), Uint8Array.from(Buffer.from(tweak, "hex")))
    assert.deepStrictEqual(ff1.encrypt(digits(plain)), digits(cipher))
  })

  it.prop(
    "of 53-bit numbers is that of the library with radix 2",
    { key: secretKey, number: integer(0, Number.MAX_SAFE_INTEGER) },
    ({ key, number }) => {
      const secret = Redacted.value(key.secret).slice(0, 16)
      assert.strictEqual(makeFf1(secret)(number), numberOf(FF1(2, secret).encrypt(bitsOf(number))))
    },
    trials(300)
  )
})

describe("the cipher of a token's block", () => {
  it("is made of a library's functions that give the vector of FIPS 197, appendix C.1", () => {
    const key = Uint8Array.from({ length: 16 }, (_, i) => i)
    const plain = Uint8Array.from({ length: 16 }, (_, i) => i * 17)
    const aes = new AES(key)
    const block = new Uint8Array(16)
    aes.encryptBlock(plain, block)
    assert.strictEqual(Buffer.from(block).toString("hex"), "69c4e0d86a7b0430d8cdb78070b4c55a")
    aes.decryptBlock(block, block)
    assert.deepStrictEqual(block, plain)
  })

  it.prop(
    "is AES-128, as Node has it, and is undone",
    { key: secretKey, one: stayId, other: stayId },
    ({ key, one, other }) => {
      const secret = Redacted.value(key.secret)
      const cipher = makeTokenCipher(secret)
      const block = new Uint8Array(16)
      const view = new DataView(block.buffer)
      view.setBigUint64(0, one)
      view.setBigUint64(8, other)
      const plain = block.slice()
      cipher.encrypt(block)
      const node = createCipheriv("aes-128-ecb", aesKey(secret, "sojourn/exit-token-block/1"), null)
      assert.deepStrictEqual(block, Uint8Array.from(node.update(plain)))
      cipher.decrypt(block)
      assert.deepStrictEqual(block, plain)
    },
    trials()
  )

  it("has another key for each secret, and for each purpose", () => {
    const blocks = [1, 2].map((fill) => {
      const block = new Uint8Array(16)
      makeTokenCipher(secretOf(fill)).encrypt(block)
      return Buffer.from(block).toString("hex")
    })
    const plain = createCipheriv("aes-128-ecb", secretOf(1).slice(0, 16), null)
      .update(new Uint8Array(16))
      .toString("hex")
    assert.strictEqual(new Set([...blocks, plain]).size, 3)
  })
})

describe("the ids of accesses", () => {
  it.prop(
    "are a permutation of what the service issues, from 1 to 2^53-1, and leave what no store issues as it is",
    { key: secretKey, one: stayId, other: stayId },
    ({ key, one, other }) => {
      const accessId = makeAccessIds(Redacted.value(key.secret))
      assert.strictEqual(accessId(one) === accessId(other), one === other)
      if (one > LARGEST_ISSUED_ID) assert.strictEqual(accessId(one) as bigint, one)
      else assert.isTrue(accessId(one) >= 1n && accessId(one) <= LARGEST_ISSUED_ID)
    },
    trials(1000)
  )

  it("leave 0 and what is above the issued ids as they are", () => {
    const accessId = makeAccessIds(secretOf(1))
    for (const id of [0n, LARGEST_ISSUED_ID + 1n, LARGEST_LONG]) {
      assert.strictEqual(accessId(StayId.make(id)) as bigint, id)
    }
  })

  it("give the stay whose number is encrypted to 0 what 0 is encrypted to", () => {
    const ff1 = FF1(2, aesKey(secretOf(1), "sojourn/access-id/1"))
    const toZero = numberOf(ff1.decrypt(bitsOf(0)))
    const ofZero = numberOf(ff1.encrypt(bitsOf(0)))
    assert.isAbove(Math.min(toZero, ofZero), 0)
    assert.strictEqual(makeAccessIds(secretOf(1))(StayId.make(BigInt(toZero))) as bigint, BigInt(ofZero))
  })

  it("of stays in a row have no order, no common bits and no common difference", () => {
    const encrypted = firstIds.map(makeAccessIds(secretOf(7)))
    const n = firstIds.length - 1
    assert.strictEqual(new Set(encrypted).size, firstIds.length)
    const rising = encrypted.filter((id, i) => i > 0 && id > encrypted[i - 1]!).length
    // Of numbers in any order half are above the one before, with a variance of n / 12.
    assert.isBelow(Math.abs(rising - n / 2) / Math.sqrt(n / 12), 5)
    for (const count of bitCounts(encrypted)) assert.isBelow(deviations(count, firstIds.length), 5)
    const changes = encrypted.slice(1).map((id, i) => id ^ encrypted[i]!)
    for (const count of bitCounts(changes)) assert.isBelow(deviations(count, n), 5)
    assert.strictEqual(new Set(encrypted.slice(1).map((id, i) => id - encrypted[i]!)).size, n)
  })

  it("are other ones under another secret", () => {
    const [one, other] = [makeAccessIds(secretOf(7)), makeAccessIds(secretOf(8))]
    assert.strictEqual(firstIds.filter((id) => one(id) === other(id)).length, 0)
  })
})
