/** What a day had so far beside the number inside: visits, their average stay, and the peak. */
import { usePage } from "../shared/context.ts"
import { POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { useThrottled } from "../shared/useThrottled.ts"
import type { Count } from "../live/counts.ts"
import { endOf, type HistoryOf, readRows } from "./useHistory.ts"
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
  const key = `${of.placeId} ${day.date}`
  const { value } = useLoaded(async () => {
    const range = { from: day.start, to: endOf(day), step: "day", zone: formats.zone } as const
    return { key, row: (await readRows(api, of, range))[0] }
  }, [key, isToday && seen])
  const row = value?.key === key ? value.row : undefined
  const { number, duration } = formats
  const figures = [
    [words.visits, row && number(row.entered)],
    [words.averageStay, row?.averageStay && duration(row.averageStay)],
    [words.peak, row && number(row.most)]
  ]
  return (
    <dl class="figures">
      <div>
        <dt>{words.day}</dt>
        <dd>{isToday ? words.ranges.day : formats.day(day.start)}</dd>
      </div>
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{figure ?? "–"}</dd>
        </div>
      ))}
    </dl>
  )
}
