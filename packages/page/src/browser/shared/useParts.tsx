/** A list that the server answers in parts, and its table. */
import { useEffect, useRef, useState } from "preact/hooks"
import { useOpened } from "./context.ts"
import { DataTable, type TableProps } from "./DataTable.tsx"
import { NotLoaded } from "./NotLoaded.tsx"

/** A part of a list, and what the next one is asked for with. */
export interface Part<Row, Next> {
  readonly rows: ReadonlyArray<Row>
  readonly next?: Next | undefined
}

interface State<Row, Next> extends Part<Row, Next> {
  readonly isRead: boolean
  readonly isWaiting: boolean
  readonly failure: unknown
}

/** What is read of a list, and what reads on. */
interface Parts<Row> extends State<Row, unknown> {
  readonly readOn: () => void
  /** Undefined where a part cannot be read. */
  readonly readAll: () => Promise<ReadonlyArray<Row> | undefined>
}

/** Reads the first part of a list, again when one of `keys` changes, and others by the button {@link PartsTable} has. */
export const useParts = <Row, Next>(
  read: (after: Next | undefined) => Promise<Part<Row, Next>>,
  keys: ReadonlyArray<unknown>
): Parts<Row> => {
  const [state, setState] = useState<State<Row, Next>>({ rows: [], isRead: false, isWaiting: true, failure: undefined })
  const turn = useRef(0)
  const readOn = async ({ rows, next }: Part<Row, Next>): Promise<Part<Row, Next> | undefined> => {
    const own = ++turn.current
    const update = (state: Partial<State<Row, Next>>) => {
      if (own === turn.current) setState((before) => ({ ...before, ...state }))
    }
    update({ isWaiting: true, failure: undefined })
    try {
      const part = await read(next)
      const all = { rows: [...rows, ...part.rows], next: part.next }
      update({ ...all, isRead: true, isWaiting: false })
      return own === turn.current ? all : undefined
    } catch (failure) {
      update({ failure, isWaiting: false })
      return undefined
    }
  }
  const readAll = async () => {
    let all: Part<Row, Next> | undefined = state
    while (all?.next !== undefined) all = await readOn(all)
    return all?.rows
  }
  useEffect(() => {
    setState((before) => ({ ...before, rows: [], next: undefined, isRead: false }))
    void readOn({ rows: [] })
    return () => {
      turn.current++
    }
  }, keys)
  return { ...state, readOn: () => void readOn(state), readAll }
}

type PartsTableProps<Row> = TableProps<Row> & { readonly parts: Parts<Row> }

/** The parts that are read, and a button that reads the next one. */
export const PartsTable = <Row,>({ parts, ...props }: PartsTableProps<Row>) => {
  const { words } = useOpened()
  const { rows, next, isRead, isWaiting, failure, readOn, readAll } = parts
  const hasFailed = failure !== undefined
  const more = (next !== undefined || hasFailed) && (
    <button type="button" disabled={isWaiting} onClick={readOn}>
      {hasFailed ? words.tryAgain : words.more}
    </button>
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
