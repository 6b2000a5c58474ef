import { useState } from "preact/hooks"
import { useOpened } from "./context.ts"
import { ActionButton } from "./ActionButton.tsx"

/** The rows of a page of a table. */
const ROWS_PER_PAGE = 50

interface PageButtonsProps {
  readonly page: number
  readonly last: number
  readonly onPage: (page: number) => void
}

/** Buttons to the pages before and after one. */
export const PageButtons = ({ page, last, onPage }: PageButtonsProps) => {
  const { words } = useOpened()
  return (
    <>
      <ActionButton action={words.previousPage} disabled={page === 0} onClick={() => onPage(page - 1)} />
      <ActionButton action={words.nextPage} disabled={page >= last} onClick={() => onPage(page + 1)} />
    </>
  )
}

/** The rows of the page that is shown, and buttons to the other pages with their numbers. */
export const usePages = <Row,>(rows: ReadonlyArray<Row>) => {
  const { words, formats } = useOpened()
  const [chosen, setPage] = useState(0)
  const last = Math.max(Math.ceil(rows.length / ROWS_PER_PAGE) - 1, 0)
  const page = Math.min(chosen, last)
  const first = page * ROWS_PER_PAGE
  const shown = rows.slice(first, first + ROWS_PER_PAGE)
  const range = `${formats.number(Math.min(first + 1, rows.length))}–${formats.number(first + shown.length)}`
  const pager = (
    <>
      <span role="status">{words.shown(range, formats.number(rows.length))}</span>
      {last > 0 && <PageButtons page={page} last={last} onPage={setPage} />}
    </>
  )
  return { shown, pager }
}
