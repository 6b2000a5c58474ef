/** The names and counts on a map, where there is room for them. */
import { useMemo } from "preact/hooks"
import type { Point } from "../shared/area.ts"
import { usePage } from "../shared/context.ts"
import { useKept } from "../shared/useKept.ts"
import type { Level } from "../live/counts.ts"
import type { Premises } from "../organizations/model.ts"
import { type Box, LINE_PX, placeLabels } from "./labels.ts"
import type { useMap } from "./useView.ts"

/** The levels whose word stands on the map; all levels stand in the table. */
const SHOWN_LEVELS: ReadonlySet<Level> = new Set<Level>(["warning", "full", "over"])

/** What stands before a count that is over the capacity; the selector keeps it from being drawn as a picture. */
const OVER_MARK = "\u26a0\ufe0e\u00a0"

/** About how wide a count is beside a name, in pixels. */
const COUNT_WIDTH_PX = 50

/** How much of the map's corners is covered by the buttons and by the choice of levels, in pixels. */
const [TOOLS_PX, LEVELS_PX] = [
  [52, 126],
  [280, 48]
] as const

/** How far the map is moved, by the size of its window, until labels are placed again. */
const CELL_RATIO = 0.1

const canvas = document.createElement("canvas").getContext("2d")!
const widths = new Map<string, number>()

/** The width of a name in the font of the page. */
export const measure = (text: string): number => {
  const known = widths.get(text)
  if (known !== undefined) return known
  canvas.font = `12px ${getComputedStyle(document.body).fontFamily}`
  const { width } = canvas.measureText(text)
  widths.set(text, width)
  return width
}

interface AreaLabelsProps {
  /** The organization, which has no label, and its places. */
  readonly premises: ReadonlyArray<Premises>
  readonly map: ReturnType<typeof useMap>
  /** Whether there is a choice of levels. */
  readonly hasLevels: boolean
}

export const AreaLabels = ({ premises, map: { outlines, size, offset, view }, hasLevels }: AreaLabelsProps) => {
  const { words, formats } = usePage()
  const kept = useKept()
  // Labels move with the map; only farther away they are placed again.
  const margin: Point = [size[0] * CELL_RATIO, size[1] * CELL_RATIO]
  const cellOf = (axis: 0 | 1) => -Math.round(offset[axis] / margin[axis]) * margin[axis]
  const [left, top] = [cellOf(0), cellOf(1)]
  const placed = useMemo(() => {
    const isRtl = words.direction === "rtl"
    const corner = ([width, height]: Point, isLeft: boolean): Box => {
      const x = left + (isLeft ? 0 : size[0] - width)
      return [x, top, x + width, top + height]
    }
    const covered = [corner(TOOLS_PX, isRtl), ...(hasLevels ? [corner(LEVELS_PX, !isRtl)] : [])]
    const window = [left, top, left + size[0], top + size[1]] as const
    const areas = outlines.slice(1).map((outline, nth) => ({ name: premises[nth + 1]!.name, outline }))
    return placeLabels({ areas, scale: view.zoom, window, margin, measure, countWidth: COUNT_WIDTH_PX, covered })
  }, [outlines, view.zoom, left, top, size, hasLevels])

  return (
    <g aria-hidden="true" class="labels" transform={`translate(${offset.join(" ")})`}>
      {placed.map((label) => {
        const { placeId, count } = premises[label.nth + 1]!
        // A place may have its count inside and its name beside.
        const key = label.from === undefined ? placeId! : -placeId!
        return kept(key, [label, count.inside, count.level, words, formats], () => {
          const { x, y, lines, spareLines, width, from, hasCount } = label
          const isInside = from === undefined
          const level = SHOWN_LEVELS.has(count.level) ? words.level[count.level] : ""
          const number = `${count.level === "over" ? OVER_MARK : ""}${formats.number(count.inside)}`
          const rows = [
            ...lines.map((line) => ["name", line] as const),
            ...(hasCount ? [["number", isInside ? number : `\u00a0${number}`] as const] : []),
            ...(level !== "" && spareLines > 0 && measure(level) <= width ? [["name", level] as const] : [])
          ]
          const first = isInside ? y - ((rows.length - 1) * LINE_PX) / 2 : y
          return (
            <g key={key}>
              {!isInside && <path d={`M${from.join(" ")}L${x} ${y}`} class="leader" />}
              <text y={first}>
                {rows.map(([kind, text], row) => (
                  // A count beside an area follows the name.
                  <tspan key={row} class={kind} {...((isInside || row === 0) && { x, y: first + row * LINE_PX })}>
                    {text}
                  </tspan>
                ))}
              </text>
            </g>
          )
        })
      })}
    </g>
  )
}
