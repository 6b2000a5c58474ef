/** The choice of a window of days: a named one, or dates. */
import type { ComponentChildren } from "preact"
import { useMemo, useState } from "preact/hooks"
import { serverNow } from "./clock.ts"
import { useOpened } from "./context.ts"
import { dateOf, type Days, daysOf, type NamedWindow, type Window, windowOf } from "./localTime.ts"

/** `any` stands for all time, which is no window. */
type Choice = NamedWindow | "dates" | "any"

/** The window; undefined where it is any time, or wrong. The element chooses it. */
export const useWindow = (zone: string, choices: ReadonlyArray<Choice>) => {
  const { words, formats } = useOpened()
  const [choice, setChoice] = useState(choices[0]!)
  const [dates, setDates] = useState<Days>({ from: "", to: "" })
  const today = dateOf(serverNow(), zone)
  const days = choice === "dates" || choice === "any" ? dates : daysOf(choice, today, formats.firstWeekday)
  const { from, to } = days
  const window = useMemo<Window | undefined>(
    () => (choice === "any" ? undefined : windowOf({ from, to }, zone)),
    [choice, from, to, zone]
  )
  const choose = (chosen: Choice) => {
    // Dates begin with those of the window before.
    if (chosen === "dates") setDates(days.from === "" ? daysOf("week", today, formats.firstWeekday) : days)
    setChoice(chosen)
  }
  const isWrong = choice !== "any" && window === undefined
  const element: ComponentChildren = (
    <>
      <label>
        {words.period}
        <select value={choice} onChange={({ currentTarget: { value } }) => choose(value as Choice)}>
          {choices.map((one) => (
            <option key={one} value={one}>
              {words.periods[one]}
            </option>
          ))}
        </select>
      </label>
      {choice === "dates" &&
        (["from", "to"] as const).map((name) => (
          <label key={name}>
            {words.times[name]}
            <input
              type="date"
              value={dates[name]}
              onInput={({ currentTarget: { value } }) => setDates({ ...dates, [name]: value })}
            />
          </label>
        ))}
      <small role="status">{isWrong ? words.periodWrong : words.timesIn(zone)}</small>
    </>
  )
  return { window, isAny: choice === "any", element }
}
