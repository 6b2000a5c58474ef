/** The derivation and recognition of exit tokens and retry keys, with Node's HMAC and AES as the reference. */
import { createCipheriv, createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import {
  type SecretKey,
  fingerprintOf,
  keyOfStorage,
  makeExitTokenScheme,
  makeWebhookSecretScheme,
  OrganizationId,
  OrganizationPremises,
  PlaceId,
  PlacePremises,
  type Premises,
  premisesId,
  samePremises,
  StayId,
  type StayLocator,
  type StorageId,
  Timestamp,
  WebhookId
} from "../../../src/index.ts"
import { makeAccessIds } from "../../../src/domain/keys/StayIdCipher.ts"
import { secretKey, secretKeys, integer, premises, stayId, stayLocator, text, userId } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const key = (id: number, fill: number): SecretKey => ({ id, secret: Redacted.make(new Uint8Array(32).fill(fill)) })
const place = PlacePremises(PlaceId.make(3n))
const stay = { organizationId: OrganizationId.make(1n), stayId: StayId.make(2n) }

const twin = (premises: Premises): Premises =>
  premises._tag === "PlacePremises"
    ? OrganizationPremises(OrganizationId.make(premisesId(premises)))
    : PlacePremises(PlaceId.make(premisesId(premises)))

/** Node's own HMAC, as another implementation to compare with. */
const macUnder = (key: SecretKey, ...parts: ReadonlyArray<string | Buffer>) =>
  parts.reduce((mac, part) => mac.update(part), createHmac("sha256", Redacted.value(key.secret))).digest()
const long = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}
const bytesOf = (premises: Premises) =>
  Buffer.concat([Buffer.of(premises._tag === "OrganizationPremises" ? 1 : 2), long(premisesId(premises))])
const lengthAndText = (value: string) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(Buffer.byteLength(value))
  return Buffer.concat([bytes, Buffer.from(value)])
}

/** Node's own AES, as another implementation to compare with. */
const encryptedBlock = (key: SecretKey, { organizationId, stayId }: StayLocator) => {
  const aes = createCipheriv("aes-128-ecb", macUnder(key, "sojourn/exit-token-block/1").subarray(0, 16), null)
  return aes.setAutoPadding(false).update(Buffer.concat([long(organizationId), long(stayId)]))
}

const oldestOf = (keys: ReadonlyArray<SecretKey>) => [...keys].sort((one, other) => one.id - other.id)[0]!

const sameSecret = (one: SecretKey, other: SecretKey) =>
  String(Redacted.value(one.secret)) === String(Redacted.value(other.secret))

describe("a key of one storage", () => {
  it.prop(
    "is an HMAC of the storage's identity, so that another storage has another one",
    { key: secretKey, one: text(0, 40), other: text(0, 40) },
    ({ key, one, other }) => {
      const [mine, theirs] = [keyOfStorage(key, one as StorageId), keyOfStorage(key, other as StorageId)]
      assert.strictEqual(mine.id, key.id)
      assert.deepStrictEqual(Buffer.from(Redacted.value(mine.secret)), macUnder(key, "sojourn/storage-key/1", one))
      assert.strictEqual(sameSecret(mine, theirs), one === other)
    },
    trials(50)
  )
})

describe("an exit token", () => {
  it.prop(
    "says where its stay is, at its own premises, to the keys that it was derived with",
    { keys: secretKeys, premises, stay: stayLocator, nth: integer(0, 3) },
    ({ keys, premises, stay, nth }) => {
      const scheme = makeExitTokenScheme(keys)
      assert.strictEqual(scheme.signingKeyId, keys[0].id)
      const { id } = keys[nth % keys.length]!
      const token = Option.getOrThrow(scheme.derive(id, premises, stay))
      assert.deepStrictEqual(Option.getOrUndefined(scheme.recognize(premises, token)), stay)
      assert.deepStrictEqual(Option.getOrUndefined(scheme.locate(token)), stay)
      assert.strictEqual(Option.getOrThrow(scheme.derive(id, premises, stay)), token, "derived again it is the same")
    },
    trials()
  )

  it.prop(
    "is the base64url of its key, the encrypted block of its organization and stay, and an HMAC of these and the premises",
    { key: secretKey, premises, stay: stayLocator },
    ({ key, premises, stay }) => {
      const locator = Buffer.concat([Buffer.of(key.id), encryptedBlock(key, stay)])
      const mac = macUnder(key, "sojourn/exit-token/1", bytesOf(premises), locator)
      const token = Buffer.concat([locator, mac.subarray(0, 25)]).toString("base64url")
      assert.strictEqual(Option.getOrUndefined(makeExitTokenScheme([key]).derive(key.id, premises, stay)), token)
    },
    trials(50)
  )

  it("is refused when any character of it is any other, right after the token itself", () => {
    const scheme = makeExitTokenScheme([key(7, 1)])
    const token = Option.getOrThrow(scheme.derive(7, place, stay))
    for (let at = 0; at < token.length; at++) {
      for (const character of [...`${ALPHABET}=+/,. `, "\u007f", "\u0080", "é"]) {
        if (character === token[at]) continue
        assert.isTrue(Option.isSome(scheme.recognize(place, token)))
        const forged = token.slice(0, at) + character + token.slice(at + 1)
        assert.isTrue(Option.isNone(scheme.recognize(place, forged)), `${character} at ${at}`)
      }
    }
  })

  it.prop(
    "is refused at other premises, also at the organization or place with the same number",
    { key: secretKey, premises, other: premises, stay: stayLocator },
    ({ key, premises, other, stay }) => {
      const scheme = makeExitTokenScheme([key])
      const token = Option.getOrThrow(scheme.derive(key.id, premises, stay))
      assert.isTrue(Option.isNone(scheme.recognize(twin(premises), token)))
      assert.strictEqual(Option.isSome(scheme.recognize(other, token)), samePremises(premises, other))
    },
    trials()
  )

  it.prop(
    "is refused by other keys, of the same id and of the same secret",
    { mine: secretKey, theirs: secretKey, premises, stay: stayLocator },
    ({ mine, theirs, premises, stay }) => {
      const token = Option.getOrThrow(makeExitTokenScheme([mine]).derive(mine.id, premises, stay))
      if (!sameSecret(mine, theirs)) {
        const sameId = makeExitTokenScheme([{ ...theirs, id: mine.id }])
        assert.isTrue(Option.isNone(sameId.recognize(premises, token)))
      }
      const otherId = makeExitTokenScheme([{ ...mine, id: (mine.id + 1) % 256 }])
      assert.isTrue(Option.isNone(otherId.recognize(premises, token)))
    },
    trials()
  )

  it("is refused when it is no token at all, without an error", () => {
    const scheme = makeExitTokenScheme([key(0, 1)])
    const token = Option.getOrThrow(scheme.derive(0, place, stay))
    const nonsense = [
      "",
      "x",
      token.slice(0, -1),
      token.slice(1),
      `${token}A`,
      `${token}=`,
      `${token}\n`,
      token.toUpperCase(),
      ...["A", "_", "=", "é", "\u0000"].map((character) => character.repeat(56)),
      "x".repeat(10_000),
      token.split("").reverse().join("")
    ]
    for (const text of nonsense) assert.isTrue(Option.isNone(scheme.recognize(place, text)), JSON.stringify(text))
    assert.isTrue(Option.isNone(scheme.locate(token.slice(1))))
  })

  it.prop(
    "works on while a new key stands in front of its own, and no longer when its own was dropped",
    { keys: secretKeys, premises, stay: stayLocator },
    ({ keys, premises, stay }) => {
      const last = keys[keys.length - 1]!
      const token = Option.getOrThrow(makeExitTokenScheme([last]).derive(last.id, premises, stay))
      assert.isTrue(Option.isSome(makeExitTokenScheme(keys).recognize(premises, token)))
      const [first, ...others] = keys.slice(0, -1)
      if (first === undefined) return
      const dropped = makeExitTokenScheme([first, ...others])
      assert.isTrue(Option.isNone(dropped.recognize(premises, token)))
      assert.isTrue(Option.isNone(dropped.derive(last.id, premises, stay)))
    },
    trials()
  )
})

describe("a retry key", () => {
  it.prop(
    "is the base64url of an HMAC of the premises, the user and the key, each text after its length",
    { key: secretKey, premises, user: userId, text: text(0, 64) },
    ({ key, premises, user, text }) => {
      const mac = macUnder(key, "sojourn/retry-key/1", bytesOf(premises), lengthAndText(user), lengthAndText(text))
      assert.strictEqual(makeExitTokenScheme([key]).retryKey(user, premises, text), mac.toString("base64url"))
    },
    trials(50)
  )

  it.prop(
    "stays the same while keys with larger ids are added anywhere",
    { keys: secretKeys, user: userId, premises, text: text(1, 64) },
    ({ keys, user, premises, text }) => {
      const before = makeExitTokenScheme([oldestOf(keys)]).retryKey(user, premises, text)
      assert.strictEqual(makeExitTokenScheme(keys).retryKey(user, premises, text), before)
    },
    trials()
  )
})

describe("the id of an access", () => {
  it.prop(
    "is the encrypted id of its stay, and stays the same while keys with larger ids are added anywhere",
    { keys: secretKeys, stay: stayId },
    ({ keys, stay }) => {
      const oldest = oldestOf(keys)
      const ids = makeAccessIds(Redacted.value(oldest.secret))([stay])
      assert.deepStrictEqual(makeExitTokenScheme(keys).accessIds([stay]), ids)
      assert.deepStrictEqual(makeExitTokenScheme([oldest]).accessIds([stay]), ids)
    },
    trials(50)
  )
})

describe("the secret of a webhook", () => {
  const webhook = (id: bigint, organization: bigint, creationDate: number, keyId: number, number: number) => ({
    webhookId: WebhookId.make(id),
    organizationId: OrganizationId.make(organization),
    creationDate: Timestamp(creationDate),
    secret: { keyId, number }
  })
  const hex = (keys: Parameters<typeof makeWebhookSecretScheme>[0], of: ReturnType<typeof webhook>) =>
    Option.map(makeWebhookSecretScheme(keys).derive(of, of.secret), (secret) =>
      Buffer.from(Redacted.value(secret)).toString("hex")
    )

  it.prop(
    "is 32 bytes of its own key, webhook, organization, time and number, and of no other, and none when the key was retired",
    {
      keys: secretKeys,
      nth: integer(0, 3),
      id: integer(1, 1000),
      organization: integer(1, 1000),
      at: integer(0, 2e12),
      number: integer(0, 1000)
    },
    ({ keys, nth, id, organization, at, number }) => {
      const key = keys[nth % keys.length]!
      const of = webhook(BigInt(id), BigInt(organization), at, key.id, number)
      const mac = macUnder(key, "sojourn/webhook-secret/1", `${id}/${organization}/${at}/${number}`).toString("hex")
      assert.strictEqual(Option.getOrThrow(hex(keys, of)), mac)
      assert.strictEqual(Option.getOrThrow(hex([key], of)), mac)
      assert.isTrue(Option.isNone(hex([{ ...key, id: (key.id + 1) % 256 }], of)))
    },
    trials(50)
  )
})

describe("the fingerprint of a key", () => {
  it.prop(
    "is the base64url of an HMAC of its own purpose, which the id has no part in",
    { key: secretKey },
    ({ key }) => {
      const fingerprint = macUnder(key, "sojourn/token-key-fingerprint/1").toString("base64url")
      assert.strictEqual(fingerprintOf(key), fingerprint)
      assert.strictEqual(fingerprintOf({ ...key, id: (key.id + 1) % 256 }), fingerprint)
    },
    trials(50)
  )
})
