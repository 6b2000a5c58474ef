/** The moment that an organization's overview shows: now, or a minute of a day that was, with who was inside then. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
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

/** How often the page checks for a new minute, in milliseconds. */
const CLOCK_INTERVAL_MS = 1_000

interface Moment {
  readonly date: string
  /** A minute that is over. */
  readonly at: number
  /** The minutes before this one were over when the day was read. */
  readonly readAt: number
}

const minuteOf = (at: number): number => Math.floor(at / STEPS.minute) * STEPS.minute

/** The running minute of the server. */
const useMinute = (): number => {
  const [minute, setMinute] = useState(() => minuteOf(serverNow()))
  useEffect(() => {
    const timer = setInterval(() => setMinute(minuteOf(serverNow())), CLOCK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  return minute
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
  const [isPlaying, setIsPlaying] = useState(false)
  const [isPeakSought, setIsPeakSought] = useState(false)
  /** The peak that was sought last, until another moment is chosen. */
  const [peak, setPeak] = useState<Step & Pick<Premises, "placeId">>()
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
  const stop = () => {
    setIsPlaying(false)
    setIsPeakSought(false)
    setPeak(undefined)
  }

  const reading = useRef<{ readonly key: string; readonly read: Map<number, Promise<Series>> }>(undefined)
  const key = moment && `${zone} ${moment.date} ${moment.readAt}`
  const loaded = useLoaded(
    async () => {
      if (key === undefined) return undefined
      if (reading.current?.key !== key) reading.current = { key, read: new Map() }
      const known = reading.current.read
      // What is said of a moment that was are words of opened parts.
      const [{ readPlaces }] = await Promise.all([import("./readPlaces.ts"), openWords()])
      const ids = livePlaces.map(({ placeId }) => placeId!)
      return readPlaces({ api, organizationId, day, zone, known, ids, selected: placeId }, setProgress)
    },
    [key],
    { changes: [placeId, places] }
  )
  const read = loaded.value
  const shown = useMemo(() => {
    if (read === undefined || moment === undefined) return undefined
    const then = (live: Premises) => read.premisesAt(moment.at, live)
    return { whole: then(whole), places: livePlaces.map(then) }
  }, [read, moment?.at, places])

  useLayoutEffect(() => {
    if (!isPeakSought || read === undefined) return
    setIsPeakSought(false)
    const found = read.series.get(placeId ?? 0)?.peak
    if (found === undefined) return
    setPeak({ ...found, placeId })
    move(found.at)
  }, [isPeakSought, read])

  useEffect(() => {
    if (!isPlaying || read === undefined || moment === undefined) return
    // A picture of each hour is still, and a day of them shows as much.
    const step = matchMedia("(prefers-reduced-motion: reduce)").matches ? STEPS.hour : STEPS.minute
    const [from, began] = [moment.at, performance.now()]
    const timer = setInterval(() => {
      const passed = ((performance.now() - began) * (day.end - day.start)) / PLAYED_DAY_MS
      const next = day.start + Math.floor((from - day.start + passed) / step) * step
      move(next)
      if (next >= Math.min(minuteOf(serverNow()), day.end - STEPS.minute)) setIsPlaying(false)
    }, FRAME_MS)
    return () => clearInterval(timer)
  }, [isPlaying, read === undefined])

  const ofSelected = read?.series.get(placeId ?? 0)
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
    isPlaying,
    peak: peak?.placeId === placeId ? peak : undefined,
    failure: moment && loaded.failure,
    /** How many premises of the day are read. */
    progress,
    choose: (at: number, date?: string) => {
      stop()
      move(at, date)
    },
    seekPeak: () => {
      stop()
      if (last === day.start) return
      if (moment === undefined) move(day.start)
      setIsPeakSought(true)
    },
    togglePlay: () => {
      stop()
      if (isPlaying) return
      if (moment === undefined || moment.at >= last) move(day.start)
      setIsPlaying(true)
    }
  }
}

/** What {@link useReplay} returns. */
export type Replay = ReturnType<typeof useReplay>
