/** How the steps of all stores add entries to the audit. */
import type { Act } from "../../domain/audit/AuditEntry.ts"

/**
 * The value of a step that changes something for an administrator or an operator, and its acts. The step that writes the change adds them to
 * the audit in the same transaction. A step that changed nothing has none.
 */
export interface Recorded<A> {
  readonly value: A
  readonly acts: ReadonlyArray<Act>
}

/** The value of a step with its act, if it changed anything. */
export const recorded = <A>(value: A, act: Act | undefined): Recorded<A> => ({
  value,
  acts: act === undefined ? [] : [act]
})

/** The value of a step whose statement added the entry itself. */
export const alreadyRecorded = <A>(value: A): Recorded<A> => ({ value, acts: [] })
