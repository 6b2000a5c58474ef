/** The history of premises as a chart of the last hours, days or weeks, which ends with the live count. */
import { useMemo, useState } from "preact/hooks"
import type { Count } from "../live/counts.ts"
import { CsvButton } from "../shared/ActionButton.tsx"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { Toolbar } from "../shared/Toolbar.tsx"
import { usePage } from "../shared/context.ts"
import { Lazy } from "../shared/Lazy.tsx"
import { useWidth } from "../shared/useWidth.ts"
import { type Chart, chartOf, isMidnight, type RangeName, RANGES, sampleAt, ticksOf, topOf } from "./chart.ts"
import { type HistoryOf, type LoadedHistory, useHistory } from "./useHistory.ts"

/** The height of the chart, and the room for texts at its end, above and below, in pixels. */
const [HEIGHT, RIGHT, ABOVE, BELOW] = [180, 28, 16, 24]

/** The width of a digit of the numbers before the chart, in pixels, and what is left free beside them. */
const [DIGIT_WIDTH, NUMBER_ROOM] = [7, 16]

const COLUMNS = ["from", "entered", "left", "least", "most", "average", "averageStay"] as const

const tableOf = ({ rows }: LoadedHistory) => [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))]

/** How far the keys Page up and Page down go, as a part of all samples. */
const PAGE_PART = 0.1

interface PlotProps {
  readonly loaded: LoadedHistory
  readonly chart: Chart
  readonly top: number
  readonly count: Count
  /** The room before the chart, and its own width, in pixels. */
  readonly left: number
  readonly width: number
  readonly label: string
}

/** The drawing, in which a pointer or the arrow keys choose a time. */
const Plot = ({ loaded: { range, from, to, samples }, chart, top, count, left, width, label }: PlotProps) => {
  const { words, formats } = usePage()
  /** The chosen time; none for the live count. */
  const [chosen, setChosen] = useState<number>()
  const last = samples.length
  const index = chosen === undefined ? last : sampleAt(samples, chosen)
  const ticks = useMemo(() => ticksOf(from, to, width), [from, to, width])
  const { number } = formats
  const { at, average: value } = samples[index] ?? { at: to, average: count.inside }
  const isLong = range.length > RANGES.day.length
  const when = index === last ? words.now : isLong ? formats.dayAndTime(at) : formats.time(at)
  const text = `${when}: ${words.insideOf(number(value))}`
  const choose = (event: PointerEvent) => {
    const x = event.clientX - (event.currentTarget as Element).getBoundingClientRect().left - left
    setChosen(x >= width - 1 ? undefined : from + (x / width) * (to - from))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // With a modifier a key is the browser's: Alt and an arrow go back.
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const page = Math.max(Math.round(last * PAGE_PART), 1)
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowDown: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index + 1,
      PageDown: index - page,
      PageUp: index + page,
      Home: 0,
      End: last
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    setChosen(samples[Math.max(next, 0)]?.at)
  }
  const { capacity } = count
  return (
    <>
      <svg
        class="plot"
        width={width + left + RIGHT}
        height={HEIGHT + ABOVE + BELOW}
        viewBox={`${-left} ${-ABOVE} ${width + left + RIGHT} ${HEIGHT + ABOVE + BELOW}`}
        role="slider"
        tabindex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index}
        aria-valuetext={text}
        onKeyDown={onKeyDown}
        onPointerDown={choose}
        onPointerMove={choose}
        // A finger that is lifted leaves, and what it chose is still to be read.
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && setChosen(undefined)}
      >
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line x1="0" x2={width} y1={HEIGHT * (1 - part)} y2={HEIGHT * (1 - part)} />
            <text x="-6" y={HEIGHT * (1 - part) + 4} text-anchor="end">
              {number(top * part)}
            </text>
          </g>
        ))}
        {ticks.map((tick) => (
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
        <path class="line" d={chart.lineTo(count.inside)} />
        {chosen !== undefined && <line class="cursor" x1={chart.x(at)} x2={chart.x(at)} y1="0" y2={HEIGHT} />}
        <circle class="chosen" cx={chart.x(at)} cy={chart.y(value)} r="4" />
      </svg>
      {/* Screen readers hear the slider's value: a live region would read each movement out. */}
      <p role="status" aria-live="off" class="readout number">
        {text}
      </p>
    </>
  )
}

interface HistoryChartProps {
  readonly of: HistoryOf
  readonly count: Count
}

const loadBusiest = () => import("./BusiestHours.tsx")

export const HistoryChart = ({ of, count }: HistoryChartProps) => {
  const { words, formats } = usePage()
  const [name, setName] = useState<RangeName>("hours")
  const [isBusiestOpen, setIsBusiestOpen] = useState(false)
  const range = RANGES[name]
  const { history, compared: read } = useHistory(of, range)
  // The range before stays until this one is read, or fails to be.
  const loaded = history.value?.range === range || history.failure === undefined ? history.value : undefined
  const compared = read !== undefined && read.range === loaded?.range ? read : undefined
  const [box, outer] = useWidth()
  const { inside, capacity = 0 } = count
  const { number } = formats
  const top = topOf(loaded?.most ?? 0, compared?.most ?? 0, inside, capacity)
  const left = number(top).length * DIGIT_WIDTH + NUMBER_ROOM
  const width = Math.max(outer - left - RIGHT, 1)
  const chart = useMemo(
    () => loaded && chartOf({ ...loaded, compared: compared?.lines ?? [], top }, width, HEIGHT),
    [loaded, compared, top, width]
  )
  const summaryOf = ({ average, beganAt, ...loaded }: LoadedHistory) => {
    const least = Math.min(loaded.least, inside)
    const most = Math.max(loaded.most, inside)
    const summary = words.historySummary(number(least), number(most), number(average))
    return beganAt === undefined ? summary : `${summary}, ${words.historyBegan(formats.moment(beganAt))}`
  }
  return (
    <div ref={box} class="history">
      <h3>{words.history}</h3>
      <Toolbar class="bar" label={words.history}>
        {(Object.keys(RANGES) as Array<RangeName>).map((one) => (
          <button key={one} type="button" aria-pressed={one === name} onClick={() => setName(one)}>
            {words.ranges[one]}
          </button>
        ))}
      </Toolbar>
      {loaded === undefined || chart === undefined ? (
        <NotLoaded failure={history.failure} />
      ) : loaded.samples.length === 0 ? (
        <p>{words.noHistory}</p>
      ) : (
        <figure>
          <Plot key={name} {...{ loaded, chart, top, count, left, width }} label={summaryOf(loaded)} />
          <figcaption>
            {summaryOf(loaded)}. {words.historyKey}
            {compared?.lines.some((line) => line.length > 0) === true && (
              <ul class="legend">
                {loaded.range.comparedDays.map((days, nth) =>
                  compared.lines[nth]!.length > 0 ? (
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
        {isBusiestOpen && <Lazy load={loadBusiest} props={{ of }} />}
      </details>
    </div>
  )
}
