/** How many are inside on average, by the weekday and the hour, as a table that is shaded by its numbers. */
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import { busiestHours, STEPS } from "./chart.ts"
import { type HistoryOf, readHistory } from "./useHistory.ts"

/** How many days are read: whole weeks, so that each weekday counts as much. */
const DAYS = 56

/** How many shades there are, and how much stronger each is, in percent. */
const [SHADES, SHADE_STEP] = [5, 10]

/** A Sunday, from which the names of the weekdays are taken. */
const SUNDAY = new Date(2026, 0, 4)

const BusiestHours = ({ of }: { readonly of: HistoryOf }) => {
  const { words, formats, api } = useOpened()
  const { value, failure } = useLoaded(async () => {
    const { known } = await readHistory(api, of, { length: DAYS * STEPS.day, step: "hour" })
    return busiestHours(known)
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
                {formats.weekday(new Date(SUNDAY.getTime() + (day + 0.5) * STEPS.day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 24 }, (_, hour) => (
            <tr key={hour}>
              <th scope="row" class="number">
                {formats.hour(new Date(2026, 0, 4, hour))}
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
