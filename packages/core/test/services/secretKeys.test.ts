/** Which keys exit tokens can be signed with, why others are refused, and how operators write them. */
import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Context, Effect, Layer, Option, Redacted } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import {
  type SecretKey,
  ExitTokens,
  keyOfStorage,
  layerSecretKeys,
  layerSecretKeysConfig,
  layerSecretKeysEphemeral,
  makeExitTokenScheme,
  OrganizationId,
  OrganizationPremises,
  StayId,
  type StorageId,
  StorageIdentity,
  StoreError,
  WebhookSecrets
} from "../../src/index.ts"

const key = (id: number, length = 32): SecretKey => ({ id, secret: Redacted.make(new Uint8Array(length).fill(7)) })
const premises = OrganizationPremises(OrganizationId.make(1n))
const stay = { organizationId: OrganizationId.make(1n), stayId: StayId.make(2n) }

const storage = "3f1b0a52-8a0e-4c5a-9a53-3d2f10b9a7cd" as StorageId
const here = Layer.succeed(StorageIdentity, { read: Effect.succeed(storage) })
const exitTokens = Effect.flatten(ExitTokens)

const schemeOf = (...keys: ReadonlyArray<SecretKey>) =>
  Effect.provide(exitTokens, Layer.provide(layerSecretKeys(keys), here))
const whyNot = (...keys: ReadonlyArray<SecretKey>) =>
  Effect.map(Effect.flip(schemeOf(...keys)), (error) => [error._tag, "reason" in error && error.reason])

describe("the keys of exit tokens", () => {
  it.effect("are one or more, each with an id of its own from 0 to 255 and a secret of at least 32 bytes", () =>
    Effect.gen(function* () {
      for (const keys of [[key(0)], [key(255)], [key(0, 33)], [key(3), key(0), key(255)]]) {
        const scheme = yield* schemeOf(...keys)
        assert.strictEqual(scheme.signingKeyId, keys[0]!.id)
        for (const one of keys) {
          const alone = makeExitTokenScheme([keyOfStorage(one, storage)]).derive(one.id, premises, stay)
          assert.deepStrictEqual(scheme.derive(one.id, premises, stay), alone)
        }
      }
    })
  )

  it.effect("are refused with the reason why they are no such set", () =>
    Effect.gen(function* () {
      const invalid = (reason: string) => ["SecretKeysInvalid", reason]
      assert.deepStrictEqual(yield* whyNot(), invalid("there is no key"))
      assert.deepStrictEqual(yield* whyNot(key(1), key(2), key(1)), invalid("two keys have one id"))
      for (const id of [-1, 256, 1.5, Number.NaN]) {
        assert.deepStrictEqual(yield* whyNot(key(0), key(id)), invalid("an id is out of 0 to 255"))
      }
      for (const keys of [[key(0, 31)], [key(0), key(1, 0)]]) {
        assert.deepStrictEqual(yield* whyNot(...keys), invalid("a secret is shorter than 32 bytes"))
      }
    })
  )

  it.effect("are read from a configuration as operators write them", () =>
    Effect.gen(function* () {
      const textOf = (id: number) => `${id}:${Base64Url.encode(new Uint8Array(32).fill(7))}`
      const configured = (text: string) =>
        Effect.provide(exitTokens, Layer.provide(layerSecretKeysConfig(Config.Redacted("KEYS")), here)).pipe(
          Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({ KEYS: text }))
        )
      const two = yield* configured(` ${textOf(2)},\n${textOf(1)}\n`)
      assert.strictEqual(two.signingKeyId, 2)
      const ofOne = makeExitTokenScheme([keyOfStorage(key(1), storage)])
      const token = Option.getOrThrow(ofOne.derive(1, premises, stay))
      assert.strictEqual(Option.isSome(two.recognize(premises, token)), true)
      for (const text of [" , ", "1", `${textOf(1)} 2:`, "1:a+b", textOf(256), "1:AAAA", `${textOf(1)} ${textOf(1)}`]) {
        assert.strictEqual((yield* Effect.flip(configured(text)))._tag, "SecretKeysInvalid")
      }
    })
  )

  it.effect("say nothing before the storage was there, and read its identity no more when they know it", () =>
    Effect.gen(function* () {
      const away = new StoreError({ operation: "read", cause: "away" })
      let reads = 0
      let isThere = false
      const read = Effect.suspend(() => {
        reads++
        return isThere ? Effect.succeed(storage) : Effect.fail(away)
      })
      const layer = Layer.provide(layerSecretKeys([key(1)]), Layer.succeed(StorageIdentity, { read }))
      const context = yield* Layer.build(layer)
      const [tokens, secrets] = [Context.get(context, ExitTokens), Context.get(context, WebhookSecrets)]
      assert.strictEqual(yield* Effect.flip(tokens), away)
      assert.strictEqual(yield* Effect.flip(secrets), away)
      isThere = true
      assert.strictEqual((yield* tokens).signingKeyId, 1)
      assert.strictEqual((yield* secrets).keyId, 1)
      assert.strictEqual(yield* tokens, yield* tokens)
      assert.strictEqual(reads, 3)
    })
  )

  it.effect("of trials are another's in every build, with a secret of its own", () =>
    Effect.gen(function* () {
      const build = Effect.provide(exitTokens, Layer.fresh(layerSecretKeysEphemeral))
      const [one, other] = [yield* build, yield* build]
      const token = Option.getOrThrow(one.derive(one.signingKeyId, premises, stay))
      assert.deepStrictEqual(Option.getOrUndefined(one.recognize(premises, token)), stay)
      assert.isTrue(Option.isNone(other.recognize(premises, token)))
      for (const length of [0, 32]) {
        const known = makeExitTokenScheme([{ id: 0, secret: Redacted.make(new Uint8Array(length)) }])
        assert.isTrue(Option.isNone(known.recognize(premises, token)))
      }
    })
  )
})
