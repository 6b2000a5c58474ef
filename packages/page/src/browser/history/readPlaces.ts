/** Reads a day of an organization and its places, a few at once, and shows the premises of its moments. */
import type { SojournClient } from "@sojourn/client"
import { DEFAULT_WARN_AT, stateOf } from "../live/counts.ts"
import type { Premises } from "../organizations/model.ts"
import type { Day } from "../shared/localTime.ts"
import { isRefused } from "../shared/useLoaded.ts"
import { STEPS } from "./chart.ts"
import { endOf, readDay, type ReadRows, rowsOf } from "./rows.ts"
import { boundsBefore, insideAt, netOf, seriesOf, type Series } from "./series.ts"

/** Of more places than this each but the selected one is read by its hours: a day of minutes has 150 kB for each. */
const MOST_BY_MINUTES = 100

/** How many requests there are at once: the browser has six connections, and the stream takes one. */
const CONCURRENCY = 4

/** How many days are added up to learn how many were inside at the beginning of one: the most that are answered at once. */
const DAYS_BEFORE = 1_499

interface PlacesOfDay {
  readonly api: SojournClient
  readonly organizationId: number
  readonly day: Day
  readonly zone: string
  readonly ids: ReadonlyArray<number>
  readonly selected: number | undefined
  /** What was read of the day before, by the place, 0 for the organization: what is read now is added. */
  readonly known: Map<number, Promise<Series>>
}

/** Reads how many were inside; of a place that was deleted nothing. */
const readSeries = async (read: ReadRows, day: Day, isByHours: boolean): Promise<Series> => {
  const reading = isByHours
    ? read("hour", day.start, endOf(day)).then((rows) => ({ step: "hour" as const, rows }))
    : readDay(read, day)
  const { step, rows } = await reading.catch((failure: unknown) => {
    if (isRefused(failure, 404)) return { step: "minute", rows: [] } as const
    throw failure
  })
  const [least, most] = boundsBefore(rows)
  if (step === "hour" || rows.length === 0 || least === most) return seriesOf(rows, step, least)
  // No one is inside before a feed begins: all who came in since, less those who left.
  const before = netOf(await read("day", day.start - DAYS_BEFORE * STEPS.day, day.start))
  return seriesOf(rows, step, Math.min(Math.max(before, least), most))
}

/** Reads the series of all premises; `onProgress` hears how many are read. */
export const readPlaces = async (asked: PlacesOfDay, onProgress: (read: number) => void) => {
  const { api, organizationId, day, zone, ids, selected, known } = asked
  const series = new Map<number, Series>()
  const read = async (id: number, isByHours: boolean): Promise<Series> => {
    const readRows = rowsOf(api, { organizationId, placeId: id === 0 ? undefined : id }, zone)
    const reading = known.get(id) ?? readSeries(readRows, day, isByHours)
    known.set(id, reading)
    try {
      const one = await reading
      series.set(id, one)
      return one
    } catch (failure) {
      known.delete(id)
      throw failure
    }
  }
  onProgress(0)
  const { step } = await read(0, false)
  const isByHours = step === "hour" || ids.length > MOST_BY_MINUTES
  if (selected !== undefined) {
    const selectedByMinutes = await known.get(selected)
    if (selectedByMinutes?.step !== step) known.delete(selected)
    await read(selected, step === "hour")
  }
  const queue = ids.values()
  const portion = Math.ceil(ids.length / 20)
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const id of queue) {
        if (!series.has(id)) await read(id, isByHours)
        if (series.size % portion === 0) onProgress(series.size)
      }
    })
  )
  const shown = new Map<number, Premises>()
  return {
    /** The series of premises, by the place, 0 for the organization. */
    series,
    /** Premises with their count at a moment. With the count of a moment before they are the same object, as live ones are. */
    premisesAt: (at: number, live: Premises): Premises => {
      const id = live.placeId ?? 0
      const of = series.get(id)
      const inside = of === undefined ? 0 : insideAt(of, at)
      const level = stateOf({ ...live.count, inside, warnAt: live.count.warnAt ?? DEFAULT_WARN_AT })
      const before = shown.get(id)
      const count = { ...live.count, inside, level }
      const isSame = before?.polygons === live.polygons && before.name === live.name && before.lineage === live.lineage
      const isSameCount = (["inside", "level", "capacity"] as const).every(
        (name) => before?.count[name] === count[name]
      )
      if (isSame && isSameCount) return before
      const then = { ...live, count }
      shown.set(id, then)
      return then
    }
  }
}
