import { useEffect, useState } from "preact/hooks"
import { serverNow } from "../shared/clock.ts"

const MINUTE_MS = 60_000

/** How often the time is looked at, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000

const minuteNow = (): number => Math.floor(serverNow() / MINUTE_MS) * MINUTE_MS

/** The minute that it is by the server's clock. */
export const useServerTime = (): number => {
  const [minute, setMinute] = useState(minuteNow)
  useEffect(() => {
    const timer = setInterval(() => setMinute(minuteNow()), CHECK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  return minute
}
