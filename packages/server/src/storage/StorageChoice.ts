import type { CellNumber } from "@sojourn/core"
import type { Redacted } from "effect"

/** A database at a URL. */
export interface DatabaseChoice {
  readonly url: Redacted.Redacted<string>
  readonly schema?: string | undefined
  /** Whether a pooler stands before it, and where notifications are received past that. */
  readonly pooled?: boolean | undefined
  readonly notifyUrl?: Redacted.Redacted<string> | undefined
  /** Whether Citus distributes the schema; then this is its coordinator. */
  readonly citus?: boolean | undefined
}

/** A cell beside the home cell: in a database of its own, or in a schema of the home cell's. */
export interface CellChoice {
  readonly number: CellNumber
  readonly weight: number
  readonly database: DatabaseChoice | { readonly schema: string }
}

/** The cells of a storage, whose own database and schema are the home cell. */
export interface CellsChoice {
  readonly homeWeight: number
  readonly others: ReadonlyArray<CellChoice>
}

/** The choice of a storage. */
export type StorageChoice =
  | { readonly _tag: "Memory" }
  /** The server's own PostgreSQL, in a data directory. */
  | {
      readonly _tag: "Embedded"
      readonly directory: string
      readonly schema?: string | undefined
      readonly cells?: CellsChoice | undefined
    }
  | (DatabaseChoice & { readonly _tag: "Postgres"; readonly cells?: CellsChoice | undefined })
