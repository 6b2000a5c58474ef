import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ExitTokenScheme } from "../../domain/keys/ExitToken.ts"
import { portableAes } from "../../domain/keys/StayIdCipher.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"

/**
 * Derives and recognizes the exit tokens of a storage, with keys that live outside of it: `layerSecretKeys` provides it. It fails until the
 * storage was there once, which says whose tokens these are.
 */
export class ExitTokens extends Context.Service<ExitTokens, Effect.Effect<ExitTokenScheme, StoreError>>()(
  "@sojourn/core/ExitTokens"
) {}

/** AES-128 for the ids of accesses, a list at once. The default works on any platform; Node's own takes a tenth of its time. */
export const Aes128 = Context.Reference("@sojourn/core/Aes128", { defaultValue: () => portableAes })
