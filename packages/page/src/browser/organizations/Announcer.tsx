/** Counts beside the screen: changes that screen readers announce, and all places on paper. */
import { useEffect, useRef, useState } from "preact/hooks"
import { serverNow } from "../shared/clock.ts"
import { usePage } from "../shared/context.ts"
import { Table } from "../shared/Table.tsx"
import { usePrinting } from "../shared/usePrinting.ts"
import { useThrottled } from "../shared/useThrottled.ts"
import { announcedChanges, describeCount } from "./announcements.ts"
import { pathNameOf } from "./lineages.ts"
import type { Premises } from "./model.ts"

/** How often changes are announced at most, in milliseconds. */
const ANNOUNCEMENT_INTERVAL_MS = 10_000

interface PremisesProps {
  readonly premises: ReadonlyArray<Premises>
}

/** Announces changed counts through a live region, at intervals: the stream alone would never stop. */
export const Announcer = ({ premises }: PremisesProps) => {
  const { words, formats } = usePage()
  const latest = useThrottled(premises, ANNOUNCEMENT_INTERVAL_MS)
  const announced = useRef(latest)
  const [text, setText] = useState("")
  useEffect(() => {
    const changes = announcedChanges(announced.current, latest)
    announced.current = latest
    if (changes.length > 0) setText(`${changes.map((one) => describeCount({ words, formats }, one)).join(". ")}.`)
  }, [latest])
  return (
    <p aria-live="polite" class="unseen">
      {text}
    </p>
  )
}

/** All places with their counts, on paper alone: the list on the screen may be searched, or show a part. */
export const PrintedCounts = ({ premises }: PremisesProps) => {
  const { words, formats } = usePage()
  if (!usePrinting()) return null
  return (
    <section class="on-paper">
      <p>{words.printedAt(formats.moment(serverNow()))}</p>
      <Table
        columns={[
          {
            title: words.place,
            cell: ({ placeId, lineage }) => (placeId === undefined ? words.whole : pathNameOf(lineage))
          },
          { title: words.inside, cell: ({ count }) => formats.number(count.inside) },
          {
            title: words.capacity,
            cell: ({ count: { capacity } }) => (capacity === undefined ? "–" : formats.number(capacity))
          },
          { title: words.state, cell: ({ count }) => words.level[count.level] }
        ]}
        rows={premises}
        keyOf={({ placeId }) => String(placeId)}
      />
    </section>
  )
}
