/** Builds statements on movements from parts for entrances and for exits. */

import { appendEach, appendMovements } from "../feed/pendingChanges.sql.ts"

/** The values of columns in rows of a part that does not have them, where the other part does. */
const ABSENT = {
  tracking_mode: "null::text",
  linked: "null::text",
  person: "null::text",
  id: "null::bigint",
  key_id: "null::smallint",
  entered_at: "null::timestamptz",
  is_written: "true"
}

type Column = keyof typeof ABSENT

const COLUMNS = Object.keys(ABSENT) as ReadonlyArray<Column>

/** A part of a statement on movements. */
export interface Part {
  /** The common table expressions that do the work. */
  readonly does: string
  /** The select of the movements that were written, for the deltas. */
  readonly moved: string
  /** The source of the rows that it returns, and their number `n` in the batch, from 1; those of exits are negative. */
  readonly from: string
  readonly n: string
  readonly answers: Partial<Readonly<Record<Column, string>>>
}

export type Columns = ReadonlyArray<readonly [name: string, type: string]>

/** How movements are passed to a statement. */
export interface Form {
  /** The movements of a part, as rows with the alias `name` and their number `n`. The parameters begin at $`p`. */
  readonly rows: (p: number, name: string, columns: Columns) => string
  readonly record: (moved: ReadonlyArray<string>) => string
}

/** Any number of movements, by an array for each column. */
export const BATCH: Form = {
  rows: (p, name, columns) => {
    const arrays = columns.map(([, type], i) => `$${p + i}::${type}[]`)
    const names = columns.map(([column]) => column)
    return `unnest(${arrays.join(", ")}) with ordinality as ${name} (${names.join(", ")}, n)`
  },
  record: appendMovements
}

/** One movement for each part, by a value for each column. PostgreSQL needs a third fewer instructions than for arrays of one. */
export const SINGLE: Form = {
  rows: (p, name, columns) =>
    `(select ${columns.map(([column, type], i) => `$${p + i}::${type} as ${column}`).join(", ")}, 1 as n) as ${name}`,
  record: appendEach
}

/** Begins a statement that records its deltas: the triggers on `open_stay` look for this name, and find it soonest at the beginning. */
export const RECORDING = "/* pending_change */"

/** A statement of parts. Its rows have only the columns that a part returns, as each column costs time for every movement. */
export const statement = ({ record }: Form, ...parts: ReadonlyArray<Part>): string => {
  const columns = COLUMNS.filter((column) => parts.some(({ answers }) => column in answers))
  const rows = parts.map(({ from, n, answers }) => {
    const values = columns.map((column) => `${answers[column] ?? ABSENT[column]} as ${column}`)
    return `\nselect ${[`${n}::int as n`, ...values].join(", ")}\nfrom ${from}`
  })
  const recorded = record(parts.map(({ moved }) => moved))
  return `${RECORDING} with ${[...parts.map(({ does }) => does), recorded].join(",")}${rows.join("\nunion all")}`
}

/** Do the premises of a row exist? Their organization is looked up in any case. */
export const PREMISES_EXIST = `(asked.place_id = 0 or (
      select true from place where organization_id = asked.organization_id and id = asked.place_id limit 1
    ))`
