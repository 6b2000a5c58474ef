/** A button that downloads a whole table as CSV. */
import { usePage } from "./context.ts"

interface CsvButtonProps {
  /** The name of the table, by which its button differs from others. */
  readonly of: string
  readonly file: string
  /** The names of the columns, and the rows. */
  readonly rows: () => ReadonlyArray<ReadonlyArray<string | number | undefined>>
}

export const CsvButton = ({ of, file, rows }: CsvButtonProps) => {
  const { words } = usePage()
  return (
    <button
      type="button"
      aria-label={`${words.downloadCsv}: ${of}`}
      onClick={() => void import("./csv.ts").then(({ downloadRows }) => downloadRows(`${file}.csv`, rows()))}
    >
      {words.downloadCsv}
    </button>
  )
}
