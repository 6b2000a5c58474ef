import { useState } from "preact/hooks"
import { useOpened } from "./context.ts"

/** The rows of a page of a table. */
const ROWS_PER_PAGE = 50

/** The rows of the page that is shown, and buttons to the other pages with their numbers. */
export const usePages = <Row,>(rows: ReadonlyArray<Row>) => {
  const { words, formats } = useOpened()
  const [chosen, setPage] = useState(0)
  const last = Math.max(Math.ceil(rows.length / ROWS_PER_PAGE) - 1, 0)
  const page = Math.min(chosen, last)
  const first = page * ROWS_PER_PAGE
  const shown = rows.slice(first, first + ROWS_PER_PAGE)
  const range = `${formats.number(Math.min(first + 1, rows.length))}–${formats.number(first + shown.length)}`
  const buttons = [
    [words.previousPage, page - 1],
    [words.nextPage, page + 1]
  ] as const
  const pager = (
    <>
      <span role="status">{words.shown(range, formats.number(rows.length))}</span>
      {last > 0 &&
        buttons.map(([label, to]) => (
          <button key={label} type="button" disabled={to < 0 || to > last} onClick={() => setPage(to)}>
            {label}
          </button>
        ))}
    </>
  )
  return { shown, pager }
}
