/** Where the names of areas stand on a map: inside, in lines that fit, or beside a small area with a line that leads to it. */
import type { Label, Point } from "../shared/area.ts"

/** The width of a text in pixels. */
export type Measure = (text: string) => number

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

/** The widest name beside an area, in pixels. */
const MAX_NAME_PX = 160

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

/** What a map draws of a place: a box around it, and the room for a label inside, in pixels. */
export interface Outline {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly label: Label
}

/** A label of an area on a map. */
export interface PlacedLabel {
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
  /** Where the line begins that leads to the area from a label beside it. */
  readonly from?: Point
}

type Box = readonly [left: number, top: number, right: number, bottom: number]

const contains = (a: Box, b: Box): boolean => a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3]

const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]

/** The boxes of this size beside an area, the nearest and most usual first. */
const besides = ({ left, top, right, bottom }: Outline, width: number, height: number): ReadonlyArray<Box> => {
  const [x, y] = [(left + right - width) / 2, (top + bottom - height) / 2]
  const [west, east] = [left - GAP_PX - width, right + GAP_PX]
  const [north, south] = [top - GAP_PX - height, bottom + GAP_PX]
  const at = [
    [east, y],
    [west, y],
    [x, north],
    [x, south],
    [east, north],
    [west, north],
    [east, south],
    [west, south]
  ] as const
  return at.map(([x, y]) => [x, y, x + width, y + height])
}

/**
 * The labels of the areas whose names have room in a window. Areas that show nothing have none: their names are in their
 * titles. Areas within `margin` of the window have labels, too, since it is moved. `countWidth` is the width that is left for a count
 * beside a name.
 */
export const placeLabels = (
  areas: ReadonlyArray<{ readonly name: string; readonly outline: Outline }>,
  window: Box,
  [marginX, marginY]: Point,
  measure: Measure,
  countWidth: number
): ReadonlyArray<PlacedLabel> => {
  const far: Box = [window[0] - marginX, window[1] - marginY, window[2] + marginX, window[3] + marginY]
  const shown = areas
    .map((area, nth) => ({ ...area, nth }))
    .filter(({ outline: { left, top, right, bottom } }) => overlap([left, top, right, bottom], far))
  const placed: Array<PlacedLabel> = []
  const small: Array<(typeof shown)[number]> = []
  for (const one of shown) {
    const { x, y, width, height } = one.outline.label
    // Its parts cover it.
    if (width < 1) continue
    const inner = width - 2 * PADDING_PX
    const room = Math.floor((height - 2 * PADDING_PX) / LINE_PX)
    const lines = room < 2 ? [] : wrap(one.name, inner, Math.min(room - 1, MAX_LINES), measure)
    if (lines.length === 0) small.push(one)
    if (width >= MIN_COUNT_WIDTH_PX && height >= LINE_PX) {
      placed.push({ nth: one.nth, x, y, lines, spareLines: room - lines.length - 1, width: inner })
    }
  }
  if (shown.length > MAX_AREAS_WITH_LEADERS) return placed
  const boxOf = ({ left, top, right, bottom }: Outline): Box => [left, top, right, bottom]
  const taken: Array<Box> = [
    ...shown.map(({ outline }) => boxOf(outline)),
    ...placed.map(({ x, y, lines }): Box => {
      const [halfWidth, halfHeight] = [
        Math.max(countWidth, ...lines.map(measure)) / 2,
        ((lines.length + 1) * LINE_PX) / 2
      ]
      return [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight]
    })
  ]
  for (const { nth, name, outline } of small) {
    const text = shorten(name, MAX_NAME_PX, measure)!
    const width = measure(text) + countWidth + 2 * PADDING_PX
    const box = besides(outline, width, LINE_PX + 2 * PADDING_PX).find(
      (box) =>
        box[0] >= window[0] &&
        box[1] >= window[1] &&
        box[2] <= window[2] &&
        box[3] <= window[3] &&
        // A part has its name on what it is a part of.
        taken.every((other) => contains(other, boxOf(outline)) || !overlap(box, other))
    )
    if (box === undefined) continue
    taken.push(box)
    const inside = placed.findIndex((label) => label.nth === nth)
    if (inside >= 0) placed.splice(inside, 1)
    const { x, y } = outline.label
    placed.push({
      nth,
      x: (box[0] + box[2]) / 2,
      y: (box[1] + box[3]) / 2,
      lines: [text],
      spareLines: 0,
      width,
      from: [x, y]
    })
  }
  return placed
}
