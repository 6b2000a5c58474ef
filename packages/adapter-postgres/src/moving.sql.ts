/** What the parts of a statement on movements are made of. */

/** A part of a statement on movements: what it does, and the rows that it answers. */
export interface Part {
  readonly does: string
  readonly answers: string
}

/** What each row of a part answers. `n` is the row that it is about, from 1; that of an exit is negative. */
export const answers = (
  from: string,
  { n, mode, linked, person, id, keyId, enteredAt, isWritten }: Readonly<Record<string, string>>
) => `
select ${n}::int as n, ${mode ?? "null::text"} as tracking_mode, ${linked ?? "null::text"} as linked,
  ${person ?? "null::text"} as person, ${id ?? "null::bigint"} as id, ${keyId ?? "null::smallint"} as key_id,
  ${enteredAt ?? "null::timestamptz"} as entered_at, ${isWritten ?? "true"} as is_written
from ${from}`

export type Columns = ReadonlyArray<readonly [name: string, type: string]>

/**
 * The movements that a part is about, as rows: arrays of each column, or the values of a single row, which costs PostgreSQL a
 * tenth less where a movement comes alone. The parameters begin at $`p`.
 */
export const asked = (p: number, isAlone: boolean, name: string, columns: Columns): string => {
  if (isAlone) {
    return `(select ${columns.map(([column, type], i) => `$${p + i}::${type} as ${column}`).join(", ")}, 1 as n) as ${name}`
  }
  const arrays = columns.map(([, type], i) => `$${p + i}::${type}[]`)
  const names = columns.map(([column]) => column)
  return `unnest(${arrays.join(", ")}) with ordinality as ${name} (${names.join(", ")}, n)`
}

/** Are the premises of a row there? Its organization is looked up anyway. */
export const PREMISES_EXIST = `(asked.place_id = 0 or (
      select true from place where organization_id = asked.organization_id and id = asked.place_id limit 1
    ))`
