import type { ExitTokenKey, StoreError, Stores } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { CommandFailed } from "../CommandFailed.ts"

/** Where everything is kept. */
export type StorageChoice =
  | { readonly _tag: "Memory" }
  /** A PostgreSQL of the server's own, in a directory. */
  | { readonly _tag: "Embedded"; readonly directory: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted<string> }

/** What a storage in PostgreSQL is used with. */
export interface StorageOptions {
  readonly keys: ReadonlyArray<ExitTokenKey>
  /** Whether the schema is brought up to date, or only looked at. */
  readonly migrate: boolean
  /**
   * A database that is away at first is waited for; this is told once when it then turns out to be one that must not be
   * used: with a schema of newer code, or other token keys. Left out, nobody waits: a database that is away is refused.
   */
  readonly onRefused?: ((reason: CommandFailed) => Effect.Effect<void>) | undefined
}

/** The state of the storage, beside the stores themselves. */
export class Storage extends Context.Service<
  Storage,
  {
    /** Is it there, and may it be used? Asks it. */
    readonly isReady: Effect.Effect<boolean>
    /** Does it forget everything when the process ends? */
    readonly isForgetful: boolean
    /** Makes the effect that counts the servers that share rate limits on this storage; none, where it has one server. */
    readonly countRateLimitServers?: Effect.Effect<Effect.Effect<number, StoreError>, never, Scope.Scope> | undefined
  }
>()("@sojourn/server/Storage") {}

/** The stores of core, and what there is to know of where they are. */
export type LayerStorage = Layer.Layer<Stores | Storage, CommandFailed>

/** A storage that cannot be had, and why. */
export const noStorage = (reason: CommandFailed): LayerStorage => Layer.effectContext(Effect.fail(reason))
