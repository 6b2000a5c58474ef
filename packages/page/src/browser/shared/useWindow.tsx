/** The choice of a window of days: a named one, or dates. */
import { useMemo, useState } from "preact/hooks"
import { serverNow } from "./clock.ts"
import { useOpened } from "./context.ts"
import { Choice, Field } from "./fields.tsx"
import { dateOf, type Days, daysOf, type NamedWindow, windowOf } from "./localTime.ts"

/** `any` stands for all time, which is no window. */
type Chosen = NamedWindow | "dates" | "any"

const WINDOWS: ReadonlyArray<Chosen> = ["today", "yesterday", "week", "lastWeek", "month", "dates"]

/** The window, at first this week or, where that can be chosen, any time; undefined where it is any time, or wrong. The element chooses it. */
export const useWindow = (first: "week" | "any") => {
  const { words, formats } = useOpened()
  const { zone, firstWeekday } = formats
  const [choice, setChoice] = useState<Chosen>(first)
  const [dates, setDates] = useState<Days>({ from: "", to: "" })
  const today = dateOf(serverNow(), zone)
  const days = choice === "dates" || choice === "any" ? dates : daysOf(choice, today, firstWeekday)
  const { from, to } = days
  const isAny = choice === "any"
  const window = useMemo(() => (isAny ? undefined : windowOf({ from, to }, zone)), [isAny, from, to, zone])
  const choose = (chosen: Chosen) => {
    // Dates begin with those of the window before.
    if (chosen === "dates") setDates(from === "" ? daysOf("week", today, firstWeekday) : days)
    setChoice(chosen)
  }
  const element = (
    <>
      <Choice
        label={words.period}
        texts={words.periods}
        values={first === "any" ? ["any", ...WINDOWS] : WINDOWS}
        value={choice}
        onValue={choose}
      />
      {choice === "dates" &&
        (["from", "to"] as const).map((name) => (
          <Field
            key={name}
            label={words.times[name]}
            type="date"
            value={dates[name]}
            onInput={({ currentTarget: { value } }) => setDates({ ...dates, [name]: value })}
          />
        ))}
      <small role="status">{!isAny && window === undefined ? words.periodWrong : words.timesIn(zone)}</small>
    </>
  )
  return { window, isAny, element }
}
