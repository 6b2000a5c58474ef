/** Data that a component reads from the server. */
import { Refused, RequestFailed } from "@sojourn/client"
import { useEffect, useRef, useState } from "preact/hooks"
import { usePage } from "./context.ts"

/** Something that is read from the server: its last answer stays while the same is read again. */
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

const isSame = (one: ReadonlyArray<unknown> | undefined, other: ReadonlyArray<unknown>): boolean =>
  one !== undefined && one.every((key, nth) => Object.is(key, other[nth]))

interface LoadOptions {
  /** With another one of these the same is read again, and its last answer stays meanwhile. */
  readonly changes?: ReadonlyArray<unknown>
  /** It is read again after so many milliseconds while the page is visible. */
  readonly intervalMs?: number | undefined
}

/**
 * Reads what `of` names: when the component begins, when `of` or `changes` change, and for as long as the server is away or overloaded.
 * An answer belongs to what was asked for: with another `of` there is no value until its own answer has come.
 */
export const useLoaded = <A>(
  load: () => Promise<A>,
  of: ReadonlyArray<unknown>,
  { changes = [], intervalMs }: LoadOptions = {}
): Loaded<A> => {
  const { api } = usePage()
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<{ of?: typeof of; value?: A; failure?: unknown }>({})
  /** Whether the interval passes over: an answer is due, or a session that ended is to be renewed first. */
  const isPaused = useRef(false)
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const ends = (failure?: unknown) => {
      if (!isCurrent) return false
      clearInterval(slow)
      isPaused.current = failure instanceof Refused && failure.status === 401
      return true
    }
    const read = () =>
      load().then(
        (value) => ends() && setState({ of, value }),
        (failure: unknown) => {
          if (!ends(failure)) return
          setState((before) => ({ ...(isSame(before.of, of) && before), of, failure }))
          if (isTemporary(failure)) timer = setTimeout(() => setTurn((turn) => turn + 1), RETRY_DELAY_MS)
        }
      )
    // A request on a connection that broke silently is never answered; a slow one still is.
    const slow = setInterval(() => void read(), SLOW_MS)
    isPaused.current = true
    void read()
    return () => {
      isCurrent = false
      clearInterval(slow)
      clearTimeout(timer)
    }
    // A session that was renewed has another client: what it was refused meanwhile is read again.
  }, [turn, api, ...of, ...changes])
  useEffect(() => {
    if (intervalMs === undefined) return
    const timer = setInterval(() => document.hidden || isPaused.current || setTurn((turn) => turn + 1), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  const { value, failure } = isSame(state.of, of) ? state : {}
  return { value, failure, reload: () => setTurn((turn) => turn + 1) }
}
