/** The history of premises as the chart shows it, which is read again each minute. */
import type { HistoryRowJson } from "@sojourn/adapter-http/json"
import { usePage } from "../shared/context.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { addDays, averageOf, type Range, type Sample, samplesOf, sinceBeginning, STEPS } from "./chart.ts"

/** How often the history is read again, in milliseconds. */
const RELOAD_INTERVAL_MS = 60_000

/** How long the lines of earlier days are kept until they are read again, in milliseconds: they are read so much further. */
const COMPARED_INTERVAL_MS = 3_600_000

/** A history that was read. */
export interface LoadedHistory {
  readonly range: Range
  readonly from: number
  readonly to: number
  readonly rows: ReadonlyArray<HistoryRowJson>
  readonly samples: ReadonlyArray<Sample>
  /** Weighted by time, over the time that the feed has existed. */
  readonly average: number
  /** When the feed began, where that is within the range. */
  readonly beganAt: number | undefined
}

/** Reads the last part of the history of the premises with this path. */
export const useHistory = (path: string, range: Range) => {
  const { api } = usePage()
  const read = async (from: number, to: number, step: Range["step"]) => {
    const query = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}&step=${step}`
    return (await api.get<ReadonlyArray<HistoryRowJson>>(`${path}/history?${query}`)) ?? []
  }
  const history = useLoaded(
    async (): Promise<LoadedHistory> => {
      const to = Date.now()
      const from = to - range.length
      const rows = await read(from, to, range.step)
      const samples = samplesOf(rows, range.step, to)
      const [first] = samples
      const isBeginning = first !== undefined && first.at > from
      const minutes =
        isBeginning && range.step !== "minute"
          ? samplesOf(await read(first.at, Math.min(first.at + STEPS[range.step], to), "minute"), "minute", to)
          : []
      return {
        range,
        from,
        to,
        rows,
        samples,
        average: averageOf(isBeginning ? sinceBeginning(samples, minutes) : samples),
        beganAt: isBeginning ? (minutes[0]?.at ?? first.at) : undefined
      }
    },
    [path, range],
    RELOAD_INTERVAL_MS
  )
  const compared = useLoaded(
    async () => {
      const now = Date.now()
      return Promise.all(
        range.comparedDays.map(async (days) => {
          const [from, to] = [addDays(now - range.length, -days), addDays(now + COMPARED_INTERVAL_MS, -days)]
          const samples = samplesOf(await read(from, to, range.step), range.step, to)
          return samples.map((one) => ({ ...one, at: addDays(one.at, days), until: addDays(one.until, days) }))
        })
      )
    },
    [path, range],
    COMPARED_INTERVAL_MS
  )
  return { history, compared: compared.value }
}
