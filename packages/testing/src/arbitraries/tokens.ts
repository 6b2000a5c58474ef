/** Random keys of exit tokens, and stays for tokens. */
import type { SecretKey, StayLocator } from "@sojourn/core"
import { Arbitrary, Redacted } from "effect"
import { integer, someOf } from "./choice.ts"
import { organizationId, stayId } from "./ids.ts"

const key = (id: number): Arbitrary.Arbitrary<SecretKey> =>
  Arbitrary.map(Arbitrary.array(integer(0, 255), { minLength: 32, maxLength: 64 }), (bytes) => ({
    id,
    secret: Redacted.make(Uint8Array.from(bytes))
  }))

/** One key. */
export const secretKey: Arbitrary.Arbitrary<SecretKey> = Arbitrary.flatMap(integer(0, 255), key)

/** One to four keys with different ids, of different secrets. */
export const secretKeys: Arbitrary.Arbitrary<readonly [SecretKey, ...ReadonlyArray<SecretKey>]> = Arbitrary.flatMap(
  someOf([0, 1, 128, 255]),
  ([first = 7, ...others]) =>
    Arbitrary.map(
      Arbitrary.all([key(first), Arbitrary.all(others.map(key))]),
      ([one, more]): readonly [SecretKey, ...ReadonlyArray<SecretKey>] => [one, ...more]
    )
)

/** Where a stay is. */
export const stayLocator: Arbitrary.Arbitrary<StayLocator> = Arbitrary.all({ organizationId, stayId })
