/** The history of premises as a chart of the last hours, days or weeks, which ends with the live count. */
import { useMemo, useState } from "preact/hooks"
import type { Count } from "../live/counts.ts"
import { CsvButton } from "../shared/CsvButton.tsx"
import { sentenceOf } from "../shared/api.ts"
import { usePage } from "../shared/context.ts"
import { Lazy } from "../shared/Lazy.tsx"
import { useWidth } from "../shared/useWidth.ts"
import { type Chart, chartOf, isMidnight, type RangeName, RANGES, sampleAt, ticksOf } from "./chart.ts"
import { type LoadedHistory, useHistory } from "./useHistory.ts"

/** The height of the chart, and the room for the numbers at its sides and below, in pixels. */
const [HEIGHT, LEFT, RIGHT, ABOVE, BELOW] = [180, 44, 16, 16, 24]

const COLUMNS = ["from", "entered", "left", "least", "most", "average", "averageStay"] as const

const tableOf = ({ rows }: LoadedHistory) => [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))]

/** How far the keys Page up and Page down go, as a part of all samples. */
const PAGE_PART = 0.1

interface PlotProps {
  readonly loaded: LoadedHistory
  readonly chart: Chart
  readonly count: Count
  readonly width: number
  readonly label: string
}

/** The drawing, in which a pointer or the arrow keys choose a time. */
const Plot = ({ loaded: { range, from, to, samples }, chart, count, width, label }: PlotProps) => {
  const { words, formats } = usePage()
  const last = samples.length
  /** The chosen sample; the one after the last of them is the live count. */
  const [index, setIndex] = useState<number>()
  const { number } = formats
  const isLive = index === undefined || index >= last
  const at = isLive ? to : samples[index]!.at
  const value = isLive ? count.inside : samples[index]!.average
  const isLong = range.length > RANGES.day.length
  const when = isLive ? words.now : isLong ? formats.dayAndTime(at) : formats.time(at)
  const text = `${when}: ${words.insideOf(number(value))}`
  const choose = (event: PointerEvent) => {
    const { left } = (event.currentTarget as Element).getBoundingClientRect()
    const x = event.clientX - left - LEFT
    setIndex(x >= width - 1 ? last : sampleAt(samples, from + (x / width) * (to - from)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const current = index ?? last
    const page = Math.max(Math.round(last * PAGE_PART), 1)
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: current - 1,
      ArrowDown: current - 1,
      ArrowRight: current + 1,
      ArrowUp: current + 1,
      PageDown: current - page,
      PageUp: current + page,
      Home: 0,
      End: last
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    setIndex(Math.min(Math.max(next, 0), last))
  }
  const { capacity } = count
  return (
    <>
      <svg
        class="plot"
        width={width + LEFT + RIGHT}
        height={HEIGHT + ABOVE + BELOW}
        viewBox={`${-LEFT} ${-ABOVE} ${width + LEFT + RIGHT} ${HEIGHT + ABOVE + BELOW}`}
        role="slider"
        tabindex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index ?? last}
        aria-valuetext={text}
        onKeyDown={onKeyDown}
        onPointerDown={choose}
        onPointerMove={choose}
        onPointerLeave={() => setIndex(undefined)}
      >
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line x1="0" x2={width} y1={HEIGHT * (1 - part)} y2={HEIGHT * (1 - part)} />
            <text x="-6" y={HEIGHT * (1 - part) + 4} text-anchor="end">
              {number(chart.top * part)}
            </text>
          </g>
        ))}
        {ticksOf(from, to, width).map((tick) => (
          <g key={tick}>
            <line class="tick" x1={chart.x(tick)} x2={chart.x(tick)} y1={HEIGHT} y2={HEIGHT + 4} />
            <text x={chart.x(tick)} y={HEIGHT + 18} text-anchor="middle">
              {isMidnight(tick) ? formats.day(tick) : formats.time(tick)}
            </text>
          </g>
        ))}
        <path class="band" d={chart.band} />
        {chart.compared.map((line, nth) => (
          <path key={nth} class={`compared days-${range.comparedDays[nth]}`} d={line} />
        ))}
        {capacity !== undefined && (
          <g class="capacity-line">
            <line x1="0" x2={width} y1={chart.y(capacity)} y2={chart.y(capacity)} />
            <text x="4" y={chart.y(capacity) + (chart.y(capacity) < 16 ? 14 : -4)}>
              {words.capacity}
            </text>
          </g>
        )}
        <path class="line" d={chart.line} />
        {index !== undefined && <line class="cursor" x1={chart.x(at)} x2={chart.x(at)} y1="0" y2={HEIGHT} />}
        <circle class="chosen" cx={chart.x(at)} cy={chart.y(value)} r="4" />
      </svg>
      <p role="status" class="readout number">
        {text}
      </p>
    </>
  )
}

interface HistoryChartProps {
  /** Names the premises. */
  readonly path: string
  readonly count: Count
}

const loadBusiest = () => import("./BusiestHours.tsx")

export const HistoryChart = ({ path, count }: HistoryChartProps) => {
  const { words, formats } = usePage()
  const [name, setName] = useState<RangeName>("hours")
  const [isBusiestOpen, setIsBusiestOpen] = useState(false)
  const { history, compared = [] } = useHistory(path, RANGES[name])
  const { failure, value: loaded } = history
  const [box, outer] = useWidth()
  const width = Math.max(outer - LEFT - RIGHT, 1)
  const { inside, capacity } = count
  const chart = useMemo(
    () =>
      loaded &&
      chartOf({ ...loaded, inside, capacity, compared: loaded.range === RANGES[name] ? compared : [] }, width, HEIGHT),
    [loaded, compared, inside, capacity, width]
  )
  const { number } = formats
  const summaryOf = ({ samples, average, beganAt }: LoadedHistory) => {
    const least = samples.reduce((least, sample) => Math.min(least, sample.least), inside)
    const most = samples.reduce((most, sample) => Math.max(most, sample.most), inside)
    const summary = words.historySummary(number(least), number(most), number(average))
    return beganAt === undefined ? summary : `${summary}, ${words.historyBegan(formats.moment(beganAt))}`
  }
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
      {loaded === undefined || chart === undefined ? (
        <p>{failure === undefined ? words.loading : sentenceOf(words, failure)}</p>
      ) : loaded.samples.length === 0 ? (
        <p>{words.noHistory}</p>
      ) : (
        <figure>
          <Plot key={name} loaded={loaded} chart={chart} count={count} width={width} label={summaryOf(loaded)} />
          <figcaption>
            {summaryOf(loaded)}. {words.historyKey}
            {compared.length > 0 && (
              <ul class="legend">
                {loaded.range.comparedDays.map((days, nth) =>
                  (compared[nth]?.length ?? 0) > 0 ? (
                    <li key={days} class={`days-${days}`}>
                      {days === 1 ? words.yesterday : words.weekBefore}
                    </li>
                  ) : null
                )}
              </ul>
            )}
          </figcaption>
          <CsvButton of={words.history} file={`history-${name}`} rows={() => tableOf(loaded)} />
        </figure>
      )}
      <details onToggle={({ currentTarget }) => setIsBusiestOpen(currentTarget.open)}>
        <summary>{words.busiestHours}</summary>
        {isBusiestOpen && <Lazy load={loadBusiest} props={{ path }} />}
      </details>
    </div>
  )
}
