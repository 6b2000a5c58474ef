/** Which keys exit tokens can be signed with, why others are refused, and how operators write them. */
import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import {
  type SecretKey,
  ExitTokens,
  layerSecretKeys,
  layerSecretKeysConfig,
  layerSecretKeysEphemeral,
  makeExitTokenScheme,
  OrganizationId,
  OrganizationPremises,
  StayId
} from "../../src/index.ts"

const key = (id: number, length = 32): SecretKey => ({ id, secret: Redacted.make(new Uint8Array(length).fill(7)) })
const premises = OrganizationPremises(OrganizationId.make(1n))
const stay = { organizationId: OrganizationId.make(1n), stayId: StayId.make(2n) }

const schemeOf = (...keys: ReadonlyArray<SecretKey>) => Effect.provide(ExitTokens, layerSecretKeys(keys))
const whyNot = (...keys: ReadonlyArray<SecretKey>) =>
  Effect.map(Effect.flip(schemeOf(...keys)), ({ _tag, reason }) => [_tag, reason])

describe("the keys of exit tokens", () => {
  it.effect("are one or more, each with an id of its own from 0 to 255 and a secret of at least 32 bytes", () =>
    Effect.gen(function* () {
      for (const keys of [[key(0)], [key(255)], [key(0, 33)], [key(3), key(0), key(255)]]) {
        const scheme = yield* schemeOf(...keys)
        assert.strictEqual(scheme.signingKeyId, keys[0]!.id)
        for (const one of keys) {
          const alone = makeExitTokenScheme([one]).derive(one.id, premises, stay)
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
        Effect.provide(ExitTokens, layerSecretKeysConfig(Config.Redacted("KEYS"))).pipe(
          Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({ KEYS: text }))
        )
      const two = yield* configured(` ${textOf(2)},\n${textOf(1)}\n`)
      assert.strictEqual(two.signingKeyId, 2)
      const ofOne = makeExitTokenScheme([key(1)])
      const token = Option.getOrThrow(ofOne.derive(1, premises, stay))
      assert.strictEqual(Option.isSome(two.recognize(premises, token)), true)
      for (const text of [" , ", "1", `${textOf(1)} 2:`, "1:a+b", textOf(256), "1:AAAA", `${textOf(1)} ${textOf(1)}`]) {
        assert.strictEqual((yield* Effect.flip(configured(text)))._tag, "SecretKeysInvalid")
      }
    })
  )

  it.effect("of trials are another's in every build, with a secret of its own", () =>
    Effect.gen(function* () {
      const build = Effect.provide(ExitTokens, Layer.fresh(layerSecretKeysEphemeral))
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
