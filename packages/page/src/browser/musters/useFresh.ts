/** Something that is read from the server again soon after each change, as a hook. */
import { useEffect, useRef, useState } from "preact/hooks"
import { usePage } from "../shared/context.ts"
import { isTemporary, type Loaded, POLL_INTERVAL_MS } from "../shared/useLoaded.ts"

/** The shortest time from one reading to the next after a change that is to be seen at once, and after another one, in milliseconds. */
const [SOON_MS, LATER_MS] = [250, 2_000]

/** How long to wait before the next reading after one that failed, in milliseconds. */
const RETRY_MS = 3_000

interface Fresh<A> extends Loaded<A> {
  /** Takes over what another request answered: a reading that began before does not replace it. */
  readonly put: (value: A) => void
}

/**
 * Reads something in the beginning, again after each change of `soon` or `later`, at intervals without the stream, and after a failure, also as
 * soon as the browser is online again. A reading is never given up for the next one, so that some arrive however many changes there are.
 */
export const useFresh = <A>(read: () => Promise<A>, isLive: boolean, soon: unknown, later?: unknown): Fresh<A> => {
  const [{ value, failure }, setState] = useState<Pick<Loaded<A>, "value" | "failure">>({
    value: undefined,
    failure: undefined
  })
  const { api } = usePage()
  const latest = useRef(read)
  latest.current = read
  const [reader] = useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    let isGone = false
    /** How long after the last reading the next one is due. */
    let delay = Infinity
    let readAt = -Infinity
    let generation = 0
    const arm = () => {
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
        else if (!isGone) setState({ value, failure: undefined })
      } catch (failure) {
        if (isTemporary(failure)) delay = Math.min(delay, RETRY_MS)
        if (!isGone) setState(({ value }) => ({ value, failure }))
      }
      isReading = false
      readAt = performance.now()
      arm()
    }
    const plan = (within: number) => {
      delay = Math.min(delay, within)
      arm()
    }
    const put = (value: A) => {
      generation++
      setState({ value, failure: undefined })
    }
    const end = () => {
      isGone = true
      clearTimeout(timer)
    }
    return { plan, put, end }
  })
  // A session that was renewed has another client.
  useEffect(() => reader.plan(SOON_MS), [soon, api])
  useEffect(() => reader.plan(LATER_MS), [later])
  useEffect(() => {
    if (isLive) return
    const timer = setInterval(() => reader.plan(0), POLL_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isLive])
  useEffect(() => {
    const readNow = () => reader.plan(0)
    addEventListener("online", readNow)
    return () => {
      removeEventListener("online", readNow)
      reader.end()
    }
  }, [])
  return { value, failure, reload: () => reader.plan(0), put: reader.put }
}
