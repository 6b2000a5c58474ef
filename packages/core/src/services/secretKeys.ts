/** Provides what is derived with the operator's keys: exit tokens and secrets of webhooks. */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { makeExitTokenScheme } from "../domain/keys/ExitToken.ts"
import type { MakeAes } from "../domain/keys/StayIdCipher.ts"
import { keyOfStorage, parseSecretKeys, type SecretKey } from "../domain/keys/SecretKey.ts"
import { TaggedError } from "../domain/shared/TaggedError.ts"
import { makeWebhookSecretScheme } from "../domain/webhooks/WebhookSecret.ts"
import { StorageIdentity } from "../ports/keys/StorageIdentity.ts"
import { Aes128, ExitTokens } from "./keys/ExitTokens.ts"
import { WebhookSecrets } from "./webhooks/WebhookSecrets.ts"

/** The keys are no set of keys: none at all, an id twice or out of 0 to 255, or a secret under 32 bytes. */
export class SecretKeysInvalid extends TaggedError("SecretKeysInvalid", "the keys are invalid")<{
  readonly reason: string
}> {}

type Keys = readonly [SecretKey, ...ReadonlyArray<SecretKey>]

const reasonAgainst = (keys: ReadonlyArray<SecretKey>): string | undefined => {
  if (keys.length === 0) return "there is no key"
  if (new Set(keys.map((key) => key.id)).size < keys.length) return "two keys have one id"
  if (keys.some((key) => !Number.isInteger(key.id) || key.id < 0 || key.id > 255)) return "an id is out of 0 to 255"
  return keys.some((key) => Redacted.value(key.secret).length < 32) ? "a secret is shorter than 32 bytes" : undefined
}

/** The keys, if they are a set of keys. */
export const checkSecretKeys = (keys: ReadonlyArray<SecretKey>): Result.Result<Keys, SecretKeysInvalid> => {
  const reason = reasonAgainst(keys)
  const [first, ...others] = keys
  return first === undefined || reason !== undefined
    ? Result.fail(new SecretKeysInvalid({ reason: reason! }))
    : Result.succeed([first, ...others])
}

/** What is derived with keys. */
const schemesOf = (keys: Keys, makeAes?: MakeAes) => ({
  tokens: Effect.succeed(makeExitTokenScheme(keys, makeAes)),
  secrets: Effect.succeed(makeWebhookSecretScheme(keys))
})

/** Provides the services of a valid set of keys on a storage. Its identity is read until it is known: it may be away at the start. */
const derived = ([first, ...others]: Keys, { read }: StorageIdentity["Service"], makeAes: MakeAes) => {
  let schemes: ReturnType<typeof schemesOf> | undefined
  const known = Effect.map(read, (storage) => {
    const ofStorage = (key: SecretKey) => keyOfStorage(key, storage)
    return (schemes ??= schemesOf([ofStorage(first), ...others.map(ofStorage)], makeAes))
  })
  return Context.make(
    ExitTokens,
    Effect.suspend(() => schemes?.tokens ?? Effect.flatMap(known, ({ tokens }) => tokens))
  ).pipe(
    Context.add(
      WebhookSecrets,
      Effect.suspend(() => schemes?.secrets ?? Effect.flatMap(known, ({ secrets }) => secrets))
    )
  )
}

/** With these keys, on the storage that is provided: the first derives new tokens and secrets, all recognize and derive their own. */
export const layerSecretKeys = (
  keys: ReadonlyArray<SecretKey>
): Layer.Layer<ExitTokens | WebhookSecrets, SecretKeysInvalid, StorageIdentity> =>
  Layer.effectContext(
    Effect.gen(function* () {
      return derived(yield* Effect.fromResult(checkSecretKeys(keys)), yield* StorageIdentity, yield* Aes128)
    })
  )

/**
 * With the keys of a text as operators write it: `id:secret`, the secret as base64url, the one that derives new tokens first.
 */
export const layerSecretKeysConfig = (
  keys: Config.Config<Redacted.Redacted<string>>
): Layer.Layer<ExitTokens | WebhookSecrets, Config.ConfigError | SecretKeysInvalid, StorageIdentity> =>
  Layer.unwrap(
    Effect.flatMap(keys, (text) =>
      Option.match(parseSecretKeys(Redacted.value(text)), {
        onNone: () => Effect.fail(new SecretKeysInvalid({ reason: "a key is not id:secret" })),
        onSome: (parsed) => Effect.succeed(layerSecretKeys(parsed))
      })
    )
  )

/** With one key from the platform's random source, for as long as the process lives, on any storage: for tests and trials. */
export const layerSecretKeysEphemeral: Layer.Layer<ExitTokens | WebhookSecrets> = Layer.effectContext(
  Effect.sync(() => {
    const { tokens, secrets } = schemesOf([{ id: 0, secret: Redacted.make(SecureRandom.randomBytesUnsafe(32)) }])
    return Context.make(ExitTokens, tokens).pipe(Context.add(WebhookSecrets, secrets))
  })
)
