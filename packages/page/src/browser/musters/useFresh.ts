/** Something that is read from the server again soon after each change, as a hook. */
import { useEffect, useRef, useState } from "preact/hooks"
import { usePage } from "../shared/context.ts"
import { isTemporary, POLL_INTERVAL_MS } from "../shared/useLoaded.ts"

/** The shortest time from one reading to the next after a change that is to be seen at once, and after another one, in milliseconds. */
const [SOON_MS, LATER_MS] = [250, 2_000]

/** How long to wait before the next reading after one that failed, in milliseconds. */
const RETRY_MS = 3_000

/**
 * Reads something in the beginning, again after each change of `soon` or `later`, at intervals without the stream, and after a failure, also as
 * soon as the browser is online again. A reading is never given up for the next one, so that some arrive however many changes there are.
 */
export const useFresh = <A>(
  read: () => Promise<A>,
  isLive: boolean,
  soon: unknown,
  later?: (value: A | undefined) => unknown
) => {
  const { api } = usePage()
  const [state, setState] = useState<{ readonly value?: A; readonly failure?: unknown }>({})
  const latest = useRef(read)
  latest.current = read
  const [{ plan, put, end }] = useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let [isReading, isGone] = [false, false]
    /** How long after the last reading the next one is due. */
    let delay = Infinity
    let readAt = -Infinity
    let generation = 0
    const plan = (within: number) => {
      delay = Math.min(delay, within)
      clearTimeout(timer)
      if (!isReading && !isGone && delay < Infinity)
        timer = setTimeout(begin, Math.max(readAt + delay - performance.now(), 0))
    }
    const begin = async () => {
      const own = generation
      isReading = true
      delay = Infinity
      try {
        const value = await latest.current()
        if (own !== generation) delay = 0
        else if (!isGone) setState({ value })
      } catch (failure) {
        if (isTemporary(failure)) delay = Math.min(delay, RETRY_MS)
        if (!isGone) setState((before) => ({ ...before, failure }))
      }
      isReading = false
      readAt = performance.now()
      plan(Infinity)
    }
    const put = (value: A) => {
      generation++
      setState({ value })
    }
    const end = () => {
      isGone = true
      clearTimeout(timer)
    }
    return { plan, put, end }
  })
  const reload = () => plan(0)
  // A session that was renewed has another client.
  useEffect(() => plan(SOON_MS), [soon, api])
  useEffect(() => plan(LATER_MS), [later?.(state.value)])
  useEffect(() => {
    if (isLive) return
    const timer = setInterval(reload, POLL_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isLive])
  useEffect(() => {
    addEventListener("online", reload)
    return () => {
      removeEventListener("online", reload)
      end()
    }
  }, [])
  return {
    ...state,
    reload,
    /** Takes over what another request answered: a reading that began before does not replace it. */
    put
  }
}
