/** The history of premises as a chart of a day, or of the last weeks until now. */
import { useEffect, useMemo, useState } from "preact/hooks"
import type { Count } from "../live/counts.ts"
import { CsvButton } from "../shared/ActionButton.tsx"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { Toolbar } from "../shared/Toolbar.tsx"
import { usePage } from "../shared/context.ts"
import { Lazy } from "../shared/Lazy.tsx"
import { Details } from "../shared/Section.tsx"
import { useWidth } from "../shared/useWidth.ts"
import { chartOf, isMidnight, type RangeName, RANGES, type Sample, sampleAt, ticksOf, topOf } from "./chart.ts"
import type { HistoryOf } from "./rows.ts"
import { type LoadedHistory, useHistory } from "./useHistory.ts"
import type { Replay } from "./useReplay.ts"
import { after } from "./usual.ts"

/** The height of the chart, and the room for texts at its end, above and below, in pixels. */
const [HEIGHT, RIGHT, ABOVE, BELOW] = [180, 28, 16, 24]

/** The width of a digit of the numbers before the chart, in pixels, and what is left free beside them. */
const [DIGIT_WIDTH, NUMBER_ROOM] = [7, 16]

const COLUMNS = ["from", "entered", "left", "least", "most", "average", "averageStay"] as const

const tableOf = ({ rows }: LoadedHistory) => [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))]

/** How far the keys Page up and Page down go, as a part of all that can be pointed at. */
const PAGE_PART = 0.1

interface PlotProps {
  readonly loaded: LoadedHistory
  readonly compared: ReturnType<typeof useHistory>["compared"]
  /** What is usual in the hours to come. */
  readonly usual: ReadonlyArray<Sample>
  readonly name: RangeName
  /** The live count. */
  readonly count: Count
  /** The moment that the map shows, and how many were inside; none for now. */
  readonly moment: { readonly at: number; readonly inside: number } | undefined
  readonly onChoose: (at: number) => void
  /** The room that there is, in pixels. */
  readonly room: number
  readonly label: string
}

/** The drawing, in which a pointer or the arrow keys point at a time; of a day, a press or Enter chooses it for the map, too. */
const Plot = (props: PlotProps) => {
  const { loaded, compared, usual, name, count, moment, onChoose, room, label } = props
  const { from, to, until, isLive, samples } = loaded
  const { words, formats } = usePage()
  const { number, zone } = formats
  const { inside, capacity } = count
  const top = topOf(loaded.most, compared?.most ?? 0, isLive ? inside : 0, capacity ?? 0)
  const left = number(top).length * DIGIT_WIDTH + NUMBER_ROOM
  const width = Math.max(room - left - RIGHT, 1)
  const [boxWidth, boxHeight] = [width + left + RIGHT, HEIGHT + ABOVE + BELOW]
  const chart = useMemo(
    () => chartOf({ from, to, samples, compared: compared?.weekBefore, usual, top }, width, HEIGHT),
    [loaded, compared, usual, top, width]
  )
  const ticks = useMemo(() => ticksOf(from, to, width, zone), [from, to, width, zone])
  const [pointed, setPointed] = useState<number>()
  // What can be pointed at: the samples, now, and the hours to come.
  const live = isLive ? [{ at: until, until, least: inside, average: inside, most: inside }] : []
  const points = [...samples, ...live, ...usual]
  const [now, last] = [samples.length + live.length - 1, points.length - 1]
  const ofMoment = moment && moment.at >= from && moment.at < until ? sampleAt(points, moment.at) : undefined
  const index = pointed === undefined ? (ofMoment ?? now) : sampleAt(points, pointed)
  const { at, least, average, most } = points[index]!
  const value = index === ofMoment ? moment!.inside : average
  const time = (name === "day" ? formats.time : formats.dayAndTime)(at)
  const text =
    index > now
      ? words.usualAt(time, number(least), number(average), number(most))
      : `${isLive && index === now ? words.now : time}: ${words.insideOf(number(value))}`
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
    setPointed(points[Math.min(Math.max(next, 0), last)]!.at)
  }
  return (
    <>
      <svg
        class="plot"
        width={boxWidth}
        height={boxHeight}
        viewBox={`${-left} ${-ABOVE} ${boxWidth} ${boxHeight}`}
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
            <line x1={chart.x(tick)} x2={chart.x(tick)} y1={HEIGHT} y2={HEIGHT + 4} />
            <text x={chart.x(tick)} y={HEIGHT + 18} text-anchor="middle">
              {name !== "day" && isMidnight(tick, zone) ? formats.day(tick) : formats.time(tick)}
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
        <path class="line" d={chart.lineTo(until, isLive ? inside : undefined)} />
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

interface HistoryChartProps extends Pick<PlotProps, "count"> {
  readonly of: HistoryOf
  /** How many are inside at the moment that the replay shows. */
  readonly inside: number
  readonly replay: Replay
}

const loadBusiest = () => import("./BusiestHours.tsx")

const HistoryChart = ({ of, count, inside: insideThen, replay }: HistoryChartProps) => {
  const { words, formats } = usePage()
  const [name, setName] = useState<RangeName>("day")
  const { history: loaded, failure, compared } = useHistory(of, name, replay.day)
  const [box, room] = useWidth()
  // What is chosen is seen on the chart.
  useEffect(() => {
    if (replay.isPast) setName("day")
  }, [replay.isPast, replay.day])
  const hasWeekBefore = compared !== undefined && compared.weekBefore.length > 0
  // The hours to come begin after now, which can be pointed at by itself.
  const usual = useMemo(() => (loaded && compared ? after(compared.usual, loaded.until + 1) : []), [compared, loaded])
  const summaryOf = ({ least, most, average, isLive, beganAt }: LoadedHistory) => {
    const { number } = formats
    const [lowest, highest] = isLive ? [Math.min(least, count.inside), Math.max(most, count.inside)] : [least, most]
    const summary = words.historySummary(number(lowest), number(highest), number(average))
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
      {loaded === undefined ? (
        <div class="unread">
          <NotLoaded failure={failure} />
        </div>
      ) : loaded.samples.length === 0 ? (
        <p>{words.noHistory}</p>
      ) : (
        <figure>
          <Plot
            key={`${name} ${of.placeId}`}
            {...{ loaded, compared, usual, name, count, room }}
            moment={replay.isPast ? { at: replay.at!, inside: insideThen } : undefined}
            label={summaryOf(loaded)}
            onChoose={replay.choose}
          />
          <figcaption>
            {summaryOf(loaded)}. {words.historyKey}
            {(hasWeekBefore || usual.length > 0) && (
              <ul class="legend">
                {hasWeekBefore && <li>{words.weekBefore}</li>}
                {usual.length > 0 && <li class="usual">{words.usualOn(formats.longWeekday(loaded.from))}</li>}
              </ul>
            )}
          </figcaption>
          <CsvButton of={words.history} file={`history-${name}`} rows={() => tableOf(loaded)} />
        </figure>
      )}
      <Details title={words.busiestHours}>
        <Lazy load={loadBusiest} props={{ of }} />
      </Details>
    </div>
  )
}

export default HistoryChart
