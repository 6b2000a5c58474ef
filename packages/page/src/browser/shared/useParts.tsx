/** A list that the server answers in parts. */
import { useEffect, useRef, useState } from "preact/hooks"
import { usePage } from "./context.ts"
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

/**
 * Reads the first part of a list, again when one of `keys` changes, and others by a button. `status` stands above the list while nothing
 * is read, and where something cannot be.
 */
export const useParts = <Row, Next>(
  read: (after: Next | undefined) => Promise<Part<Row, Next>>,
  keys: ReadonlyArray<unknown>
) => {
  const { words } = usePage()
  const [state, setState] = useState<State<Row, Next>>({ rows: [], isRead: false, isWaiting: true, failure: undefined })
  const turn = useRef(0)
  const readOn = async ({ rows, next }: Part<Row, Next>): Promise<void> => {
    const own = ++turn.current
    const update = (state: Partial<State<Row, Next>>) => {
      if (own === turn.current) setState((before) => ({ ...before, ...state }))
    }
    update({ isWaiting: true, failure: undefined })
    try {
      const part = await read(next)
      update({ rows: [...rows, ...part.rows], next: part.next, isRead: true, isWaiting: false })
    } catch (failure) {
      update({ failure, isWaiting: false })
    }
  }
  useEffect(() => {
    setState((before) => ({ ...before, rows: [], next: undefined, isRead: false }))
    void readOn({ rows: [] })
    return () => {
      turn.current++
    }
  }, keys)
  const { rows, next, isRead, isWaiting, failure } = state
  const hasFailed = failure !== undefined
  return {
    rows,
    isRead,
    status: hasFailed || !isRead ? <NotLoaded failure={failure} /> : undefined,
    more: (next !== undefined || hasFailed) && (
      <button type="button" disabled={isWaiting} onClick={() => void readOn({ rows, next })}>
        {hasFailed ? words.tryAgain : words.more}
      </button>
    )
  }
}
