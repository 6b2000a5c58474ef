/** The state of the connection in the header: whether the numbers are current, and since when they are not. */
import type { Live } from "./useLive.ts"
import { usePage } from "../shared/context.ts"

export const Status = ({ live: { connection, counts, heardAt } }: { live: Live }) => {
  const { words, formats } = usePage()
  const [kind, text] =
    connection === "connecting"
      ? ["connecting", words.connecting]
      : connection === "lost"
        ? ["lost", heardAt === 0 ? words.notReached : words.lost(formats.moment(heardAt))]
        : connection === "replaced"
          ? ["lost", words.replaced(formats.moment(heardAt))]
          : counts.isStale
            ? ["lost", words.stale]
            : ["live", words.live]
  return (
    <p role="status" class={`status ${kind}`}>
      {text}
    </p>
  )
}
