import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type * as Brand from "effect/Brand"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/**
 * A key of the operator: an id from 0 to 255, and 32 or more secret bytes. Exit tokens, retry keys, ids of accesses and secrets of webhooks
 * are derived with it, each for a purpose of its own.
 */
export interface SecretKey {
  readonly id: number
  readonly secret: Redacted.Redacted<Uint8Array>
}

const parseKey = (text: string): SecretKey | undefined => {
  const match = /^(\d{1,3}):([A-Za-z0-9_-]+)$/.exec(text)
  const secret = Base64Url.decode(match?.[2] ?? "")
  return match === null || Result.isFailure(secret)
    ? undefined
    : { id: Number(match[1]), secret: Redacted.make(secret.success) }
}

/** Reads keys as operators write them: `id:secret` with the secret as base64url, separated by commas or white space. */
export const parseSecretKeys = (text: string): Option.Option<ReadonlyArray<SecretKey>> => {
  const entries = text
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .map(parseKey)
  const keys = entries.filter((key) => key !== undefined)
  return keys.length === 0 || keys.length < entries.length ? Option.none() : Option.some(keys)
}

/** Tells a storage from all others: random, made with it, and the same in its backups and its cells. It is no secret. */
export type StorageId = string & Brand.Brand<"StorageId">

const STORAGE_PURPOSE = utf8ToBytes("sojourn/storage-key/1")

/** The key that takes the place of an operator's key on one storage: two storages with the same keys share nothing that is derived. */
export const keyOfStorage = (key: SecretKey, storage: StorageId): SecretKey => ({
  id: key.id,
  secret: Redacted.make(purposeMac(key, STORAGE_PURPOSE).update(utf8ToBytes(storage)).digest())
})

/** The HMAC-SHA256 of a key for one purpose: what is derived for one purpose says nothing of another. */
export const purposeMac = ({ secret }: SecretKey, purpose: Uint8Array) =>
  hmac.create(sha256, Redacted.value(secret)).update(purpose)

const FINGERPRINT_PURPOSE = utf8ToBytes("sojourn/token-key-fingerprint/1")

/**
 * Distinguishes a key from others and reveals nothing of it: what a store may keep, to notice that it is used with another.
 */
export const fingerprintOf = (key: SecretKey): string =>
  Base64Url.encode(hmac(sha256, Redacted.value(key.secret), FINGERPRINT_PURPOSE))
