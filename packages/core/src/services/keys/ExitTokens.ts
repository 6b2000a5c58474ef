/** Provides the scheme of exit tokens with the operator's keys: these alone tell which tokens are genuine. */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SecureRandom from "effect/crypto/SecureRandom"
import {
  type ExitTokenKey,
  type ExitTokenScheme,
  makeExitTokenScheme,
  parseExitTokenKeys
} from "../../domain/keys/ExitToken.ts"
import { TaggedError } from "../../domain/shared/TaggedError.ts"

/** The keys are no set of keys: none at all, an id twice or out of 0 to 255, or a secret under 32 bytes. */
export class ExitTokenKeysInvalid extends TaggedError("ExitTokenKeysInvalid", "the exit-token keys are invalid")<{
  readonly reason: string
}> {}

const check = (keys: ReadonlyArray<ExitTokenKey>): string | undefined => {
  if (new Set(keys.map((key) => key.id)).size < keys.length) return "two keys have one id"
  if (keys.some((key) => !Number.isInteger(key.id) || key.id < 0 || key.id > 255)) return "an id is out of 0 to 255"
  return keys.some((key) => Redacted.value(key.secret).length < 32) ? "a secret is shorter than 32 bytes" : undefined
}

/** Derives and recognizes exit tokens with the keys of this service, which live outside every store. */
export class ExitTokens extends Context.Service<ExitTokens, ExitTokenScheme>()("@sojourn/core/ExitTokens") {
  /** With these keys: the first derives new tokens, all recognize theirs. */
  static readonly layer = (keys: ReadonlyArray<ExitTokenKey>): Layer.Layer<ExitTokens, ExitTokenKeysInvalid> =>
    Layer.effect(
      ExitTokens,
      Effect.suspend(() => {
        const [first, ...others] = keys
        if (first === undefined) return Effect.fail(new ExitTokenKeysInvalid({ reason: "there is no key" }))
        const reason = check(keys)
        return reason === undefined
          ? Effect.succeed(makeExitTokenScheme([first, ...others]))
          : Effect.fail(new ExitTokenKeysInvalid({ reason }))
      })
    )

  /** With the keys of a text as operators write it: `id:secret`, the secret as base64url, the one that derives new tokens first. */
  static readonly layerConfig = (
    keys: Config.Config<Redacted.Redacted<string>>
  ): Layer.Layer<ExitTokens, Config.ConfigError | ExitTokenKeysInvalid> =>
    Layer.unwrap(
      Effect.map(keys, (text) =>
        Option.match(parseExitTokenKeys(Redacted.value(text)), {
          onNone: () => Layer.effect(ExitTokens, new ExitTokenKeysInvalid({ reason: "a key is not id:secret" })),
          onSome: ExitTokens.layer
        })
      )
    )

  /** With one key from the platform's random source, for as long as the process lives: for tests and trials. */
  static readonly layerEphemeral: Layer.Layer<ExitTokens> = Layer.sync(ExitTokens, () =>
    makeExitTokenScheme([{ id: 0, secret: Redacted.make(SecureRandom.randomBytesUnsafe(32)) }])
  )
}
