/** Values that change too often to be shown or to be read by each time. */
import { useEffect, useRef, useState } from "preact/hooks"

/** The shortest time between two readings of a list of people while people enter and leave, in milliseconds. */
export const LIST_INTERVAL_MS = 2_000

/** A value that changes at most once in so many milliseconds. */
export const useThrottled = <A>(value: A, milliseconds: number): A => {
  const [shown, setShown] = useState(value)
  const changedAt = useRef(0)
  useEffect(() => {
    if (value === shown) return
    const change = () => {
      changedAt.current = Date.now()
      setShown(value)
    }
    const timer = setTimeout(change, Math.max(changedAt.current + milliseconds - Date.now(), 0))
    return () => clearTimeout(timer)
  }, [value, shown])
  return shown
}
