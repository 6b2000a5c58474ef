/** The time on a board, and since when its numbers are old. */
import { useMemo } from "preact/hooks"
import type { Live } from "../live/useLive.ts"
import { serverNow } from "../shared/clock.ts"
import { useOpened } from "../shared/context.ts"
import { zoneOf } from "../shared/localTime.ts"
import { useServerTime } from "./useServerTime.ts"

/** From when on the day is said too, in milliseconds. */
const LONG_AGO_MS = 12 * 3_600_000

/** Whether the numbers are those of now. */
export const isCurrent = ({ connection, counts }: Live): boolean => connection === "live" && !counts.isStale

interface BoardTimeProps {
  readonly live: Live
  readonly timeZone: string | undefined
}

export const BoardTime = ({ live, timeZone }: BoardTimeProps) => {
  const { words, formats } = useOpened()
  const now = useServerTime()
  const zone = zoneOf(timeZone)
  const [time, moment] = useMemo(() => [formats.of(zone).time, formats.momentIn(zone)], [formats, zone])
  const since = live.heardAt + serverNow() - Date.now()
  return (
    <>
      <time>{time(now)}</time>
      <p role="status">
        {!isCurrent(live) && live.heardAt > 0 && words.asOf((now - since < LONG_AGO_MS ? time : moment)(since))}
      </p>
    </>
  )
}
