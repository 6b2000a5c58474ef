/** An optional field after a change of it: left out it stays, `null` clears it. */
export const changedField = <A>(before: A | undefined, change: A | null | undefined): A | undefined =>
  change === undefined ? before : (change ?? undefined)

/** A change of a record: only the fields present change; `null` clears an optional one. */
export type ChangeOf<A> = { readonly [Field in keyof A]?: A[Field] | (undefined extends A[Field] ? null : undefined) }

/** A record after a change of it. */
export const changedFields = <A extends object>(before: A, change: ChangeOf<A>): A => {
  const present = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(present.map(([field, value]) => [field, value ?? undefined])) }
}
