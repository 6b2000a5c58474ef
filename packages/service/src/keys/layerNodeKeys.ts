import { createCipheriv } from "node:crypto"
import { Aes128, layerSecretKeys, type SecretKey } from "@sojourn/core"
import { Layer } from "effect"

const aes128 = (key: Uint8Array) => {
  // Its blocks are numbers, each of which is encrypted by itself: no mode is needed.
  const cipher = createCipheriv("aes-128-ecb", key, null).setAutoPadding(false)
  return (blocks: Uint8Array) => blocks.set(cipher.update(blocks))
}

/** {@link layerSecretKeys} with the AES of Node. */
export const layerNodeKeys = (keys: ReadonlyArray<SecretKey>) =>
  Layer.provide(layerSecretKeys(keys), Layer.succeed(Aes128, aes128))
