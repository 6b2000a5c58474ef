/** How many are inside on average, by the weekday and the hour, as a table that is shaded by its numbers. */
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import { serverNow } from "../shared/clock.ts"
import { instantOf } from "../shared/localTime.ts"
import { samplesOf } from "./chart.ts"
import { type HistoryOf, readWeeks, rowsOf } from "./rows.ts"
import { busiestHours } from "./usual.ts"

/** How many shades there are, and how much stronger each is, in percent. */
const [SHADES, SHADE_STEP] = [5, 10]

const BusiestHours = ({ of }: { readonly of: HistoryOf }) => {
  const { words, formats, api } = useOpened()
  const { zone } = formats
  // The names of weekdays and hours are those of a week that begins with a Sunday.
  const local = (day: number, hour: number) =>
    instantOf(`2026-02-0${1 + day}T${String(hour).padStart(2, "0")}:00`, zone)
  const { value, failure } = useLoaded(async () => {
    const now = serverNow()
    return busiestHours(samplesOf(await readWeeks(rowsOf(api, of, zone), now, zone), "hour", now), zone)
  }, [of.placeId])
  if (value === undefined) return <NotLoaded failure={failure} />
  const most = Math.max(...value.flat().map((count) => count ?? 0))
  const days = Array.from({ length: 7 }, (_, nth) => (nth + formats.firstWeekday) % 7)
  return (
    <div class="scrolling" role="region" aria-label={words.busiestHours} tabindex={0}>
      <table class="heat">
        <caption>{words.busiestHint}</caption>
        <thead>
          <tr>
            <td />
            {days.map((day) => (
              <th key={day} scope="col" class="number">
                {formats.weekday(local(day, 12))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 24 }, (_, hour) => (
            <tr key={hour}>
              <th scope="row" class="number">
                {formats.hour(local(0, hour))}
              </th>
              {days.map((day) => {
                const count = value[day]![hour]
                const shade = count === undefined || most === 0 ? 0 : Math.ceil((count / most) * SHADES)
                return (
                  <td key={day} class="number" style={{ "--heat": `${shade * SHADE_STEP}%` }}>
                    {count === undefined ? "–" : formats.number(Math.round(count))}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export default BusiestHours
