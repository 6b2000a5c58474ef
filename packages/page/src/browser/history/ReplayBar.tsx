/** The moment of the day that map and list show: a date, a slider of its minutes, and the buttons that find or play them, as one tab stop. */
import type { TargetedKeyboardEvent } from "preact"
import { useState } from "preact/hooks"
import { usePage } from "../shared/context.ts"
import { instantOf, localOf } from "../shared/localTime.ts"
import { useOneTabStop } from "../shared/useOneTabStop.ts"
import { sentenceOf } from "../words/sentenceOf.ts"
import { STEPS } from "./chart.ts"
import type { Replay } from "./useReplay.ts"

/** The first day that may be chosen: years before it are typed on the way to others. */
const FIRST_DATE = "2000-01-01"

/** How far the keys Page up and Page down go, in minutes. */
const PAGE_MINUTES = 60

/** When numbers are of, where they are not of now. */
export const Then = ({ replay: { at, isPast, step } }: { readonly replay: Replay }) => {
  const { words, formats } = usePage()
  if (!isPast || at === undefined) return null
  const end = step === "hour" ? `–${formats.time(at + STEPS.hour)}` : ""
  return (
    <span class="then">
      <time dateTime={new Date(at).toISOString()}>
        {formats.weekdayAndTime(at)}
        {end}
      </time>{" "}
      <b>{words.notNow}</b>
    </span>
  )
}

interface ReplayBarProps {
  readonly replay: Replay
  /** How many are inside of what is selected at the moment. */
  readonly inside: number
  /** How many premises there are. */
  readonly all: number
}

export const ReplayBar = ({ replay, inside, all }: ReplayBarProps) => {
  const { words, formats } = usePage()
  const { day, today, last, at, isPast, step, isPlaying, peak, failure, choose } = replay
  const minutes = (moment: number) => Math.round((moment - day.start) / STEPS.minute)
  /** What is being typed, which is no date on the way. */
  const [typed, setTyped] = useState<string>()
  const chooseDate = (field: HTMLInputElement) => {
    setTyped(field.value)
    if (field.value === "" || !field.validity.valid) return
    const time = localOf(at ?? last, formats.zone).slice(10)
    choose(instantOf(field.value + time, formats.zone), field.value)
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const by = event.key === "PageUp" ? PAGE_MINUTES : event.key === "PageDown" ? -PAGE_MINUTES : 0
    if (by === 0) return
    event.preventDefault()
    choose((at ?? last) + by * STEPS.minute)
  }
  const when = at === undefined ? words.now : formats.weekdayAndTime(at)
  const text = `${when}: ${words.insideOf(formats.number(inside))}`
  const status =
    failure !== undefined
      ? sentenceOf(words, failure)
      : at !== undefined && !isPast
        ? words.readingDay(formats.number(replay.progress), formats.number(all))
        : peak !== undefined
          ? words.peakAt(
              formats.longWeekday(peak.at),
              step === "hour"
                ? `${formats.time(peak.at)}–${formats.time(peak.at + STEPS.hour)}`
                : formats.time(peak.at),
              formats.number(peak.most)
            )
          : replay.isEmpty
            ? words.noHistoryOfDay
            : step === "hour"
              ? words.byHours
              : ""
  return (
    <section class={isPast ? "replay past" : "replay"} aria-label={words.timeOfDay}>
      <div role="toolbar" aria-label={words.timeOfDay} {...useOneTabStop<HTMLDivElement>("input, button", 1)}>
        <input
          type="date"
          aria-label={words.day}
          min={FIRST_DATE}
          max={today}
          value={typed ?? day.date}
          onInput={({ currentTarget }) => chooseDate(currentTarget)}
          onBlur={() => setTyped(undefined)}
        />
        <input
          type="range"
          dir="ltr"
          aria-label={words.timeOfDay}
          aria-valuetext={text}
          title={words.replayKeys}
          max={minutes(last)}
          value={minutes(at ?? last)}
          onInput={({ currentTarget }) => choose(day.start + Number(currentTarget.value) * STEPS.minute)}
          onKeyDown={onKeyDown}
        />
        <button type="button" onClick={replay.seekPeak}>
          {words.busiest}
        </button>
        <button type="button" class={isPlaying ? "pause" : "play"} onClick={replay.togglePlay}>
          {isPlaying ? words.pause : words.play}
        </button>
        <button type="button" class={isPast ? "primary" : ""} onClick={() => choose(Infinity)}>
          {words.now}
        </button>
      </div>
      <p role="status" class={failure === undefined ? "" : "fault"}>
        {status}
      </p>
      <small>{words.timesIn(formats.zone)}</small>
    </section>
  )
}
