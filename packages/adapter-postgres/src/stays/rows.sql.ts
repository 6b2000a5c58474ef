/** The rows of movements in statements, from parameters. */

export type Columns = ReadonlyArray<readonly [name: string, type: string]>

/** Rows of movements, with the alias `name` and their number `n` from 1. The parameters begin at $`p`. */
export type Rows = (p: number, name: string, columns: Columns) => string

/** Any number of rows, by an array for each column. */
export const rowsOfArrays: Rows = (p, name, columns) => {
  const arrays = columns.map(([, type], i) => `$${p + i}::${type}[]`)
  const names = columns.map(([column]) => column)
  return `unnest(${arrays.join(", ")}) with ordinality as ${name} (${names.join(", ")}, n)`
}

/** One row, by a value for each column. */
export const rowOfValues: Rows = (p, name, columns) =>
  `(select ${columns.map(([column, type], i) => `$${p + i}::${type} as ${column}`).join(", ")}, 1 as n) as ${name}`

/** Does the place of a row exist, if it names one? */
export const PLACE_EXISTS = `(asked.place_id = 0 or (
      select true from place where organization_id = asked.organization_id and id = asked.place_id limit 1
    ))`
