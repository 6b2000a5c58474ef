/** A list that the server answers in parts, and its table. */
import { useEffect, useRef, useState } from "preact/hooks"
import { useOpened } from "./context.ts"
import { DataTable, type TableProps } from "./DataTable.tsx"
import { NotLoaded } from "./NotLoaded.tsx"
import { ActionButton } from "./ActionButton.tsx"

/** A part of a list, and what the next one is asked for with. */
export interface Part<Row, Next> {
  readonly rows: ReadonlyArray<Row>
  readonly next?: Next | undefined
}

/** What is read of a list, and what reads on. */
interface Parts<Row, Next> extends Part<Row, Next> {
  readonly isRead: boolean
  readonly isWaiting: boolean
  readonly failure?: unknown
}

const NOTHING = { rows: [], next: undefined, isRead: false, isWaiting: true, failure: undefined }

/** Reads the first part of a list, again when one of `keys` changes, and others by the button that {@link PartsTable} has. */
export const useParts = <Row, Next>(
  read: (after: Next | undefined) => Promise<Part<Row, Next>>,
  keys: ReadonlyArray<unknown>
) => {
  const [state, setState] = useState<Parts<Row, Next>>(NOTHING)
  const turn = useRef(0)
  /** Answers all that is read with one more part; undefined where that cannot be read, or is not wanted any more. */
  const readAfter = async ({ rows, next }: Part<Row, Next>): Promise<Part<Row, Next> | undefined> => {
    const own = ++turn.current
    setState((before) => ({ ...before, isWaiting: true, failure: undefined }))
    try {
      const part = await read(next)
      if (own !== turn.current) return undefined
      const all = { rows: [...rows, ...part.rows], next: part.next }
      setState({ ...all, isRead: true, isWaiting: false })
      return all
    } catch (failure) {
      if (own === turn.current) setState((before) => ({ ...before, failure, isWaiting: false }))
      return undefined
    }
  }
  useEffect(() => {
    setState(NOTHING)
    void readAfter(NOTHING)
    return () => {
      turn.current++
    }
  }, keys)
  const readAll = async () => {
    let all: Part<Row, Next> | undefined = state
    while (all?.next !== undefined) all = await readAfter(all)
    return all?.rows
  }
  const { rows, next, isRead, isWaiting, failure } = state
  return { rows, hasMore: next !== undefined, isRead, isWaiting, failure, readOn: () => void readAfter(state), readAll }
}

type PartsTableProps<Row> = TableProps<Row> & {
  readonly parts: ReturnType<typeof useParts<Row, unknown>>
}

/** The parts that are read, and a button that reads the next one. */
export const PartsTable = <Row,>({ parts, ...props }: PartsTableProps<Row>) => {
  const { words } = useOpened()
  const { rows, hasMore, isRead, isWaiting, failure, readOn, readAll } = parts
  const hasFailed = failure !== undefined
  const more = (hasMore || hasFailed) && (
    <ActionButton action={hasFailed ? words.tryAgain : words.more} disabled={isWaiting} onClick={readOn} />
  )
  return (
    <>
      {(hasFailed || !isRead) && <NotLoaded failure={failure} />}
      {isRead ? (
        <DataTable {...props} rows={rows} readAll={readAll}>
          {more}
        </DataTable>
      ) : (
        more
      )}
    </>
  )
}
