/** The AES of Node gives the ids of accesses that any platform gives. */
import { assert, it } from "@effect/vitest"
import { ExitTokens, layerSecretKeys, type StorageId, StorageIdentity } from "@sojourn/core"
import { secretKey, stayId } from "@sojourn/testing"
import { Arbitrary, Effect, Layer } from "effect"
import { layerNodeKeys } from "../src/keys/layerNodeKeys.ts"

const storage = Layer.succeed(StorageIdentity, { read: Effect.succeed("any" as StorageId) })

it.effect.prop(
  "the ids of accesses are those of the portable AES",
  { key: secretKey, stays: Arbitrary.array(stayId, { maxLength: 5 }) },
  ({ key, stays }) =>
    Effect.gen(function* () {
      const idsWith = (keys: ReturnType<typeof layerNodeKeys>) =>
        Effect.provide(
          Effect.gen(function* () {
            return (yield* yield* ExitTokens).accessIds(stays)
          }),
          Layer.provide(keys, storage)
        )
      assert.deepStrictEqual(yield* idsWith(layerNodeKeys([key])), yield* idsWith(layerSecretKeys([key])))
    })
)
