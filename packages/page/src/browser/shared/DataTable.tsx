/** A table of rows in pages, and all of them as CSV. The first column names the row. */
import type { ComponentChildren } from "preact"
import { ActionButton, CsvButton, tableOf } from "./ActionButton.tsx"
import { useOpened } from "./context.ts"
import { usePages } from "./usePages.tsx"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  readonly isNumber?: boolean
}

/** What a table is of, and how all its rows are saved. */
export type TableProps<Row> = {
  readonly caption: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly keyOf: (row: Row) => string
} & (
  | {
      /** The name of the file, and what it has of a row by the columns' names. */
      readonly file: string
      readonly toCsv: (row: Row) => Readonly<Record<string, string | number | undefined>>
    }
  | { readonly onSave: () => void }
)

type DataTableProps<Row> = TableProps<Row> & {
  readonly rows: ReadonlyArray<Row>
  /** Reads rows that are not there yet, before all are saved. */
  readonly readAll?: () => Promise<ReadonlyArray<Row> | undefined>
  /** Further buttons. */
  readonly children?: ComponentChildren
}

export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { caption, columns, rows, readAll = () => rows, keyOf, children } = props
  const { words } = useOpened()
  const { shown, pager } = usePages(rows)
  if (rows.length === 0) {
    return (
      <>
        <p role="status">{words.noRows}</p>
        {children}
      </>
    )
  }
  return (
    <>
      <div class="scrolling" role="region" aria-label={caption} tabindex={0}>
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ title, isNumber }) => (
                <th key={title} scope="col" class={isNumber === true ? "number" : ""}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ title, cell, isNumber }, nth) => {
                  const Cell = nth === 0 ? "th" : "td"
                  return (
                    <Cell key={title} scope={nth === 0 ? "row" : undefined} class={isNumber === true ? "number" : ""}>
                      {cell(row)}
                    </Cell>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="bar">
        {pager}
        {children}
        {"onSave" in props ? (
          <ActionButton action={words.downloadCsv} of={caption} onClick={props.onSave} />
        ) : (
          <CsvButton
            of={caption}
            file={props.file}
            rows={async () => {
              const all = await readAll()
              return all && tableOf(all, props.toCsv)
            }}
          />
        )}
      </div>
    </>
  )
}
