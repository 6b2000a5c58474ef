/** Reads a day of an organization and its places, a few at once, and shows the premises of its moments. */
import { Refused, type SojournClient } from "@sojourn/client"
import type { Premises } from "../organizations/model.ts"
import type { Day } from "../shared/localTime.ts"
import { STEPS } from "./chart.ts"
import { DEFAULT_WARN_AT, stateOf } from "../live/states.ts"
import { boundsBefore, insideAt, netOf, seriesOf, type Series } from "./series.ts"
import { endOf, type HistoryOf, readDay, readRows } from "./useHistory.ts"

/** Of more places than this each but the selected one is read by its hours: a day of minutes has 150 kB for each. */
const MOST_BY_MINUTES = 100

/** How many requests there are at once: the browser has six connections, and the stream takes one. */
const CONCURRENCY = 4

/** How many days are added up to learn how many were inside at the beginning of one: the most that are answered at once. */
const DAYS_BEFORE = 1_499

export interface PlacesOfDay {
  readonly api: SojournClient
  readonly organizationId: number
  readonly day: Day
  readonly zone: string
  readonly ids: ReadonlyArray<number>
  readonly selected: number | undefined
  /** What was read of the day before, by the place, 0 for the organization: what is read now is added. */
  readonly known: Map<number, Promise<Series>>
}

const NONE = { step: "minute", rows: [] } as const

/** Reads how many were inside; of a place that was deleted nothing. */
const readSeries = async ({ api, day, zone }: PlacesOfDay, of: HistoryOf, isByHours: boolean): Promise<Series> => {
  const range = { from: day.start, to: endOf(day), zone }
  const reading = isByHours
    ? readRows(api, of, { ...range, step: "hour" }).then((rows) => ({ step: "hour" as const, rows }))
    : readDay(api, of, day, zone)
  const { step, rows } = await reading.catch((failure: unknown) => {
    if (failure instanceof Refused && failure.status === 404) return NONE
    throw failure
  })
  const [least, most] = boundsBefore(rows)
  if (step === "hour" || rows.length === 0 || least === most) return seriesOf(rows, step, least)
  // Nobody is inside before a feed begins: all who came in since, less those who left.
  const before = { from: day.start - DAYS_BEFORE * STEPS.day, to: day.start, step: "day", zone } as const
  return seriesOf(rows, step, Math.min(Math.max(netOf(await readRows(api, of, before)), least), most))
}

/** A day as it was read. */
export interface ReadDay {
  /** The series of premises, by the place, 0 for the organization. */
  readonly series: ReadonlyMap<number, Series>
  /** Premises with their count at a moment. With the count of a moment before they are the same object, as live ones are. */
  readonly premisesAt: (at: number, live: Premises) => Premises
}

const readDayOf = (series: ReadonlyMap<number, Series>): ReadDay => {
  const known = new Map<number, Premises>()
  const premisesAt = (at: number, live: Premises): Premises => {
    const id = live.placeId ?? 0
    const of = series.get(id)
    const inside = of === undefined ? 0 : insideAt(of, at)
    const level = stateOf({ ...live.count, inside, warnAt: live.count.warnAt ?? DEFAULT_WARN_AT })
    const before = known.get(id)
    const isSame = before?.polygons === live.polygons && before.name === live.name && before.lineage === live.lineage
    if (isSame && before.count.inside === inside && before.count.level === level) return before
    const then = { ...live, count: { ...live.count, inside, level } }
    known.set(id, then)
    return then
  }
  return { series, premisesAt }
}

/** Reads the series of all premises; `onProgress` hears how many are read. */
export const readPlaces = async (asked: PlacesOfDay, onProgress: (read: number) => void): Promise<ReadDay> => {
  const { organizationId, ids, selected, known } = asked
  const series = new Map<number, Series>()
  const read = async (id: number, isByHours: boolean): Promise<Series> => {
    const reading =
      known.get(id) ?? readSeries(asked, { organizationId, placeId: id === 0 ? undefined : id }, isByHours)
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
  return readDayOf(series)
}
