/** Data that a component reads from the server. */
import { Refused, RequestFailed } from "@sojourn/client"
import { useEffect, useRef, useState } from "preact/hooks"

/** Something that is read from the server: the last answer stays while it is read again. */
export interface Loaded<A> {
  readonly value: A | undefined
  readonly failure: unknown
  readonly reload: () => void
}

/** How long to wait before something is read again that the server could not answer now, in milliseconds. */
export const RETRY_DELAY_MS = 5_000

/** How often something is read that the stream tells nothing of, in milliseconds. */
export const POLL_INTERVAL_MS = 5_000

/** After how long without an answer something is said to take long, and is asked for once more, in milliseconds. */
export const SLOW_MS = 10_000

/** Whether something may succeed later. */
export const isTemporary = (failure: unknown): boolean => {
  if (!(failure instanceof Refused || failure instanceof RequestFailed)) return false
  const { status = 503 } = failure
  return status === 429 || status >= 500
}

/**
 * Reads something when the component begins, again whenever one of `keys` changes, and for as long as the server is away or
 * overloaded. With an interval it is read again while the page is visible.
 */
export const useLoaded = <A>(load: () => Promise<A>, keys: ReadonlyArray<unknown>, intervalMs?: number): Loaded<A> => {
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<Pick<Loaded<A>, "value" | "failure">>({ value: undefined, failure: undefined })
  const isPending = useRef(false)
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const isFirst = () => {
      clearInterval(slow)
      isPending.current = false
      return isCurrent
    }
    const read = () =>
      load().then(
        (value) => isFirst() && setState({ value, failure: undefined }),
        (failure: unknown) => {
          if (!isFirst()) return
          setState(({ value }) => ({ value, failure }))
          if (isTemporary(failure)) timer = setTimeout(() => setTurn((turn) => turn + 1), RETRY_DELAY_MS)
        }
      )
    // A request on a connection that broke silently is never answered; a slow one still is.
    const slow = setInterval(() => void read(), SLOW_MS)
    isPending.current = true
    void read()
    return () => {
      isCurrent = false
      clearInterval(slow)
      clearTimeout(timer)
    }
  }, [turn, ...keys])
  useEffect(() => {
    if (intervalMs === undefined) return
    const timer = setInterval(() => document.hidden || isPending.current || setTurn((turn) => turn + 1), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return { ...state, reload: () => setTurn((turn) => turn + 1) }
}
