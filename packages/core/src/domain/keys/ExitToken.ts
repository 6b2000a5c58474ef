import { utf8ToBytes } from "@noble/hashes/utils.js"
import { equal } from "@stablelib/constant-time"
import type * as Brand from "effect/Brand"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { AccessId, OrganizationId, StayId, UserId } from "../shared/Ids.ts"
import { type Premises, premisesId } from "../shared/Premises.ts"
import { purposeMac, type SecretKey } from "./SecretKey.ts"
import { type AccessPositions, makeAccessPositions } from "./AccessPositions.ts"
import { type BlockCipher, makeAccessIds, type MakeAes, makeTokenCipher } from "./StayIdCipher.ts"

/**
 * What an entrance gives and its exit needs; a secret of its owner (spec: keys#token-form). 56 characters of
 * `A-Z a-z 0-9 - _`.
 *
 * A token is derived and never stored: base64url of key id (1 byte), organization and stay encrypted as one block by AES (16), and 25
 * bytes of HMAC-SHA256, under a key kept outside every store, over these and the premises. So a copy of the database holds
 * no token, a forged one is refused without asking the store, and an entrance that is repeated gets its token again. Tokens
 * do not reveal in which order, or how far apart, their stays were opened.
 */
export type ExitToken = string & Brand.Brand<"ExitToken">

/** Where the stay of a token is. */
export interface StayLocator {
  readonly organizationId: OrganizationId
  readonly stayId: StayId
}

/** What stands for one Idempotency-Key of one user at one premises: it reveals neither the user nor the key. */
export type RetryKey = string & Brand.Brand<"RetryKey">

const PREMISES_BYTES = 9
const BLOCK_BYTES = 16
const LOCATOR_BYTES = 1 + BLOCK_BYTES
const MAC_BYTES = 25
const HMAC_BYTES = 32
const TOKEN_BYTES = LOCATOR_BYTES + MAC_BYTES
const TOKEN_LENGTH = (TOKEN_BYTES * 4) / 3
/** The offset of the block in the buffer of a scheme, behind the premises and the key id. */
const BLOCK_AT = PREMISES_BYTES + 1
const TOKEN_PURPOSE = utf8ToBytes("sojourn/exit-token/1")
const RETRY_PURPOSE = utf8ToBytes("sojourn/retry-key/1")

const PREMISES_KIND = { OrganizationPremises: 1, PlacePremises: 2 } as const

const writePremises = (view: DataView, premises: Premises): void => {
  view.setUint8(0, PREMISES_KIND[premises._tag])
  view.setBigUint64(1, premisesId(premises))
}

const premisesBytes = (premises: Premises): Uint8Array => {
  const bytes = new Uint8Array(PREMISES_BYTES)
  writePremises(new DataView(bytes.buffer), premises)
  return bytes
}

const lengthAndText = (value: string): Uint8Array => {
  const encoded = utf8ToBytes(value)
  const bytes = new Uint8Array(4 + encoded.length)
  new DataView(bytes.buffer).setUint32(0, encoded.length)
  bytes.set(encoded, 4)
  return bytes
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

const CODES = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0))

/** The six bits of each character by its code; 64 where it is none of base64url. */
const SIX_BITS = Uint8Array.from({ length: 128 }, (_, code) => (ALPHABET.indexOf(String.fromCharCode(code)) + 65) % 65)

/** The codes of a token's characters. */
const codes = new Uint8Array(TOKEN_LENGTH)

/**
 * The bytes of a token as base64url. This and {@link decodeToken} take a quarter of the time of `Base64Url` of effect, which was 0.6 of the
 * 29 us of a movement (2026-11-29). Look again when all supported platforms have `Uint8Array.fromBase64`.
 */
const encodeToken = (bytes: Uint8Array): string => {
  for (let from = 0, to = 0; from < TOKEN_BYTES; from += 3, to += 4) {
    const bits = (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!
    codes[to] = CODES[bits >> 18]!
    codes[to + 1] = CODES[(bits >> 12) & 63]!
    codes[to + 2] = CODES[(bits >> 6) & 63]!
    codes[to + 3] = CODES[bits & 63]!
  }
  // Spreading would make an array first.
  return String.fromCharCode.apply(null, codes as unknown as Array<number>)
}

/** Decodes a text of {@link TOKEN_LENGTH} characters; undefined where it is no base64url. */
const decodeToken = (text: string): Uint8Array | undefined => {
  const bytes = new Uint8Array(TOKEN_BYTES)
  for (let from = 0, to = 0; from < TOKEN_LENGTH;) {
    let bits = 0
    for (const end = from + 4; from < end; from++) {
      const six = SIX_BITS[text.charCodeAt(from)] ?? 64
      if (six === 64) return undefined
      bits = (bits << 6) | six
    }
    bytes[to++] = bits >> 16
    bytes[to++] = bits >> 8
    bytes[to++] = bits
  }
  return bytes
}

/** Derives exit tokens and retry keys, and recognizes the tokens that it derived. */
export interface ExitTokenScheme {
  /** The id of the key that new stays' tokens are derived with; it is kept with the stay. */
  readonly signingKeyId: number
  /** The token of a stay, or none when its key was retired. */
  readonly derive: (keyId: number, premises: Premises, stay: StayLocator) => Option.Option<ExitToken>
  /** The stay of this token, when the token is genuine and of these premises. */
  readonly recognize: (premises: Premises, token: string) => Option.Option<StayLocator>
  /** The stay of this token as it says, if its key is known. Whether it is genuine is known with its premises, by `recognize`. */
  readonly locate: (token: string) => Option.Option<StayLocator>
  /** What stands for a user's Idempotency-Key at some premises. */
  readonly retryKey: (userId: UserId, premises: Premises, idempotencyKey: string) => RetryKey
  /** The ids of the accesses that stays become, as callers see them. */
  readonly accessIds: (stayIds: ReadonlyArray<StayId>) => ReadonlyArray<AccessId>
  /** The positions in lists of accesses, under the same key as their ids. */
  readonly positions: AccessPositions
}

/** What is computed once for each key. */
interface PreparedKey {
  readonly mac: ReturnType<typeof purposeMac>
  readonly cipher: BlockCipher
}

const prepare = (key: SecretKey): PreparedKey => ({
  mac: purposeMac(key, TOKEN_PURPOSE),
  cipher: makeTokenCipher(Redacted.value(key.secret))
})

/**
 * The tokens of a set of keys: the first derives new tokens, all of them recognize theirs, and the one with the smallest
 * id makes the retry keys and the ids of accesses. To rotate while several servers work, give the new key a larger id, put
 * it behind the others on every server, and then in front on every server. Drop the old one when no stay of its is of
 * interest any more and no webhook's secret is derived with it: retry keys and ids of accesses are then others.
 */
export const makeExitTokenScheme = (
  keys: readonly [SecretKey, ...ReadonlyArray<SecretKey>],
  makeAes?: MakeAes
): ExitTokenScheme => {
  const prepared = new Map(keys.map((key) => [key.id, prepare(key)] as const))
  const oldest = keys.reduce((one, other) => (other.id < one.id ? other : one))
  const retryMac = purposeMac(oldest, RETRY_PURPOSE)
  const accessIds = makeAccessIds(Redacted.value(oldest.secret), makeAes)

  // One buffer and one state for all tokens, which are derived and recognized synchronously. The buffer holds the premises, the token,
  // and the rest of its HMAC.
  const buffer = new ArrayBuffer(PREMISES_BYTES + LOCATOR_BYTES + HMAC_BYTES)
  const view = new DataView(buffer)
  const signed = new Uint8Array(buffer, 0, PREMISES_BYTES + LOCATOR_BYTES)
  const token = new Uint8Array(buffer, PREMISES_BYTES, TOKEN_BYTES)
  const block = new Uint8Array(buffer, BLOCK_AT, BLOCK_BYTES)
  const signature = new Uint8Array(buffer, BLOCK_AT + BLOCK_BYTES, HMAC_BYTES)
  const state = retryMac.clone()

  /** Writes the HMAC of some premises and of the locator in the buffer behind that locator. */
  const sign = ({ mac }: PreparedKey, premises: Premises): void => {
    writePremises(view, premises)
    mac._cloneInto(state).update(signed).digestInto(signature)
  }

  /** Decodes a token; undefined for a text that is none of these keys. */
  const decode = (text: string) => {
    if (text.length !== TOKEN_LENGTH) return undefined
    const bytes = decodeToken(text)
    const key = bytes && prepared.get(bytes[0]!)
    return key && { bytes, key }
  }

  /** Decrypts the locator of the token in the buffer. */
  const readLocator = ({ cipher }: PreparedKey): StayLocator => {
    cipher.decrypt(block)
    return {
      organizationId: view.getBigUint64(BLOCK_AT) as OrganizationId,
      stayId: view.getBigUint64(BLOCK_AT + 8) as StayId
    }
  }

  return {
    signingKeyId: keys[0].id,
    derive: (keyId, premises, { organizationId, stayId }) => {
      const key = prepared.get(keyId)
      if (key === undefined) return Option.none()
      view.setBigUint64(BLOCK_AT, organizationId)
      view.setBigUint64(BLOCK_AT + 8, stayId)
      key.cipher.encrypt(block)
      token[0] = keyId
      sign(key, premises)
      return Option.some(encodeToken(token) as ExitToken)
    },
    recognize: (premises, text) => {
      const decoded = decode(text)
      if (decoded === undefined) return Option.none()
      token.set(decoded.bytes)
      sign(decoded.key, premises)
      return equal(token, decoded.bytes) ? Option.some(readLocator(decoded.key)) : Option.none()
    },
    locate: (text) => {
      const decoded = decode(text)
      if (decoded === undefined) return Option.none()
      token.set(decoded.bytes)
      return Option.some(readLocator(decoded.key))
    },
    accessIds,
    positions: makeAccessPositions(oldest),
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
