/** What hides stay ids: FF1 and AES, compared with other implementations. */
import { createCipheriv, createHmac } from "node:crypto"
import { FF1 } from "@noble/ciphers/ff1.js"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Redacted } from "effect"
import { makeAccessIds, makeFf1, makeTokenCipher, portableAes } from "../../../src/domain/keys/StayIdCipher.ts"
import { LARGEST_ISSUED_ID, LARGEST_LONG, StayId } from "../../../src/index.ts"
import { secretKey, integer, stayId } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const secretOf = (fill: number) => new Uint8Array(32).fill(fill)

const bitsOf = (number: number) => Array.from(number.toString(2).padStart(53, "0"), Number)
const numberOf = (bits: ReadonlyArray<number>) => parseInt(bits.join(""), 2)

/** The AES key of a purpose, by Node's HMAC. */
const aesKey = (secret: Uint8Array, purpose: string) =>
  Uint8Array.from(createHmac("sha256", secret).update(purpose).digest().subarray(0, 16))

describe("FF1", () => {
  it.prop(
    "of 53-bit numbers is that of the library with radix 2",
    { key: secretKey, numbers: Arbitrary.array(integer(0, Number.MAX_SAFE_INTEGER), { maxLength: 3 }) },
    ({ key, numbers }) => {
      const secret = Redacted.value(key.secret).slice(0, 16)
      const expected = numbers.map((number) => numberOf(FF1(2, secret).encrypt(bitsOf(number))))
      assert.deepStrictEqual(makeFf1(portableAes(secret))(numbers), expected)
    },
    trials(300)
  )
})

describe("the cipher of a token's block", () => {
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
})

describe("the ids of accesses", () => {
  it.prop(
    "are a permutation of what the service issues, from 1 to 2^53-1, and leave what no store issues as it is",
    { key: secretKey, one: stayId, other: stayId },
    ({ key, one, other }) => {
      const [ofOne, ofOther] = makeAccessIds(Redacted.value(key.secret))([one, other])
      assert.strictEqual(ofOne === ofOther, one === other)
      if (one > LARGEST_ISSUED_ID) assert.strictEqual(ofOne as bigint, one)
      else assert.isTrue(ofOne! >= 1n && ofOne! <= LARGEST_ISSUED_ID)
    },
    trials(1000)
  )

  it("begin with 1 and end with the last issued id, and leave what is beside these as it is", () => {
    const accessIds = makeAccessIds(secretOf(1))
    const beside = [0n, LARGEST_ISSUED_ID + 1n, LARGEST_LONG].map((id) => StayId.make(id))
    assert.deepStrictEqual(accessIds(beside) as ReadonlyArray<bigint>, beside)
    for (const id of [1n, LARGEST_ISSUED_ID]) assert.notStrictEqual(accessIds([StayId.make(id)])[0] as bigint, id)
  })

  it("give the stay whose number is encrypted to 0 what 0 is encrypted to", () => {
    const ff1 = FF1(2, aesKey(secretOf(1), "sojourn/access-id/1"))
    const toZero = numberOf(ff1.decrypt(bitsOf(0)))
    const ofZero = numberOf(ff1.encrypt(bitsOf(0)))
    assert.isAbove(Math.min(toZero, ofZero), 0)
    assert.strictEqual(makeAccessIds(secretOf(1))([StayId.make(BigInt(toZero))])[0] as bigint, BigInt(ofZero))
  })
})
