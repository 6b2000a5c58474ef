import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type * as Brand from "effect/Brand"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { OrganizationId, StayId, UserId } from "./Ids.ts"
import { type Premises, premisesId } from "./Premises.ts"

/**
 * What an entrance gives and its exit needs; a secret of its owner (interface, section 2). 56 characters of
 * `A-Z a-z 0-9 - _`.
 *
 * A token is derived and never stored: base64url of key id (1 byte), organization id (8), stay id (8) and 25 bytes of
 * HMAC-SHA256, under a key kept outside every store, over these and the premises. So a copy of the database holds no
 * token, a forged one is refused without asking the store, and an entrance that is repeated gets its token again.
 */
export type ExitToken = string & Brand.Brand<"ExitToken">

/** A key that tokens are derived with: an id from 0 to 255, and 32 or more secret bytes. */
export interface ExitTokenKey {
  readonly id: number
  readonly secret: Redacted.Redacted<Uint8Array>
}

/** Where the stay of a token is: what a token says once it is known to be genuine. */
export interface StayLocator {
  readonly organizationId: OrganizationId
  readonly stayId: StayId
}

/** What stands for one Idempotency-Key of one user at one premises: it tells neither the user nor the key. */
export type RetryKey = string & Brand.Brand<"RetryKey">

const LOCATOR_BYTES = 17
const MAC_BYTES = 25
const TOKEN_LENGTH = ((LOCATOR_BYTES + MAC_BYTES) * 4) / 3
const TOKEN_PURPOSE = utf8ToBytes("sojourn/exit-token/1")
const RETRY_PURPOSE = utf8ToBytes("sojourn/retry-key/1")
const FINGERPRINT_PURPOSE = utf8ToBytes("sojourn/token-key-fingerprint/1")

const PREMISES_KIND = { OrganizationPremises: 1, PlacePremises: 2 } as const

const premisesBytes = (premises: Premises): Uint8Array => {
  const bytes = new Uint8Array(9)
  bytes[0] = PREMISES_KIND[premises._tag]
  new DataView(bytes.buffer).setBigUint64(1, premisesId(premises))
  return bytes
}

const lengthAndText = (value: string): Uint8Array => {
  const encoded = utf8ToBytes(value)
  const bytes = new Uint8Array(4 + encoded.length)
  new DataView(bytes.buffer).setUint32(0, encoded.length)
  bytes.set(encoded, 4)
  return bytes
}

/** Compares in a time that depends on the length alone. */
const sameText = (one: string, other: string): boolean => {
  if (one.length !== other.length) return false
  let difference = 0
  for (let i = 0; i < one.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i)
  return difference === 0
}

/** Tells a key from others and gives nothing of it away: what a store may keep, to notice that it is used with another. */
export const fingerprintOf = (key: ExitTokenKey): string =>
  Base64Url.encode(hmac(sha256, Redacted.value(key.secret), FINGERPRINT_PURPOSE))

/** Derives exit tokens and retry keys, and recognizes the tokens that it derived. */
export interface ExitTokenScheme {
  /** The id of the key that new stays' tokens are derived with; it is kept with the stay. */
  readonly signingKeyId: number
  /** The token of a stay, or none when its key was retired. */
  readonly derive: (keyId: number, premises: Premises, stay: StayLocator) => Option.Option<ExitToken>
  /** Where the stay of this token is, when the token is genuine and of these premises. */
  readonly recognize: (premises: Premises, token: string) => Option.Option<StayLocator>
  /** What stands for a user's Idempotency-Key at some premises. */
  readonly retryKey: (userId: UserId, premises: Premises, idempotencyKey: string) => RetryKey
}

/**
 * The tokens of a set of keys: the first derives new tokens, all of them recognize theirs, and the last one makes the
 * retry keys. To rotate, put a new key in front, and drop the last one when no stay of its is of interest any more.
 */
export const makeExitTokenScheme = (keys: readonly [ExitTokenKey, ...ReadonlyArray<ExitTokenKey>]): ExitTokenScheme => {
  const macs = new Map(
    keys.map((key) => [key.id, hmac.create(sha256, Redacted.value(key.secret)).update(TOKEN_PURPOSE)] as const)
  )
  const oldest = keys[keys.length - 1] ?? keys[0]
  const retryMac = hmac.create(sha256, Redacted.value(oldest.secret)).update(RETRY_PURPOSE)

  const derive = (keyId: number, premises: Premises, stay: StayLocator): Option.Option<ExitToken> => {
    const mac = macs.get(keyId)
    if (mac === undefined) return Option.none()
    const bytes = new Uint8Array(LOCATOR_BYTES + MAC_BYTES)
    const view = new DataView(bytes.buffer)
    bytes[0] = keyId
    view.setBigUint64(1, stay.organizationId)
    view.setBigUint64(9, stay.stayId)
    const digest = mac.clone().update(premisesBytes(premises)).update(bytes.subarray(0, LOCATOR_BYTES)).digest()
    bytes.set(digest.subarray(0, MAC_BYTES), LOCATOR_BYTES)
    return Option.some(Base64Url.encode(bytes) as ExitToken)
  }

  return {
    signingKeyId: keys[0].id,
    derive,
    recognize: (premises, token) => {
      if (token.length !== TOKEN_LENGTH) return Option.none()
      const decoded = Base64Url.decode(token)
      if (Result.isFailure(decoded) || decoded.success.length !== LOCATOR_BYTES + MAC_BYTES) return Option.none()
      const view = new DataView(decoded.success.buffer, decoded.success.byteOffset)
      const stay: StayLocator = {
        organizationId: view.getBigUint64(1) as OrganizationId,
        stayId: view.getBigUint64(9) as StayId
      }
      const genuine = derive(view.getUint8(0), premises, stay)
      return Option.isSome(genuine) && sameText(genuine.value, token) ? Option.some(stay) : Option.none()
    },
    retryKey: (userId, premises, idempotencyKey) =>
      Base64Url.encode(
        retryMac
          .clone()
          .update(premisesBytes(premises))
          .update(lengthAndText(userId))
          .update(lengthAndText(idempotencyKey))
          .digest()
      ) as RetryKey
  }
}
