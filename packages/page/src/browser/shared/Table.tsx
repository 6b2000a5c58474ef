/** Rows in columns. The first column names the row. */
import type { ComponentChildren } from "preact"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  readonly isNumber?: boolean
  /** What else the cells are, for the style. */
  readonly class?: string
}

/** What a table is of. */
export interface TableOf<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly keyOf: (row: Row) => string
}

interface TableProps<Row> extends TableOf<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The caption. */
  readonly children?: ComponentChildren
}

export const Table = <Row,>({ columns, rows, keyOf, children }: TableProps<Row>) => {
  const classOf = ({ isNumber, class: name = "" }: Column<Row>) => (isNumber === true ? "number" : name)
  return (
    <table>
      {children}
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column, nth) => {
              const Cell = nth === 0 ? "th" : "td"
              return (
                <Cell key={column.title} scope={nth === 0 ? "row" : undefined} class={classOf(column)}>
                  {column.cell(row)}
                </Cell>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
