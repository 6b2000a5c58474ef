/** A table of rows in pages, and all of them as CSV. */
import type { ComponentChildren } from "preact"
import { ActionButton, CsvButton, tableOf } from "./ActionButton.tsx"
import { useOpened } from "./context.ts"
import { Table, type TableOf } from "./Table.tsx"
import { usePages } from "./usePages.tsx"

/** What a table is of, and how all its rows are saved. */
export type TableProps<Row> = TableOf<Row> & { readonly caption: string } & (
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
        <Table columns={columns} rows={shown} keyOf={keyOf}>
          <caption class="unseen">{caption}</caption>
        </Table>
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
