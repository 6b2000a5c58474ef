import { useState } from "preact/hooks"
import { useOpened } from "./context.ts"

/** The rows of a page of a table. */
const ROWS_PER_PAGE = 50

/** The rows of the page that is shown, and buttons to the other pages with their numbers. */
export const usePages = <Row,>(rows: ReadonlyArray<Row>) => {
  const { words, formats } = useOpened()
  const [chosen, setPage] = useState(0)
  const pages = Math.max(Math.ceil(rows.length / ROWS_PER_PAGE), 1)
  const page = Math.min(chosen, pages - 1)
  const first = page * ROWS_PER_PAGE
  const shown = rows.slice(first, first + ROWS_PER_PAGE)
  const range = `${formats.number(Math.min(first + 1, rows.length))}–${formats.number(first + shown.length)}`
  const pager = (
    <>
      <span role="status">{words.shown(range, formats.number(rows.length))}</span>
      {pages > 1 && (
        <>
          <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
            {words.previousPage}
          </button>
          <button type="button" disabled={page === pages - 1} onClick={() => setPage(page + 1)}>
            {words.nextPage}
          </button>
        </>
      )}
    </>
  )
  return { shown, pager }
}
