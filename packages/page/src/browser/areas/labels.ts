/** Where the names of areas stand on a map: inside, in lines that fit, or beside a small area with a line that leads to it. */
import type { Label, Point } from "../shared/area.ts"
import { clamp } from "./view.ts"

/** The width of a text in pixels. */
type Measure = (text: string) => number

/** The height of a line, in pixels. */
export const LINE_PX = 15

/** The least width of an area inside which its count has room, in pixels. */
const MIN_COUNT_WIDTH_PX = 18

/** The most lines of a name. */
const MAX_LINES = 3

/** The fewest letters of a name that is shortened. */
const MIN_LETTERS = 4

/** The space between an area and a name beside it, and around that name, in pixels. */
const [GAP_PX, PADDING_PX] = [14, 3]

/** The widest name beside an area, in pixels, and what it is shortened to where there is less room. */
const NAME_WIDTHS_PX = [160, 100, 60] as const

/** How far from an area its name may stand, by the usual space between them. */
const NEAR: ReadonlyArray<number> = [0.3, 1]
const FAR: ReadonlyArray<number> = [2.5, 5]

/** The narrowest window in which names may be far from their areas, or over other areas, in pixels. */
const WIDE_PX = 440

/** How much larger than itself an area counts at least, since a dot marks it when it is small, in pixels. */
const MARKER_PX = 14

/** The most areas in a window of which the small ones have names beside them. */
const MAX_AREAS_WITH_LEADERS = 60

const ELLIPSIS = "…"

/** The text as far as it fits, with an ellipsis; none where too little of it would be left. */
const shorten = (text: string, width: number, measure: Measure, least = MIN_LETTERS): string | undefined => {
  if (measure(text) <= width) return text
  const letters = [...text]
  let [fitting, tooMany] = [0, letters.length]
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1
    if (measure(letters.slice(0, middle).join("") + ELLIPSIS) <= width) fitting = middle
    else tooMany = middle
  }
  return fitting < least ? undefined : letters.slice(0, fitting).join("").trimEnd() + ELLIPSIS
}

/** A name in lines of at most this width: it wraps between words, and lines that are too long are shortened. None where it has no room. */
export const wrap = (name: string, width: number, most: number, measure: Measure): ReadonlyArray<string> => {
  const words = name.split(/\s+/)
  const lines: Array<string> = []
  while (words.length > 0 && lines.length < most) {
    let line = words.shift()!
    if (lines.length === most - 1) line = [line, ...words.splice(0)].join(" ")
    while (words.length > 0 && measure(`${line} ${words[0]}`) <= width) line += ` ${words.shift()}`
    const fitting = shorten(line, width, measure)
    if (fitting === undefined) {
      const before = lines.pop()
      return before === undefined ? [] : [...lines, shorten(`${before} ${line}`, width, measure, 1) ?? before]
    }
    lines.push(fitting)
  }
  return lines
}

export type Box = readonly [left: number, top: number, right: number, bottom: number]

/** What a map draws of a place: a box around it, and the room for a label inside, in pixels. */
export interface Outline {
  readonly box: Box
  readonly label: Label
}

/** A label of an area on a map. */
interface PlacedLabel {
  /** The index of the area. */
  readonly nth: number
  readonly x: number
  /** The middle of its lines. */
  readonly y: number
  /** The lines of the name; none where there is room for the count alone. */
  readonly lines: ReadonlyArray<string>
  /** The room that is left below the name and the count, in lines, and how wide it is. */
  readonly spareLines: number
  readonly width: number
  /** Where the line begins that leads to the area from a name beside it. */
  readonly from?: Point
  /** Whether the count stands with it. */
  readonly hasCount: boolean
}

const contains = (a: Box, b: Box): boolean => a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3]

const grown = (box: Box, x: number, y: number): Box => [box[0] - x, box[1] - y, box[2] + x, box[3] + y]

const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]

/** The boxes of this size at some distance beside an area, the nearest and most usual first. */
const besides = ([left, top, right, bottom]: Box, width: number, height: number, gap: number): ReadonlyArray<Box> => {
  const [x, y] = [(left + right - width) / 2, (top + bottom - height) / 2]
  const [west, east] = [left - gap - width, right + gap]
  const [north, south] = [top - gap - height, bottom + gap]
  const [xs, ys] = [
    [east, west, x, x, left, left, right - width, right - width, east, west, east, west],
    [y, y, north, south, north, south, north, south, north, north, south, south]
  ]
  return xs.map((x, nth) => [x, ys[nth]!, x + width, ys[nth]! + height])
}

interface LabelledAreas {
  /** The areas in the drawing of the whole map, which the view shows at `scale`. */
  readonly areas: ReadonlyArray<{ readonly name: string; readonly outline: Outline }>
  readonly scale?: number
  readonly window: Box
  /** How far outside of the window areas have labels, too, since it is moved. */
  readonly margin?: Point
  readonly measure: Measure
  /** The width that is left for a count beside a name. */
  readonly countWidth: number
  /** What is covered by the map's tools. */
  readonly covered?: ReadonlyArray<Box>
}

/**
 * The labels of the areas in a window: inside where a name has room, else beside the area, shortened, in the place of the count or over other
 * areas if need be. With very many areas, the small ones have none: their names are in their titles.
 */
export const placeLabels = (labelled: LabelledAreas): ReadonlyArray<PlacedLabel> => {
  const { areas, scale = 1, window, margin = [0, 0], measure, countWidth, covered = [] } = labelled
  const far = grown(window, ...margin)
  const shown = areas
    .map(({ name, outline: { box, label } }, nth) => ({
      nth,
      name,
      box: box.map((at) => at * scale) as unknown as Box,
      x: label.x * scale,
      y: label.y * scale,
      width: label.width * scale,
      height: label.height * scale
    }))
    .filter(({ box }) => overlap(box, far))
  type Shown = (typeof shown)[number]
  const inside = new Map<Shown, PlacedLabel>()
  const beside: Array<PlacedLabel> = []
  const [nameless, shortened]: [Array<Shown>, Array<Shown>] = [[], []]
  for (const one of shown) {
    const { nth, x, y, width, height } = one
    const inner = width - 2 * PADDING_PX
    const room = Math.floor((height - 2 * PADDING_PX) / LINE_PX)
    const lines = room < 2 ? [] : wrap(one.name, inner, Math.min(room - 1, MAX_LINES), measure)
    if (lines.length === 0) nameless.push(one)
    else if (lines.some((line) => line.endsWith(ELLIPSIS))) shortened.push(one)
    if (width >= MIN_COUNT_WIDTH_PX && height >= LINE_PX) {
      inside.set(one, { nth, x, y, lines, spareLines: room - lines.length - 1, width: inner, hasCount: true })
    }
  }
  if (shown.length > MAX_AREAS_WITH_LEADERS) return [...inside.values()]
  const labels = [...inside.values()].map(({ x, y, lines }) =>
    grown([x, y, x, y], Math.max(countWidth, ...lines.map(measure)) / 2, ((lines.length + 1) * LINE_PX) / 2)
  )
  const areaBoxes = shown.map(({ box }) => {
    const [width, height] = [box[2] - box[0], box[3] - box[1]]
    return grown(box, Math.max(MARKER_PX - width, 0) / 2, Math.max(MARKER_PX - height, 0) / 2)
  })
  /** Places a name beside its area, no wider than this, where it covers no other label, and no other area unless it may. */
  const placeBeside = (one: Shown, widest: number, distances: ReadonlyArray<number>, mayCover = false): boolean => {
    const text = shorten(one.name, widest, measure, 1)!
    const label = inside.get(one)
    const hasCount = label === undefined
    const width = measure(text) + (hasCount ? countWidth : 0) + 2 * PADDING_PX
    // A part has its name on what it is a part of.
    const others = areaBoxes.filter((other) => !contains(other, one.box))
    const taken = [...covered, ...labels, ...(mayCover ? [] : others)]
    const box = distances
      .flatMap((times) => besides(one.box, width, LINE_PX + 2 * PADDING_PX, times * GAP_PX))
      .find((box) => contains(window, box) && !taken.some((other) => overlap(box, other)))
    if (box === undefined) return false
    labels.push(box)
    // The count stays inside.
    if (!hasCount) inside.set(one, { ...label, lines: [], spareLines: 0 })
    const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]
    const from: Point = [clamp(x, one.box[0], one.box[2]), clamp(y, one.box[1], one.box[3])]
    beside.push({ nth: one.nth, x, y, lines: [text], spareLines: 0, width, from, hasCount })
    return true
  }
  /** Puts a name in the place of the count inside its area, where there is room for one line. */
  const placeInside = (one: Shown): boolean => {
    const label = inside.get(one)
    const text = label && shorten(one.name, label.width, measure)
    if (text !== undefined) inside.set(one, { ...label!, lines: [text], hasCount: false })
    return text !== undefined
  }
  const isWide = window[2] - window[0] >= WIDE_PX
  // Where not even a count is shown, a name is missed most.
  for (const one of nameless.toSorted((a, b) => Number(inside.has(a)) - Number(inside.has(b)))) {
    const isBeside = (distances: ReadonlyArray<number>, mayCover?: boolean) =>
      NAME_WIDTHS_PX.some((widest) => placeBeside(one, widest, distances, mayCover))
    const mayBeFar = isWide || !inside.has(one)
    if (isBeside(NEAR) || placeInside(one) || !mayBeFar || isBeside(FAR)) continue
    isBeside([...NEAR, ...FAR], true)
  }
  for (const one of shortened) if (measure(one.name) <= NAME_WIDTHS_PX[0]) placeBeside(one, NAME_WIDTHS_PX[0], NEAR)
  return [...inside.values(), ...beside]
}
