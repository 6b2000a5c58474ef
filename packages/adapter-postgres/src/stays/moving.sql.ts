/** What the parts of a statement on movements are made of. */

/** What a row answers beside what it is about, where its part says nothing of it and another part does. */
const SILENT = {
  tracking_mode: "null::text",
  linked: "null::text",
  person: "null::text",
  id: "null::bigint",
  key_id: "null::smallint",
  entered_at: "null::timestamptz",
  is_written: "true"
}

type Column = keyof typeof SILENT

const COLUMNS = Object.keys(SILENT) as ReadonlyArray<Column>

/** A part of a statement on movements. */
export interface Part {
  readonly does: string
  /** The rows that it answers: where they are, and which is about `n`, from 1; that of an exit is negative. */
  readonly from: string
  readonly n: string
  readonly answers: Partial<Readonly<Record<Column, string>>>
}

/** A statement of parts. What none of them answers its rows do not have: each column costs something for every movement. */
export const statement = (...parts: ReadonlyArray<Part>): string => {
  const columns = COLUMNS.filter((column) => parts.some(({ answers }) => column in answers))
  const rows = parts.map(({ from, n, answers }) => {
    const values = columns.map((column) => `${answers[column] ?? SILENT[column]} as ${column}`)
    return `\nselect ${[`${n}::int as n`, ...values].join(", ")}\nfrom ${from}`
  })
  return `with ${parts.map(({ does }) => does).join(",")}${rows.join("\nunion all")}`
}

export type Columns = ReadonlyArray<readonly [name: string, type: string]>

/** The movements that a part is about, as rows called `name`, with their places `n`. The parameters begin at $`p`. */
export type Asked = (p: number, name: string, columns: Columns) => string

/** Many: arrays of each column. */
export const askedTogether: Asked = (p, name, columns) => {
  const arrays = columns.map(([, type], i) => `$${p + i}::${type}[]`)
  const names = columns.map(([column]) => column)
  return `unnest(${arrays.join(", ")}) with ordinality as ${name} (${names.join(", ")}, n)`
}

/** One: the values of a single row, which costs PostgreSQL a tenth less where a movement comes alone. */
export const askedAlone: Asked = (p, name, columns) =>
  `(select ${columns.map(([column, type], i) => `$${p + i}::${type} as ${column}`).join(", ")}, 1 as n) as ${name}`

/** Are the premises of a row there? Its organization is looked up anyway. */
export const PREMISES_EXIST = `(asked.place_id = 0 or (
      select true from place where organization_id = asked.organization_id and id = asked.place_id limit 1
    ))`
