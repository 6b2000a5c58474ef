import { TaggedError } from "../../domain/shared/TaggedError.ts"

/**
 * A store could not do its work now: unreachable, full, out of time. The operation may be called again. Whether it
 * happened is unknown unless the port says otherwise.
 */
export class StoreError extends TaggedError("StoreError", "the store could not complete the operation")<{
  /** What was being done, for the operator's eyes: no identifiers and no tokens. */
  readonly operation: string
  readonly cause: unknown
  /** Too many were asking at once: it was refused without being tried, so it did not happen. */
  readonly isOverload?: boolean
}> {}
