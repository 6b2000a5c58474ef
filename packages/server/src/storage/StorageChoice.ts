import type * as Redacted from "effect/Redacted"

/**
 * The choice of a storage.
 *
 * @since 0.1.0
 * @category models
 */
export type StorageChoice =
  | { readonly _tag: "Memory" }
  /** The server's own PostgreSQL, in a data directory. */
  | { readonly _tag: "Embedded"; readonly directory: string; readonly schema?: string | undefined }
  | {
      readonly _tag: "Postgres"
      readonly url: Redacted.Redacted<string>
      readonly schema?: string | undefined
      /** Whether a pooler stands before it, and where notifications are received past that. */
      readonly pooled?: boolean | undefined
      readonly notifyUrl?: Redacted.Redacted<string> | undefined
    }
