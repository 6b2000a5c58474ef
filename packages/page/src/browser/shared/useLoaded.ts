/** Data that a component reads from the server. */
import { Refused, RequestFailed } from "@sojourn/client"
import { useEffect, useState } from "preact/hooks"

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
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    load().then(
      (value) => isCurrent && setState({ value, failure: undefined }),
      (failure: unknown) => {
        if (!isCurrent) return
        setState(({ value }) => ({ value, failure }))
        if (isTemporary(failure)) timer = setTimeout(() => setTurn((turn) => turn + 1), RETRY_DELAY_MS)
      }
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [turn, ...keys])
  useEffect(() => {
    if (intervalMs === undefined) return
    const timer = setInterval(() => document.hidden || setTurn((turn) => turn + 1), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return { ...state, reload: () => setTurn((turn) => turn + 1) }
}
