/** The history of premises as the chart shows it, which is read again each minute. */
import type { PresenceHistoryRow, SojournClient } from "@sojourn/client"
import type { Premises } from "../organizations/model.ts"
import { usePage } from "../shared/context.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import {
  addDays,
  averageOf,
  moveDays,
  mostOf,
  type Range,
  type Sample,
  samplesOf,
  sinceBeginning,
  STEPS
} from "./chart.ts"

/** How often the history is read again, in milliseconds. */
const RELOAD_INTERVAL_MS = 60_000

/** How long the lines of earlier days are kept until they are read again, in milliseconds: they are read so much further. */
const COMPARED_INTERVAL_MS = 3_600_000

/** The most steps that are asked for at once: the server answers 1,500, and a range may begin and end within a step. */
const MAX_STEPS = 1_440

/** The premises whose history it is. */
export interface HistoryOf extends Pick<Premises, "placeId"> {
  readonly organizationId: number
}

/** The rows of a history, in as many requests as their number takes. */
const readRows = async (
  api: SojournClient,
  { organizationId, placeId }: HistoryOf,
  from: number,
  to: number,
  step: Range["step"]
): Promise<ReadonlyArray<PresenceHistoryRow>> => {
  const rows: Array<PresenceHistoryRow> = []
  const length = MAX_STEPS * STEPS[step]
  for (let at = Math.floor(from / STEPS[step]) * STEPS[step]; at < to; at += length) {
    const until = Math.min(at + length, to)
    const part = { from: new Date(at).toISOString(), to: new Date(until).toISOString(), step }
    const read =
      placeId === undefined
        ? api.history.organizationHistory({ organizationId, ...part })
        : api.history.placeHistory({ placeId, ...part })
    rows.push(...(await read))
  }
  return rows
}

/** The history of the last so many milliseconds, and what of it is of the time that the feed has existed. */
export const readHistory = async (
  api: SojournClient,
  of: HistoryOf,
  { length, step }: Pick<Range, "length" | "step">
) => {
  const to = Date.now()
  const from = to - length
  const rows = await readRows(api, of, from, to, step)
  const samples = samplesOf(rows, step, to)
  const [first] = samples
  if (first === undefined || first.at <= from) return { from, to, rows, samples, known: samples, beganAt: undefined }
  const minutes =
    step === "minute"
      ? []
      : samplesOf(await readRows(api, of, first.at, Math.min(first.at + STEPS[step], to), "minute"), "minute", to)
  return { from, to, rows, samples, known: sinceBeginning(samples, minutes), beganAt: minutes[0]?.at ?? first.at }
}

export interface LoadedHistory {
  readonly range: Range
  readonly from: number
  readonly to: number
  readonly rows: ReadonlyArray<PresenceHistoryRow>
  readonly samples: ReadonlyArray<Sample>
  readonly least: number
  readonly most: number
  /** Weighted by time, over the time that the feed has existed. */
  readonly average: number
  /** When the feed began, where that is within the range. */
  readonly beganAt: number | undefined
}

/** Reads the last part of a history. */
export const useHistory = (of: HistoryOf, range: Range) => {
  const { api } = usePage()
  const history = useLoaded(
    async (): Promise<LoadedHistory> => {
      const { known, samples, ...read } = await readHistory(api, of, range)
      return {
        ...read,
        range,
        samples,
        least: samples.reduce((least, sample) => Math.min(least, sample.least), Infinity),
        most: mostOf(samples),
        average: averageOf(known)
      }
    },
    [of.organizationId, of.placeId],
    { changes: [range], intervalMs: RELOAD_INTERVAL_MS }
  )
  const compared = useLoaded(
    async () => {
      const now = Date.now()
      const lines = await Promise.all(
        range.comparedDays.map(async (days) => {
          const [from, to] = [addDays(now - range.length, -days), addDays(now + COMPARED_INTERVAL_MS, -days)]
          return moveDays(samplesOf(await readRows(api, of, from, to, range.step), range.step, to), days)
        })
      )
      return { range, lines, most: mostOf(lines.flat()) }
    },
    [of.organizationId, of.placeId, range],
    { intervalMs: COMPARED_INTERVAL_MS }
  )
  return { history, compared: compared.value }
}
