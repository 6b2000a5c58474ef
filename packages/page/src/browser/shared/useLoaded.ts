/** Data that a component reads from the server. */
import { Refused, RequestFailed } from "@sojourn/client"
import { useEffect, useState } from "preact/hooks"
import { usePage } from "./context.ts"

/** Something that is read from the server: its last answer stays while the same is read again. */
export interface Loaded<A> {
  readonly value: A | undefined
  readonly failure: unknown
  readonly reload: () => void
}

/** How long to wait before something is read again that the server could not answer now, in milliseconds. */
const RETRY_DELAY_MS = 5_000

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

/** Whether the server refused something with one of these statuses. */
export const isRefused = (failure: unknown, ...statuses: ReadonlyArray<number>): boolean =>
  failure instanceof Refused && statuses.includes(failure.status)

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
  const reload = () => setTurn((turn) => turn + 1)
  const [state, setState] = useState<{ of?: typeof of; value?: A; failure?: unknown }>({})
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const readIn = (milliseconds: number) => {
      timer = setTimeout(() => (document.hidden ? readIn(milliseconds) : reload()), milliseconds)
    }
    const read = async () => {
      const answer = await load().then(
        (value) => ({ of, value }),
        (failure: unknown) => ({ of, failure })
      )
      if (!isCurrent) return
      clearInterval(slow)
      clearTimeout(timer)
      const hasFailed = "failure" in answer
      setState((before) => (hasFailed && isSame(before.of, of) ? { ...before, ...answer } : answer))
      if (hasFailed && isTemporary(answer.failure)) timer = setTimeout(reload, RETRY_DELAY_MS)
      // Another answer than a refusal is not to be expected.
      else if (intervalMs !== undefined && !(hasFailed && isRefused(answer.failure, 401, 403))) readIn(intervalMs)
    }
    // A request on a connection that broke silently is never answered; a slow one still is.
    const slow = setInterval(() => void read(), SLOW_MS)
    void read()
    return () => {
      isCurrent = false
      clearInterval(slow)
      clearTimeout(timer)
    }
    // A session that was renewed has another client: what it was refused meanwhile is read again.
  }, [turn, api, intervalMs, ...of, ...changes])
  const { value, failure } = isSame(state.of, of) ? state : {}
  return { value, failure, reload }
}
