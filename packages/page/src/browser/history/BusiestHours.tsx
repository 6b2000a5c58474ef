/** How many are inside on average, by the weekday and the hour, as a table that is shaded by its numbers. */
import type { HistoryRowJson } from "@sojourn/adapter-http/json"
import { usePage } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import { busiestHours, samplesOf, STEPS } from "./chart.ts"

/** How many days are read: as many hours as the server answers at once. */
const DAYS = 56

/** How many shades there are. */
const SHADES = 5

/** A Sunday, from which the names of the weekdays are taken. */
const SUNDAY = new Date(2026, 0, 4)

const BusiestHours = ({ path }: { readonly path: string }) => {
  const { words, formats, api } = usePage()
  const { value, failure } = useLoaded(async () => {
    const now = Date.now()
    const query = `from=${new Date(now - DAYS * STEPS.day).toISOString()}&to=${new Date(now).toISOString()}&step=hour`
    const rows = (await api.get<ReadonlyArray<HistoryRowJson>>(`${path}/history?${query}`)) ?? []
    return busiestHours(samplesOf(rows, "hour", now))
  }, [path])
  if (value === undefined) return <NotLoaded failure={failure} />
  const most = Math.max(...value.flat().map((count) => count ?? 0))
  const days = Array.from({ length: 7 }, (_, nth) => (nth + formats.firstWeekday) % 7)
  return (
    <div class="scrolling" role="region" aria-label={words.busiestHours} tabindex={0}>
      <table class="heat">
        <caption>{words.busiestHint}</caption>
        <thead>
          <tr>
            <th scope="col">{words.weekday}</th>
            {Array.from({ length: 24 }, (_, hour) => (
              <th key={hour} scope="col" class="number">
                {formats.hour(new Date(2026, 0, 4, hour))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day}>
              <th scope="row">{formats.weekday(new Date(SUNDAY.getTime() + (day + 0.5) * STEPS.day))}</th>
              {value[day]!.map((count, hour) => (
                <td
                  key={hour}
                  class={`number heat-${count === undefined || most === 0 ? 0 : Math.ceil((count / most) * SHADES)}`}
                >
                  {count === undefined ? "–" : formats.number(Math.round(count))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export default BusiestHours
