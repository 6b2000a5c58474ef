/**
 * An optional field after a change of it: left out it stays, `null` clears it.
 *
 * @since 0.1.0
 * @category functions
 */
export const changedField = <A>(before: A | undefined, change: A | null | undefined): A | undefined =>
  change === undefined ? before : (change ?? undefined)
