/** The time by the server's clock, and moments in an organization's time zone. */
import { useEffect, useMemo, useState } from "preact/hooks"
import { serverNow } from "../shared/clock.ts"
import { usePage } from "../shared/context.ts"
import { zoneOf } from "../shared/localTime.ts"

const MINUTE_MS = 60_000

/** How often the time is looked at, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000

export const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS) * MINUTE_MS

/** The running minute by the server's clock: its beginning, in milliseconds since 1970. */
export const useMinute = (): number => {
  const [minute, setMinute] = useState(() => minuteOf(serverNow()))
  useEffect(() => {
    const timer = setInterval(() => setMinute(minuteOf(serverNow())), CHECK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  return minute
}

/** Writes moments in an organization's time zone, which is named where it is not the browser's. */
export const useMoment = (timeZone: string | undefined) => {
  const { formats } = usePage()
  return useMemo(() => {
    const zone = zoneOf(timeZone)
    const moment = formats.momentIn(zone)
    return zone === zoneOf(undefined) ? moment : (at: Parameters<typeof moment>[0]) => `${moment(at)} (${zone})`
  }, [formats, timeZone])
}
