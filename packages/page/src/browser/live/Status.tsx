/** Says whether the numbers are current, and since when they are not. */
import { usePage } from "../shared/context.ts"
import type { Live } from "./useLive.ts"
import { useMoment } from "./times.ts"

interface StatusProps {
  readonly live: Live
  /** That of the organization that is shown. */
  readonly timeZone: string | undefined
}

export const Status = ({ live: { connection, counts, heardAt }, timeZone }: StatusProps) => {
  const { words } = usePage()
  const moment = useMoment(timeZone)
  const texts = {
    connecting: words.connecting,
    lost: heardAt === 0 ? words.notReached : words.lost(moment(heardAt)),
    replaced: words.replaced(moment(heardAt)),
    live: counts.isStale ? words.stale : words.live
  }
  const isLost = connection === "lost" || connection === "replaced" || (connection === "live" && counts.isStale)
  return (
    <p role="status" class={`status ${isLost ? "lost" : connection}`}>
      {texts[connection]}
    </p>
  )
}
