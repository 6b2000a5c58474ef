/** The time on a board, and since when its numbers are old. */
import type { Live } from "../live/useLive.ts"
import { serverTimeOf } from "../shared/clock.ts"
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
  const since = serverTimeOf(live.heardAt)
  const format = now - since < LONG_AGO_MS ? formats.timeIn(zone) : formats.momentIn(zone)
  return (
    <>
      <time>{formats.timeIn(zone)(now)}</time>
      <p role="status">{!isCurrent(live) && live.heardAt > 0 && words.asOf(format(since))}</p>
    </>
  )
}
