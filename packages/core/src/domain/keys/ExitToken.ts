import { equalBytes } from "@noble/ciphers/utils.js"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type * as Brand from "effect/Brand"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { AccessId, OrganizationId, StayId, UserId } from "../shared/Ids.ts"
import { type Premises, premisesId } from "../shared/Premises.ts"
import { type BlockCipher, makeAccessIds, makeTokenCipher } from "./StayIdCipher.ts"
import type { Webhook, WebhookSecretSource } from "../webhooks/Webhook.ts"

/**
 * What an entrance gives and its exit needs; a secret of its owner (spec: keys#token-form). 56 characters of
 * `A-Z a-z 0-9 - _`.
 *
 * A token is derived and never stored: base64url of key id (1 byte), organization and stay encrypted as one block by AES (16), and 25
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

/** What stands for one Idempotency-Key of one user at one premises: it tells neither the user nor the key. */
export type RetryKey = string & Brand.Brand<"RetryKey">

const PREMISES_BYTES = 9
const BLOCK_BYTES = 16
const LOCATOR_BYTES = 1 + BLOCK_BYTES
const MAC_BYTES = 25
const TOKEN_BYTES = LOCATOR_BYTES + MAC_BYTES
const TOKEN_LENGTH = (TOKEN_BYTES * 4) / 3
const TOKEN_PURPOSE = utf8ToBytes("sojourn/exit-token/1")
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
  readonly recognize: (premises: Premises, token: string) => Option.Option<StayLocator>
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
  readonly webhookMac: ReturnType<typeof purposeMac>
  readonly cipher: BlockCipher
}

const purposeMac = ({ secret }: ExitTokenKey, purpose: Uint8Array) =>
  hmac.create(sha256, Redacted.value(secret)).update(purpose)

const prepare = (key: ExitTokenKey): PreparedKey => ({
  mac: purposeMac(key, TOKEN_PURPOSE),
  webhookMac: purposeMac(key, WEBHOOK_PURPOSE),
  cipher: makeTokenCipher(Redacted.value(key.secret))
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
  const accessId = makeAccessIds(Redacted.value(oldest.secret))

  // Tokens are derived and recognized one after the other, in these places: what the HMAC is of, and the block before it is encrypted.
  const signed = new Uint8Array(PREMISES_BYTES + LOCATOR_BYTES)
  const signedView = new DataView(signed.buffer)
  const locator = signed.subarray(PREMISES_BYTES)
  const block = new Uint8Array(BLOCK_BYTES)
  const blockView = new DataView(block.buffer)

  /** The first bytes of the HMAC of the locator that stands in `signed`, at some premises. */
  const sign = ({ mac }: PreparedKey, premises: Premises): Uint8Array => {
    writePremises(signedView, premises)
    return mac.clone().update(signed).digest().subarray(0, MAC_BYTES)
  }

  return {
    signingKeyId: keys[0].id,
    derive: (keyId, premises, { organizationId, stayId }) => {
      const key = prepared.get(keyId)
      if (key === undefined) return Option.none()
      blockView.setBigUint64(0, organizationId)
      blockView.setBigUint64(8, stayId)
      key.cipher.encrypt(block)
      locator[0] = keyId
      locator.set(block, 1)
      const token = new Uint8Array(TOKEN_BYTES)
      token.set(locator)
      token.set(sign(key, premises), LOCATOR_BYTES)
      return Option.some(Base64Url.encode(token) as ExitToken)
    },
    recognize: (premises, text) => {
      if (text.length !== TOKEN_LENGTH) return Option.none()
      const decoded = Base64Url.decode(text)
      if (Result.isFailure(decoded) || decoded.success.length !== TOKEN_BYTES) return Option.none()
      const token = decoded.success
      const key = prepared.get(token[0]!)
      if (key === undefined) return Option.none()
      locator.set(token.subarray(0, LOCATOR_BYTES))
      if (!equalBytes(sign(key, premises), token.subarray(LOCATOR_BYTES))) return Option.none()
      block.set(locator.subarray(1))
      key.cipher.decrypt(block)
      return Option.some({
        organizationId: blockView.getBigUint64(0) as OrganizationId,
        stayId: blockView.getBigUint64(8) as StayId
      })
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
