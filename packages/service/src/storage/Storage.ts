/** The storage of a service: its options, and its state while the service runs. */
import type { DatabaseOptions } from "@sojourn/adapter-postgres"
import type { CellNumber, CellStore, SecretKey, StoreError, Stores } from "@sojourn/core"
import { Context, type Effect, type Layer, type Scope } from "effect"
import type { StartupError } from "../shared/StartupError.ts"

/** The options of a storage in PostgreSQL. */
export interface StorageOptions extends DatabaseOptions {
  readonly keys: ReadonlyArray<SecretKey>
  /** Whether to migrate the schema, or only to check it. */
  readonly migrate: boolean
  /** Which cell the schema is, whose ids it issues; left out: it is no cell. */
  readonly cell?: CellNumber | undefined
  /**
   * Called once if a database that was unavailable at the start turns out to be unusable: its schema is newer, or its token keys
   * are others. If left out, the server does not wait, and an unavailable database is refused.
   */
  readonly onRefused?: ((reason: StartupError) => Effect.Effect<void>) | undefined
}

/** The state of the storage. */
export class Storage extends Context.Service<
  Storage,
  {
    /** Whether the storage answers and may be used. Queries it. */
    readonly isReady: Effect.Effect<boolean>
    /** Whether its data are lost when the process ends. */
    readonly isForgetful: boolean
    /** Makes the effect that counts the servers that share rate limits on this storage; none, where it has one server. */
    readonly countRateLimitServers?: Effect.Effect<Effect.Effect<number, StoreError>, never, Scope.Scope> | undefined
  }
>()("@sojourn/service/Storage") {}

/** The stores of core, and the state of their storage. A storage that is no set of cells can be one. */
export type LayerStorage<Cell = never> = Layer.Layer<Stores | Storage | Cell, StartupError>

/** A storage that can be a cell. */
export type LayerCell = LayerStorage<CellStore>
