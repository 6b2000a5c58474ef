/** The cipher of stay ids: a permutation without visible order, checked statistically and with published vectors. */
import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import { halfSipHash, makeStayIdCipher } from "../../src/domain/StayIdCipher.ts"
import { AccessId, LARGEST_ISSUED_ID, LARGEST_LONG, StayId } from "../../src/index.ts"
import { exitTokenKey, stayId } from "@sojourn/testing"
import { trials } from "../trials.ts"

const cipherOf = (fill: number) => makeStayIdCipher(new Uint8Array(32).fill(fill))
const firstIds = Array.from({ length: 20_000 }, (_, i) => StayId.make(BigInt(i + 1)))

/** How many of the bits of `numbers` are set, for each of the 53 bits. */
const bitCounts = (numbers: ReadonlyArray<bigint>): ReadonlyArray<number> =>
  Array.from({ length: 53 }, (_, bit) => numbers.filter((number) => (number >> BigInt(bit)) & 1n).length)

/** By how many standard deviations a count of `n` fair coins is off. */
const deviations = (count: number, n: number) => Math.abs(count - n / 2) / Math.sqrt(n / 4)

describe("the cipher of stay ids", () => {
  it.prop(
    "is a permutation of what the service issues: it is undone, and answers ids from 1 to 2^53-1",
    { key: exitTokenKey, id: stayId },
    ({ key, id }) => {
      const cipher = makeStayIdCipher(Redacted.value(key.secret))
      const encrypted = cipher.encrypt(id)
      assert.strictEqual(cipher.decrypt(encrypted), id)
      assert.strictEqual(cipher.encrypt(cipher.decrypt(AccessId.make(id))) as bigint, id)
      if (id > LARGEST_ISSUED_ID) assert.strictEqual(encrypted as bigint, id)
      else assert.isTrue(encrypted >= 1n && encrypted <= LARGEST_ISSUED_ID)
    },
    trials(1000)
  )

  it("leaves what no store issues as it is, and what would be 0 takes the place of 0", () => {
    const cipher = cipherOf(1)
    for (const id of [0n, LARGEST_ISSUED_ID + 1n, LARGEST_LONG]) {
      assert.strictEqual(cipher.encrypt(StayId.make(id)) as bigint, id)
      assert.strictEqual(cipher.decrypt(AccessId.make(id)) as bigint, id)
    }
  })

  it("gives ids in a row no order, no common bits and no common difference", () => {
    const encrypted = firstIds.map(cipherOf(7).encrypt)
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

  it("is another permutation under another secret", () => {
    const [one, other] = [cipherOf(7), cipherOf(8)]
    assert.strictEqual(firstIds.filter((id) => one.encrypt(id) === other.encrypt(id)).length, 0)
  })

  it("uses HalfSipHash-2-4, as the vectors of its authors have it", () => {
    // Key 00 01 .. 07, message 00 01 02 03: 2a 6e 46 89.
    assert.strictEqual(halfSipHash(0x03020100, 0x07060504, 0x03020100) >>> 0, 0x89466e2a)
  })
})
