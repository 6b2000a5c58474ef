import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type * as Brand from "effect/Brand"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { AccessId, OrganizationId, StayId, UserId } from "./Ids.ts"
import { type Premises, premisesId } from "./Premises.ts"
import { makeStayIdCipher, type StayIdCipher } from "./StayIdCipher.ts"
import type { Webhook, WebhookSecretSource } from "./Webhook.ts"

/**
 * What an entrance gives and its exit needs; a secret of its owner (interface, section 2). 56 characters of
 * `A-Z a-z 0-9 - _`.
 *
 * A token is derived and never stored: base64url of key id (1 byte), organization id (8), encrypted stay id (8) and 25
 * bytes of HMAC-SHA256, under a key kept outside every store, over these and the premises. So a copy of the database holds
 * no token, a forged one is refused without asking the store, and an entrance that is repeated gets its token again. Tokens
 * do not tell in which order, or how far apart, their stays were opened.
 */
export type ExitToken = string & Brand.Brand<"ExitToken">

/** A key that tokens are derived with: an id from 0 to 255, and 32 or more secret bytes. */
export interface ExitTokenKey {
  readonly id: number
  readonly secret: Redacted.Redacted<Uint8Array>
}

const parseKey = (text: string): ExitTokenKey | undefined => {
  const match = /^(\d{1,3}):([A-Za-z0-9_-]+)$/.exec(text)
  const secret = Base64Url.decode(match?.[2] ?? "")
  return match === null || Result.isFailure(secret)
    ? undefined
    : { id: Number(match[1]), secret: Redacted.make(secret.success) }
}

/** Reads keys as operators write them: `id:secret` with the secret as base64url, separated by commas or white space. */
export const parseExitTokenKeys = (text: string): Option.Option<ReadonlyArray<ExitTokenKey>> => {
  const entries = text
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .map(parseKey)
  const keys = entries.filter((key) => key !== undefined)
  return keys.length === 0 || keys.length < entries.length ? Option.none() : Option.some(keys)
}

/** Where the stay of a token is. */
export interface StayLocator {
  readonly organizationId: OrganizationId
  readonly stayId: StayId
}

/** What a genuine token says: where its stay is, and the id of the access that the stay becomes. */
export interface RecognizedStay extends StayLocator {
  readonly accessId: AccessId
}

/** What stands for one Idempotency-Key of one user at one premises: it tells neither the user nor the key. */
export type RetryKey = string & Brand.Brand<"RetryKey">

const PREMISES_BYTES = 9
const LOCATOR_BYTES = 17
const MAC_BYTES = 25
const TOKEN_LENGTH = ((LOCATOR_BYTES + MAC_BYTES) * 4) / 3
const TOKEN_PURPOSE = utf8ToBytes("sojourn/exit-token/2")
/** Tokens with the plain stay id, which version 0.1.0 derived. They are recognized, and no longer derived. */
const PLAIN_TOKEN_PURPOSE = utf8ToBytes("sojourn/exit-token/1")
const RETRY_PURPOSE = utf8ToBytes("sojourn/retry-key/1")
const WEBHOOK_PURPOSE = utf8ToBytes("sojourn/webhook-secret/1")
const FINGERPRINT_PURPOSE = utf8ToBytes("sojourn/token-key-fingerprint/1")

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

/** The characters of base64url. */
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** The code of each of them. */
const CODES = Uint8Array.from(CHARACTERS, (character) => character.charCodeAt(0))

/** The token that is being written, one code for each character. */
const codes: Array<number> = Array.from({ length: TOKEN_LENGTH }, () => 0)

/** What each character stands for, by its code; -1 for all others. */
const SIX_BITS = new Int8Array(128).fill(-1)
CODES.forEach((code, bits) => (SIX_BITS[code] = bits))

/** The text of a token's bytes, by way of one array of character codes: every movement has one, and nothing is left over. */
const writeToken = (token: Uint8Array): ExitToken => {
  for (let at = 0, i = 0; at < token.length; at += 3, i += 4) {
    const three = (token[at]! << 16) | (token[at + 1]! << 8) | token[at + 2]!
    codes[i] = CODES[three >> 18]!
    codes[i + 1] = CODES[(three >> 12) & 63]!
    codes[i + 2] = CODES[(three >> 6) & 63]!
    codes[i + 3] = CODES[three & 63]!
  }
  return String.fromCharCode.apply(null, codes) as ExitToken
}

/** Writes the bytes of a token's text to `token`; false when it is no such text. Lists are made of many. */
const readToken = (text: string, token: Uint8Array): boolean => {
  if (text.length !== TOKEN_LENGTH) return false
  const bitsAt = (i: number) => SIX_BITS[text.charCodeAt(i)] ?? -1
  for (let i = 0, at = 0; i < TOKEN_LENGTH; i += 4, at += 3) {
    const three = (bitsAt(i) << 18) | (bitsAt(i + 1) << 12) | (bitsAt(i + 2) << 6) | bitsAt(i + 3)
    if (three < 0) return false
    token[at] = three >> 16
    token[at + 1] = three >> 8
    token[at + 2] = three
  }
  return true
}

/** Does the token end in the HMAC? The time it takes does not depend on where they differ. */
const isSameMac = (digest: Uint8Array, token: Uint8Array): boolean => {
  let difference = 0
  for (let i = 0; i < MAC_BYTES; i++) difference |= digest[i]! ^ token[LOCATOR_BYTES + i]!
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
  /** The stay of this token, when the token is genuine and of these premises. */
  readonly recognize: (premises: Premises, token: string) => Option.Option<RecognizedStay>
  /** What stands for a user's Idempotency-Key at some premises. */
  readonly retryKey: (userId: UserId, premises: Premises, idempotencyKey: string) => RetryKey
  /** The id of the access that a stay becomes, as callers see it. */
  readonly accessId: (stayId: StayId) => AccessId
  /** A secret of a webhook, or none when its key was retired. A webhook that gets the id of another one has other secrets. */
  readonly webhookSecret: (
    webhook: Pick<Webhook, "webhookId" | "organizationId" | "creationDate">,
    source: WebhookSecretSource
  ) => Option.Option<Redacted.Redacted<Uint8Array>>
}

/** What is computed once for each key. */
interface PreparedKey {
  readonly mac: ReturnType<typeof purposeMac>
  readonly plainMac: ReturnType<typeof purposeMac>
  readonly webhookMac: ReturnType<typeof purposeMac>
  readonly cipher: StayIdCipher
}

const purposeMac = ({ secret }: ExitTokenKey, purpose: Uint8Array) =>
  hmac.create(sha256, Redacted.value(secret)).update(purpose)

const prepare = (key: ExitTokenKey): PreparedKey => ({
  mac: purposeMac(key, TOKEN_PURPOSE),
  plainMac: purposeMac(key, PLAIN_TOKEN_PURPOSE),
  webhookMac: purposeMac(key, WEBHOOK_PURPOSE),
  cipher: makeStayIdCipher(Redacted.value(key.secret))
})

/**
 * The tokens of a set of keys: the first derives new tokens, all of them recognize theirs, and the one with the smallest
 * id makes the retry keys and the ids of accesses. To rotate while several servers work, give the new key a larger id, put
 * it behind the others on every server, and then in front on every server. Drop the old one when no stay of its is of
 * interest any more and no webhook's secret is derived with it: retry keys and ids of accesses are then others.
 */
export const makeExitTokenScheme = (keys: readonly [ExitTokenKey, ...ReadonlyArray<ExitTokenKey>]): ExitTokenScheme => {
  const prepared = new Map(keys.map((key) => [key.id, prepare(key)] as const))
  const oldest = keys.reduce((one, other) => (other.id < one.id ? other : one))
  const retryMac = purposeMac(oldest, RETRY_PURPOSE)
  const oldestPrepared = prepared.get(oldest.id)!
  const accessId = oldestPrepared.cipher.encrypt

  // Tokens are derived one after the other, in one place: the premises, and then the token.
  const bytes = new Uint8Array(PREMISES_BYTES + LOCATOR_BYTES + MAC_BYTES)
  const view = new DataView(bytes.buffer)
  const signed = bytes.subarray(0, PREMISES_BYTES + LOCATOR_BYTES)
  const token = bytes.subarray(PREMISES_BYTES)
  const scratch = sha256.create()
  const digest = new Uint8Array(scratch.outputLen)

  /** Writes the HMAC of the premises and the locator that stand in `bytes` to `digest`. */
  const sign = ({ iHash, oHash }: PreparedKey["mac"]): void => {
    // The two hashes of the HMAC in turn: copying and wiping both at once, as its own methods do, costs a tenth more.
    iHash._cloneInto(scratch).update(signed).digestInto(digest)
    oHash._cloneInto(scratch).update(digest).digestInto(digest)
  }

  /** The id at the stay's place in the token. */
  const idInToken = (): bigint => view.getBigUint64(PREMISES_BYTES + 9)

  /** The stay of the token in `bytes`, when the token is genuine under this key. */
  const verified = (key: PreparedKey): RecognizedStay | undefined => {
    const organizationId = view.getBigUint64(PREMISES_BYTES + 1) as OrganizationId
    const id = idInToken()
    sign(key.mac)
    if (isSameMac(digest, token)) {
      const stayId = key.cipher.decrypt(id as AccessId)
      // Under the oldest key, which most tokens have, the token holds the id of the access.
      return { organizationId, stayId, accessId: key === oldestPrepared ? (id as AccessId) : accessId(stayId) }
    }
    sign(key.plainMac)
    if (!isSameMac(digest, token)) return undefined
    return { organizationId, stayId: id as StayId, accessId: accessId(id as StayId) }
  }

  return {
    signingKeyId: keys[0].id,
    derive: (keyId, premises, { organizationId, stayId }) => {
      const key = prepared.get(keyId)
      if (key === undefined) return Option.none()
      writePremises(view, premises)
      view.setUint8(PREMISES_BYTES, keyId)
      view.setBigUint64(PREMISES_BYTES + 1, organizationId)
      view.setBigUint64(PREMISES_BYTES + 9, key.cipher.encrypt(stayId))
      sign(key.mac)
      token.set(digest.subarray(0, MAC_BYTES), LOCATOR_BYTES)
      return Option.some(writeToken(token))
    },
    recognize: (premises, text) => {
      if (!readToken(text, token)) return Option.none()
      const key = prepared.get(view.getUint8(PREMISES_BYTES))
      if (key === undefined) return Option.none()
      writePremises(view, premises)
      return Option.fromUndefinedOr(verified(key))
    },
    accessId,
    webhookSecret: ({ webhookId, organizationId, creationDate }, { keyId, number }) =>
      Option.map(Option.fromUndefinedOr(prepared.get(keyId)), ({ webhookMac }) => {
        const named = utf8ToBytes(`${webhookId}/${organizationId}/${creationDate}/${number}`)
        return Redacted.make(webhookMac.clone().update(named).digest())
      }),
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
