/** The moment of the day that map and list show: a date, a slider of its minutes, and the buttons that find or play them, as one tab stop. */
import type { TargetedKeyboardEvent } from "preact"
import { useMemo, useState } from "preact/hooks"
import { type OpenedContent, useOpened } from "../shared/context.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { instantOf, localOf } from "../shared/localTime.ts"
import { useOneTabStop } from "../shared/useOneTabStop.ts"
import { sentenceOf } from "../words/sentenceOf.ts"
import { STEPS, ticksOf } from "./chart.ts"
import type { Replay } from "./useReplay.ts"

/** The first day that may be chosen: years before it are typed on the way to others. */
const FIRST_DATE = "2000-01-01"

/** The width for which the ticks of the slider have room, in pixels. */
const TICKS_WIDTH_PX = 260

/** How far the keys Page up and Page down go, in minutes. */
const PAGE_MINUTES = 60

/** The time of a step: an hour has a beginning and an end. */
const spanOf = (format: (at: number) => string, at: number, step: Replay["step"], time = format): string =>
  step === "hour" ? `${format(at)}–${time(at + STEPS.hour)}` : format(at)

/** When numbers are of, where they are not of now: a day is read with the words of opened parts. */
export const Then = ({ replay: { at, isPast, step } }: { readonly replay: Replay }) => {
  const { words, formats } = useOpened()
  if (!isPast || at === undefined) return null
  return (
    <span class="then">
      <time dateTime={new Date(at).toISOString()}>{spanOf(formats.weekdayAndTime, at, step, formats.time)}</time>
      {" · "}
      <strong>{words.notNow}</strong>
    </span>
  )
}

/** What there is to say of the moment beside its time. */
const statusOf = ({ words, formats }: OpenedContent, replay: Replay): string => {
  const { at, isPast, step, peak, progress, failure } = replay
  const all = replay.shown.places.length + 1
  const { number, time, longWeekday } = formats
  if (failure !== undefined) return sentenceOf(words, failure)
  if (at === undefined) return ""
  if (!isPast) return `${words.loading} ${number(progress)} / ${number(all)}`
  if (peak !== undefined) return words.peakAt(longWeekday(peak.at), spanOf(time, peak.at, step), number(peak.most))
  if (replay.isEmpty) return words.noHistoryOfDay
  return step === "hour" ? words.byHours : ""
}

interface ReplayBarProps {
  readonly replay: Replay
  /** How many are inside of what is selected at the moment. */
  readonly inside: number
}

export const ReplayBar = ({ replay, inside }: ReplayBarProps) => {
  const page = useOpened()
  const { words, formats } = page
  const { day, today, last, at, isPast, isPlaying, failure, choose } = replay
  const minutes = (moment: number) => (moment - day.start) / STEPS.minute
  /** What is being typed, which is no date on the way. */
  const [typed, setTyped] = useState<string>()
  const chooseDate = (field: HTMLInputElement) => {
    setTyped(field.value)
    if (field.value === "" || !field.validity.valid) return
    const time = localOf(at ?? last, formats.zone).slice(10)
    choose(instantOf(field.value + time, formats.zone), field.value)
  }
  const slide = (field: HTMLInputElement, moment: number) => {
    choose(moment)
    // What is to come cannot be shown: the slider stays at now.
    if (moment >= last) field.value = String(minutes(last))
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const by = event.key === "PageUp" ? PAGE_MINUTES : event.key === "PageDown" ? -PAGE_MINUTES : 0
    if (by === 0) return
    event.preventDefault()
    slide(event.currentTarget, (at ?? last) + by * STEPS.minute)
  }
  const hasCapacity = [replay.shown.whole, ...replay.shown.places].some(({ count }) => count.capacity !== undefined)
  const ticks = useMemo(() => ticksOf(day.start, day.end - 1, TICKS_WIDTH_PX, formats.zone), [day, formats.zone])
  const when = at === undefined ? words.now : formats.weekdayAndTime(at)
  // Until the day is read the number is that of now.
  const text = at !== undefined && !isPast ? when : `${when}: ${words.insideOf(formats.number(inside))}`
  return (
    <div class={isPast ? "replay past" : "replay"}>
      <div
        class="bar"
        role="toolbar"
        aria-label={words.timeOfDay}
        {...useOneTabStop<HTMLDivElement>("input, button", 1)}
      >
        <input
          type="date"
          aria-label={words.day}
          min={FIRST_DATE}
          max={today}
          value={typed ?? day.date}
          onInput={({ currentTarget }) => chooseDate(currentTarget)}
          onBlur={() => setTyped(undefined)}
        />
        <Then replay={replay} />
        <div class="slider" dir="ltr">
          <input
            type="range"
            aria-label={words.timeOfDay}
            aria-valuetext={text}
            title={words.replayKeys}
            max={minutes(day.end) - 1}
            value={minutes(at ?? last)}
            onInput={({ currentTarget }) =>
              slide(currentTarget, day.start + Number(currentTarget.value) * STEPS.minute)
            }
            onKeyDown={onKeyDown}
          />
          {ticks.map((tick) => (
            <span key={tick} aria-hidden="true" style={{ "--part": (tick - day.start) / (day.end - day.start) }}>
              {formats.time(tick)}
            </span>
          ))}
        </div>
        <ActionButton action={words.busiest} onClick={replay.seekPeak} />
        <ActionButton
          action={isPlaying ? words.pause : words.play}
          class={isPlaying ? "pause" : "play"}
          onClick={replay.togglePlay}
        />
        <ActionButton action={words.now} class={isPast ? "primary" : ""} onClick={() => choose(Infinity)} />
      </div>
      <p role="status" class={failure === undefined ? "" : "fault"}>
        {statusOf(page, replay)}
      </p>
      <small>
        {words.timesIn(formats.zone)} {isPast && hasCapacity && words.levelsOfToday}
      </small>
    </div>
  )
}
