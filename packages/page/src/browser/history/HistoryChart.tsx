/** The history of premises as a chart of a day, or of the last weeks until now. */
import { useEffect, useMemo, useState } from "preact/hooks"
import type { Count } from "../live/counts.ts"
import { CsvButton } from "../shared/ActionButton.tsx"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { Toolbar } from "../shared/Toolbar.tsx"
import { usePage } from "../shared/context.ts"
import { Lazy } from "../shared/Lazy.tsx"
import { useWidth } from "../shared/useWidth.ts"
import {
  type Chart,
  chartOf,
  isMidnight,
  type RangeName,
  RANGES,
  type Sample,
  sampleAt,
  ticksOf,
  topOf
} from "./chart.ts"
import { type HistoryOf, type LoadedHistory, useHistory } from "./useHistory.ts"
import type { Replay } from "./useReplay.ts"
import { after } from "./usual.ts"

/** The height of the chart, and the room for texts at its end, above and below, in pixels. */
const [HEIGHT, RIGHT, ABOVE, BELOW] = [180, 28, 16, 24]

/** The width of a digit of the numbers before the chart, in pixels, and what is left free beside them. */
const [DIGIT_WIDTH, NUMBER_ROOM] = [7, 16]

const COLUMNS = ["from", "entered", "left", "least", "most", "average", "averageStay"] as const

const tableOf = ({ rows }: LoadedHistory) => [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))]

/** How far the keys Page up and Page down go, as a part of all samples. */
const PAGE_PART = 0.1

/** A moment of a day, and how many were inside. */
interface Moment {
  readonly at: number
  readonly inside: number
}

interface PlotProps {
  readonly loaded: LoadedHistory
  readonly name: RangeName
  readonly chart: Chart
  readonly usual: ReadonlyArray<Sample>
  readonly top: number
  readonly count: Count
  /** The moment that the map shows; none for now. */
  readonly moment: Moment | undefined
  readonly onChoose: (at: number) => void
  /** The room before the chart, and its own width, in pixels. */
  readonly left: number
  readonly width: number
  readonly label: string
}

/** The drawing, in which a pointer or the arrow keys point at a time; of a day, a press or Enter chooses it for the map, too. */
const Plot = (props: PlotProps) => {
  const { loaded, name, chart, usual, top, count, moment, onChoose, left, width, label } = props
  const { from, to, until, isLive, samples } = loaded
  const { words, formats } = usePage()
  const [pointed, setPointed] = useState<number>()
  const ticks = useMemo(() => ticksOf(from, to, width, formats.zone), [from, to, width, formats.zone])
  const { number } = formats
  // The samples, now, and the hours to come.
  const now = isLive ? samples.length : samples.length - 1
  const last = now + usual.length
  const indexOf = (at: number) => {
    if (!isLive || at < until) return sampleAt(samples, at)
    const hour = usual.findIndex((one) => one.until > at)
    return hour === -1 ? now : now + 1 + hour
  }
  const ofMoment = moment !== undefined && moment.at >= from && moment.at < until ? indexOf(moment.at) : undefined
  const index = pointed === undefined ? (ofMoment ?? now) : indexOf(pointed)
  const isUsual = index > now
  const { at, average } = (isUsual ? usual[index - now - 1] : samples[index]) ?? { at: until, average: count.inside }
  const value = index === ofMoment ? moment!.inside : average
  const time = (name === "day" ? formats.time : formats.dayAndTime)(at)
  const hour = isUsual ? usual[index - now - 1]! : undefined
  const text =
    hour === undefined
      ? `${isLive && index === now ? words.now : time}: ${words.insideOf(number(value))}`
      : words.usualAt(time, number(hour.least), number(hour.average), number(hour.most))
  const point = (event: PointerEvent, isChosen: boolean) => {
    const x = event.clientX - (event.currentTarget as Element).getBoundingClientRect().left - left
    const at = x >= width - 1 ? to : from + (Math.max(x, 0) / width) * (to - from)
    setPointed(at)
    if (isChosen && name === "day") onChoose(at)
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
    if (event.key === "Enter" && name === "day") onChoose(at)
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    const found = Math.min(Math.max(next, 0), last)
    setPointed((found > now ? usual[found - now - 1] : samples[found])?.at ?? until)
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
        onPointerDown={(event) => point(event, true)}
        onPointerMove={(event) => point(event, event.buttons > 0)}
        // A finger that is lifted leaves, and what it chose is still to be read.
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && setPointed(undefined)}
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
              {name !== "day" && isMidnight(tick, formats.zone) ? formats.day(tick) : formats.time(tick)}
            </text>
          </g>
        ))}
        <path class="usual band" d={chart.usual.band} />
        <path class="usual" d={chart.usual.middle} />
        <path class="band" d={chart.band} />
        <path class="compared" d={chart.compared} />
        {capacity !== undefined && (
          <g class="capacity-line">
            <line x1="0" x2={width} y1={chart.y(capacity)} y2={chart.y(capacity)} />
            <text x="4" y={chart.y(capacity) + (chart.y(capacity) < 16 ? 14 : -4)}>
              {words.capacity}
            </text>
          </g>
        )}
        <path class="line" d={chart.lineTo(until, isLive ? count.inside : undefined)} />
        {index !== now && <line class="cursor" x1={chart.x(at)} x2={chart.x(at)} y1="0" y2={HEIGHT} />}
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
  /** The live count. */
  readonly count: Count
  /** How many are inside at the moment that the replay shows. */
  readonly inside: number
  readonly replay: Replay
}

const loadBusiest = () => import("./BusiestHours.tsx")

export const HistoryChart = ({ of, count, inside: insideThen, replay }: HistoryChartProps) => {
  const { words, formats } = usePage()
  const [name, setName] = useState<RangeName>("day")
  const [isBusiestOpen, setIsBusiestOpen] = useState(false)
  const { history: loaded, failure, compared } = useHistory(of, name, replay.day)
  const [box, outer] = useWidth()
  const moment = replay.isPast ? { at: replay.at!, inside: insideThen } : undefined
  // What is chosen is seen on the chart.
  useEffect(() => {
    if (replay.isPast) setName("day")
  }, [replay.isPast, replay.day])
  const { inside, capacity = 0 } = count
  const { number } = formats
  const most = loaded?.isLive === false ? 0 : inside
  const top = topOf(loaded?.most ?? 0, compared?.most ?? 0, most, capacity)
  const left = number(top).length * DIGIT_WIDTH + NUMBER_ROOM
  const width = Math.max(outer - left - RIGHT, 1)
  const usual = useMemo(() => after(compared?.usual ?? [], loaded?.until ?? 0), [compared, loaded])
  const chart = useMemo(
    () => loaded && chartOf({ ...loaded, compared: compared?.weekBefore ?? [], usual, top }, width, HEIGHT),
    [loaded, compared, usual, top, width]
  )
  const summaryOf = ({ average, beganAt, ...loaded }: LoadedHistory) => {
    const least = loaded.isLive ? Math.min(loaded.least, inside) : loaded.least
    const summary = words.historySummary(number(least), number(Math.max(loaded.most, most)), number(average))
    return beganAt === undefined ? summary : `${summary}, ${words.historyBegan(formats.moment(beganAt))}`
  }
  return (
    <div ref={box} class="history">
      <h3>{words.history}</h3>
      <Toolbar class="bar" label={words.history}>
        {(Object.keys(RANGES) as Array<RangeName>).map((one) => (
          <button key={one} type="button" aria-pressed={one === name} onClick={() => setName(one)}>
            {one === "day" && replay.day.date !== replay.today ? formats.day(replay.day.start) : words.ranges[one]}
          </button>
        ))}
      </Toolbar>
      {loaded === undefined || chart === undefined ? (
        <div class="unread">
          <NotLoaded failure={failure} />
        </div>
      ) : loaded.samples.length === 0 ? (
        <p>{words.noHistory}</p>
      ) : (
        <figure>
          <Plot
            key={name}
            {...{ loaded, name, chart, usual, top, count, moment, left, width }}
            label={summaryOf(loaded)}
            onChoose={replay.choose}
          />
          <figcaption>
            {summaryOf(loaded)}. {words.historyKey}
            {(chart.compared !== "" || usual.length > 0) && (
              <ul class="legend">
                {chart.compared !== "" && <li class="week-before">{words.weekBefore}</li>}
                {usual.length > 0 && <li class="usual">{words.usualOn(formats.longWeekday(loaded.from))}</li>}
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
