import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ExitTokenScheme } from "../../domain/keys/ExitToken.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"

/**
 * Derives and recognizes the exit tokens of a storage, with keys that live outside of it: `layerSecretKeys` provides it. It fails until the
 * storage was there once, which says whose tokens these are.
 */
export class ExitTokens extends Context.Service<ExitTokens, Effect.Effect<ExitTokenScheme, StoreError>>()(
  "@sojourn/core/ExitTokens"
) {}
