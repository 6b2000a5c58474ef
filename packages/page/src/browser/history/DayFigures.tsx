/** What a day had so far beside the number inside: visits, their average stay, and the peak. */
import { usePage } from "../shared/context.ts"
import { POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { useThrottled } from "../shared/useThrottled.ts"
import type { Count } from "../live/counts.ts"
import { endOf, type HistoryOf, rowsOf } from "./rows.ts"
import type { Replay } from "./useReplay.ts"

interface DayFiguresProps {
  readonly of: HistoryOf
  /** The live count: the running day is read again as it changes. */
  readonly count: Count
  readonly replay: Replay
}

export const DayFigures = ({ of, count, replay: { day, today } }: DayFiguresProps) => {
  const { words, formats, api } = usePage()
  const isToday = day.date === today
  const seen = useThrottled(count, POLL_INTERVAL_MS)
  const { value: row } = useLoaded(
    async () => {
      const read = rowsOf(api, of, formats.zone)
      const [row] = await read("day", day.start, endOf(day))
      if (row === undefined || row.averageStay !== undefined || row.left === 0) return row
      // Of anonymous people the running day has none, but its hours that are over do.
      const hours = await read("hour", day.start, endOf(day))
      const known = hours.filter(({ averageStay }) => averageStay !== undefined)
      const exits = known.reduce((sum, { left }) => sum + left, 0)
      const stayed = known.reduce((sum, { left, averageStay }) => sum + left * averageStay!, 0)
      return { ...row, averageStay: exits === 0 ? undefined : stayed / exits }
    },
    [of.organizationId, of.placeId, day.start],
    { changes: [isToday && seen] }
  )
  const { number, duration } = formats
  const figures = [
    [words.visits(isToday ? undefined : formats.day(day.start)), row && number(row.entered)],
    [words.averageStay, row?.averageStay && duration(row.averageStay)],
    [words.peak, row && number(row.most)]
  ]
  return (
    <dl class="figures">
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{figure ?? "–"}</dd>
        </div>
      ))}
    </dl>
  )
}
