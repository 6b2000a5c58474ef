import * as Context from "effect/Context"
import type { ExitTokenScheme } from "../../domain/keys/ExitToken.ts"

/** Derives and recognizes exit tokens, with keys that live outside every store: `layerSecretKeys` provides it. */
export class ExitTokens extends Context.Service<ExitTokens, ExitTokenScheme>()("@sojourn/core/ExitTokens") {}
