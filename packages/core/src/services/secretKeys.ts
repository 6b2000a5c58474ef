/** Provides what is derived with the operator's keys: exit tokens and secrets of webhooks. */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { makeExitTokenScheme } from "../domain/keys/ExitToken.ts"
import { parseSecretKeys, type SecretKey } from "../domain/keys/SecretKey.ts"
import { TaggedError } from "../domain/shared/TaggedError.ts"
import { makeWebhookSecretScheme } from "../domain/webhooks/WebhookSecret.ts"
import { ExitTokens } from "./keys/ExitTokens.ts"
import { WebhookSecrets } from "./webhooks/WebhookSecrets.ts"

/** The keys are no set of keys: none at all, an id twice or out of 0 to 255, or a secret under 32 bytes. */
export class SecretKeysInvalid extends TaggedError("SecretKeysInvalid", "the keys are invalid")<{
  readonly reason: string
}> {}

const check = (keys: ReadonlyArray<SecretKey>): string | undefined => {
  if (new Set(keys.map((key) => key.id)).size < keys.length) return "two keys have one id"
  if (keys.some((key) => !Number.isInteger(key.id) || key.id < 0 || key.id > 255)) return "an id is out of 0 to 255"
  return keys.some((key) => Redacted.value(key.secret).length < 32) ? "a secret is shorter than 32 bytes" : undefined
}

/** Provides the services of a valid set of keys. */
const derived = (keys: readonly [SecretKey, ...ReadonlyArray<SecretKey>]) =>
  Context.make(ExitTokens, makeExitTokenScheme(keys)).pipe(Context.add(WebhookSecrets, makeWebhookSecretScheme(keys)))

/** With these keys: the first derives new tokens and secrets, all recognize and derive their own. */
export const layerSecretKeys = (
  keys: ReadonlyArray<SecretKey>
): Layer.Layer<ExitTokens | WebhookSecrets, SecretKeysInvalid> =>
  Layer.effectContext(
    Effect.suspend(() => {
      const [first, ...others] = keys
      const reason = first === undefined ? "there is no key" : check(keys)
      return first === undefined || reason !== undefined
        ? Effect.fail(new SecretKeysInvalid({ reason: reason! }))
        : Effect.succeed(derived([first, ...others]))
    })
  )

/**
 * With the keys of a text as operators write it: `id:secret`, the secret as base64url, the one that derives new tokens first.
 */
export const layerSecretKeysConfig = (
  keys: Config.Config<Redacted.Redacted<string>>
): Layer.Layer<ExitTokens | WebhookSecrets, Config.ConfigError | SecretKeysInvalid> =>
  Layer.unwrap(
    Effect.flatMap(keys, (text) =>
      Option.match(parseSecretKeys(Redacted.value(text)), {
        onNone: () => Effect.fail(new SecretKeysInvalid({ reason: "a key is not id:secret" })),
        onSome: (parsed) => Effect.succeed(layerSecretKeys(parsed))
      })
    )
  )

/** With one key from the platform's random source, for as long as the process lives: for tests and trials. */
export const layerSecretKeysEphemeral: Layer.Layer<ExitTokens | WebhookSecrets> = Layer.effectContext(
  Effect.sync(() => derived([{ id: 0, secret: Redacted.make(SecureRandom.randomBytesUnsafe(32)) }]))
)
