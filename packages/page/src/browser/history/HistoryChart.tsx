/** The history of premises as a chart of the last hours, days or weeks, which reloads each minute. */
import { useEffect, useMemo, useState } from "preact/hooks"
import { CsvButton } from "../shared/CsvButton.tsx"
import { chartOf, type RangeName, RANGES } from "./chart.ts"
import type { HistoryRowJson } from "@sojourn/adapter-http/json"
import { sentenceOf } from "../shared/api.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { usePage } from "../shared/context.ts"
import { useWidth } from "../shared/useWidth.ts"

/** The height of the chart, and the room for the numbers at its sides and below, in pixels. */
const [HEIGHT, LEFT, RIGHT, BELOW] = [160, 44, 32, 24]

/** How often the history is read again, in milliseconds. */
const RELOAD_INTERVAL_MS = 60_000

const COLUMNS = ["from", "entered", "left", "least", "most", "average", "averageStay"] as const

const tableOf = (rows: ReadonlyArray<HistoryRowJson>) => [
  COLUMNS,
  ...rows.map((row) => COLUMNS.map((name) => row[name]))
]

/** How many were inside in the last hours or days. `path` names the premises. */
export const HistoryChart = ({ path }: { path: string }) => {
  const { words, formats, api } = usePage()
  const [name, setName] = useState<RangeName>("hours")
  const range = RANGES[name]
  const { value, failure, reload } = useLoaded(async () => {
    const to = Date.now()
    const from = new Date(to - range.length)
    const query = `from=${from.toISOString()}&to=${new Date(to).toISOString()}&step=${range.step}`
    const rows = (await api.get<ReadonlyArray<HistoryRowJson>>(`${path}/history?${query}`)) ?? []
    return { rows, range, to }
  }, [name])
  useEffect(() => {
    const timer = setInterval(reload, RELOAD_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])

  const [box, outer] = useWidth()
  const width = Math.max(outer - LEFT - RIGHT, 1)
  const chart = useMemo(() => value && chartOf(value.rows, value.range, value.to, width, HEIGHT), [value, width])
  const { number } = formats
  const write = range.length > RANGES.day.length ? formats.day : formats.time
  return (
    <div ref={box} class="history">
      <div class="bar" role="group" aria-label={words.history}>
        <h3>{words.history}</h3>
        {(Object.keys(RANGES) as Array<RangeName>).map((one) => (
          <button key={one} type="button" aria-pressed={one === name} onClick={() => setName(one)}>
            {words.ranges[one]}
          </button>
        ))}
      </div>
      {value === undefined || chart === undefined ? (
        <p>{failure === undefined ? words.loading : sentenceOf(words, failure)}</p>
      ) : value.rows.length === 0 ? (
        <p>{words.noHistory}</p>
      ) : (
        <figure>
          <svg
            width={outer}
            height={HEIGHT + 12 + BELOW}
            viewBox={`${-LEFT} -12 ${outer} ${HEIGHT + 12 + BELOW}`}
            role="img"
            aria-label={words.historySummary(number(chart.least), number(chart.most), number(chart.average))}
          >
            {[0, 0.5, 1].map((part) => (
              <g key={part}>
                <line x1="0" x2={width} y1={HEIGHT * (1 - part)} y2={HEIGHT * (1 - part)} />
                <text x="-6" y={HEIGHT * (1 - part) + 4} text-anchor="end">
                  {number(chart.top * part)}
                </text>
              </g>
            ))}
            {chart.ticks.map(({ x, at }) => (
              <text key={at} x={x} y={HEIGHT + 18} text-anchor="middle">
                {write(at)}
              </text>
            ))}
            <path class="band" d={chart.band} />
            <path class="line" d={chart.line} />
          </svg>
          <figcaption>
            {words.historySummary(number(chart.least), number(chart.most), number(chart.average))}. {words.historyKey}
          </figcaption>
          <CsvButton of={words.history} file={`history-${name}`} rows={() => tableOf(value.rows)} />
        </figure>
      )}
    </div>
  )
}
