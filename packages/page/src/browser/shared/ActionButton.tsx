/** Buttons by what they do, which is their label. */
import type { ButtonHTMLAttributes } from "preact"
import { usePage } from "./context.ts"

interface OfProps {
  readonly of: string
}

interface ActionButtonProps extends ButtonHTMLAttributes {
  readonly action: string
  /** What it acts on: its accessible name says so among buttons with the same label. */
  readonly of?: string
}

export const ActionButton = ({ action, of, ...attributes }: ActionButtonProps) => (
  <button type="button" aria-label={of === undefined ? undefined : `${action}: ${of}`} {...attributes}>
    {action}
  </button>
)

type Table = ReadonlyArray<ReadonlyArray<string | number | undefined>>

/** A table of rows, with the names of the columns as its first. */
export const tableOf = <Row,>(
  rows: ReadonlyArray<Row>,
  toCsv: (row: Row) => Readonly<Record<string, string | number | undefined>>
): Table => [Object.keys(toCsv(rows[0]!)), ...rows.map((row) => Object.values(toCsv(row)))]

interface CsvButtonProps extends OfProps {
  readonly file: string
  /** None where they cannot be read. */
  readonly rows: () => Promise<Table | undefined> | Table
}

/** Downloads a whole table as CSV. */
export const CsvButton = ({ of, file, rows }: CsvButtonProps) => {
  const { words } = usePage()
  const save = async () => {
    const [{ downloadRows }, table] = await Promise.all([import("./csv.ts"), rows()])
    if (table !== undefined) downloadRows(`${file}.csv`, table)
  }
  return <ActionButton action={words.downloadCsv} of={of} onClick={() => void save()} />
}

/** Prints what is shown, as the browser's own command does. */
export const PrintButton = ({ of }: OfProps) => {
  const { words } = usePage()
  return <ActionButton action={words.print} of={of} onClick={() => print()} />
}
