/** The moment that an organization's overview shows: now, or a minute of a day that was, with who was inside then. */
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks"
import { minuteOf, useMinute } from "../live/times.ts"
import type { Premises } from "../organizations/model.ts"
import type { ShownOrganization } from "../organizations/useOrganization.ts"
import { serverNow } from "../shared/clock.ts"
import { usePage } from "../shared/context.ts"
import { dateOf, dayOf } from "../shared/localTime.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { STEPS } from "./chart.ts"
import type { Series, Step } from "./series.ts"

/** How long a day takes that is played, and how long each picture of it is shown, in milliseconds. */
const [PLAYED_DAY_MS, FRAME_MS] = [20_000, 100]

interface Moment {
  readonly date: string
  /** A minute that is over. */
  readonly at: number
  /** The minutes before this one were over when the day was read. */
  readonly readAt: number
}

/** The moment that is shown of an organization, of which a place may be selected. Days are those of the zone of the formats. */
export const useReplay = (
  organizationId: number,
  { whole, livePlaces, places }: ShownOrganization,
  placeId: number | undefined
) => {
  const { api, formats, openWords } = usePage()
  const { zone } = formats
  const minute = useMinute()
  const today = dateOf(minute, zone)
  const [moment, setMoment] = useState<Moment>()
  /** What goes on until another moment is chosen: the day is played, or its peak is sought, or was found. */
  const [activity, setActivity] = useState<"playing" | "seeking" | (Step & Pick<Premises, "placeId">)>()
  const [progress, setProgress] = useState(0)
  const date = moment?.date ?? today
  const day = useMemo(() => dayOf(date, zone), [date, zone])
  /** The last minute that there is of the day. */
  const last = Math.min(minute, day.end - STEPS.minute)

  const move = (at: number, date = day.date) => {
    const now = minuteOf(serverNow())
    if (at >= now || date > dateOf(now, zone)) return setMoment(undefined)
    const { start, end } = dayOf(date, zone)
    const chosen = minuteOf(Math.min(Math.max(at, start), end - STEPS.minute))
    setMoment((before) => {
      const isRead = before?.date === date && chosen < before.readAt
      return { date, at: chosen, readAt: isRead ? before.readAt : Math.min(now, end) }
    })
  }

  const key = moment && `${zone} ${moment.date} ${moment.readAt}`
  const known = useMemo(() => new Map<number, Promise<Series>>(), [key])
  const { value: read, failure } = useLoaded(
    async () => {
      if (key === undefined) return undefined
      // What is said of a moment that was are words of opened parts.
      const [{ readPlaces }] = await Promise.all([import("./readPlaces.ts"), openWords()])
      const ids = livePlaces.map(({ placeId }) => placeId!)
      return readPlaces({ api, organizationId, day, zone, known, ids, selected: placeId }, setProgress)
    },
    [key],
    { changes: [placeId, places] }
  )
  const shown = useMemo(() => {
    if (read === undefined || moment === undefined) return undefined
    const then = (live: Premises) => read.premisesAt(moment.at, live)
    return { whole: then(whole), places: livePlaces.map(then) }
  }, [read, moment?.at, places])
  const ofSelected = read?.series.get(placeId ?? 0)

  useLayoutEffect(() => {
    if (activity !== "seeking" || read === undefined) return
    const peak = ofSelected?.peak
    setActivity(peak && { ...peak, placeId })
    if (peak !== undefined) move(peak.at)
  }, [activity, read])

  useEffect(() => {
    if (activity !== "playing" || read === undefined || moment === undefined) return
    // A picture of each hour is still, and a day of them shows as much.
    const step = matchMedia("(prefers-reduced-motion: reduce)").matches ? STEPS.hour : STEPS.minute
    const [from, began] = [moment.at, performance.now()]
    const timer = setInterval(() => {
      const passed = ((performance.now() - began) * (day.end - day.start)) / PLAYED_DAY_MS
      const next = day.start + Math.floor((from - day.start + passed) / step) * step
      move(next)
      if (next >= Math.min(minuteOf(serverNow()), day.end - STEPS.minute)) setActivity(undefined)
    }, FRAME_MS)
    return () => clearInterval(timer)
  }, [activity, read === undefined])

  return {
    day,
    today,
    last,
    /** None for now. */
    at: moment?.at,
    shown: shown ?? { whole, places: livePlaces },
    /** Whether the numbers that are shown are of the moment, and not of now. */
    isPast: shown !== undefined,
    /** What the numbers of the moment are of. */
    step: ofSelected?.step,
    /** Whether there is nothing of the day. */
    isEmpty: ofSelected?.steps.length === 0,
    isPlaying: activity === "playing",
    /** The peak that was sought last. */
    peak: typeof activity === "object" && activity.placeId === placeId ? activity : undefined,
    failure: moment && failure,
    /** How many premises of the day are read. */
    progress,
    choose: (at: number, date?: string) => {
      setActivity(undefined)
      move(at, date)
    },
    seekPeak: () => {
      const isSought = last > day.start
      setActivity(isSought ? "seeking" : undefined)
      if (isSought && moment === undefined) move(day.start)
    },
    togglePlay: () => {
      setActivity(activity === "playing" ? undefined : "playing")
      if (activity !== "playing" && (moment === undefined || moment.at >= last)) move(day.start)
    }
  }
}

/** What {@link useReplay} returns. */
export type Replay = ReturnType<typeof useReplay>
