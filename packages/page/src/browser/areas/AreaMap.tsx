/** The map of an organization in SVG: each area is a button with its name, its count and how full it is. */
import type { TargetedKeyboardEvent } from "preact"
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { ActionButton } from "../shared/ActionButton.tsx"
import type { Point } from "../shared/area.ts"
import { usePage } from "../shared/context.ts"
import { useKept } from "../shared/useKept.ts"
import { describeCount } from "../organizations/announcements.ts"
import type { Premises } from "../organizations/model.ts"
import { AreaLabels } from "./AreaLabels.tsx"
import { Attribution, BaseMap, MapTools, OverPattern, PlanImage } from "./BaseMap.tsx"
import { ARROWS, nearestTo } from "./view.ts"
import type { Floors } from "./useFloors.ts"
import { useMap } from "./useView.ts"

interface AreaMapProps {
  /** The level that is shown, with the organization and its places there. */
  readonly floors: Floors
  readonly selected: number | undefined
  readonly onSelect: (placeId: number | undefined) => void
}

/** The levels whose places need attention have a mark, and up to so many of them a button beside the choice. */
const [ATTENTION, MAX_ATTENTION] = ["\u26a0\ufe0e", 2]

/** The choice of the level that a map shows, with how many people are on each; nothing where there is one. */
const LevelSwitch = ({ levels, level, setLevel, counts }: Floors) => {
  const { words, formats } = usePage()
  if (levels.length < 2) return null
  const nameOf = (level: number) => words.floor(formats.number(level))
  const needing = levels.filter((one) => one !== level && counts.get(one)?.needsAttention === true)
  return (
    <div class="map-levels">
      <select
        aria-label={words.floorLevel}
        value={level}
        onChange={({ currentTarget }) => setLevel(Number(currentTarget.value))}
      >
        {levels.map((level) => {
          const { inside, needsAttention = false } = counts.get(level) ?? {}
          const count = inside === undefined ? "" : `: ${formats.number(inside)}`
          return (
            <option key={level} value={level}>
              {`${nameOf(level)}${count}${needsAttention ? ` ${ATTENTION}` : ""}`}
            </option>
          )
        })}
      </select>
      {needing.slice(0, MAX_ATTENTION).map((level) => (
        <ActionButton action={`${ATTENTION} ${nameOf(level)}`} key={level} onClick={() => setLevel(level)} />
      ))}
    </div>
  )
}

/** How small an area is that is marked by a dot, in pixels, and how many have one at most. */
const [MARKER_PX, MAX_MARKERS] = [8, 60]

/** The steps in percent in which an area is shaded by how full it is. */
const SHADE_STEP = 5

/** How full an area is, in percent of its capacity, in steps: a change that nobody sees draws nothing. */
export const shadeOf = ({ inside, capacity }: Premises["count"]): number =>
  Math.round((Math.min(inside / (capacity || Infinity), 1) * 100) / SHADE_STEP) * SHADE_STEP

export const AreaMap = ({ floors, selected, onSelect }: AreaMapProps) => {
  const { shown: premises, image } = floors
  const { words, formats } = usePage()
  const map = useMap(
    premises.map(({ polygons }) => polygons),
    floors.parents
  )
  const { svg, size, base, outlines, view, offset } = map
  const isThere = size[0] > 0
  const kept = useKept()
  /** What was chosen on the map itself, which stays where it is. */
  const pressed = useRef<number | undefined>(undefined)
  const nthSelected = premises.findIndex(({ placeId }) => placeId === selected)
  useLayoutEffect(() => {
    if (!isThere || nthSelected < 0 || (selected !== undefined && selected === pressed.current)) return
    pressed.current = undefined
    if (nthSelected === 0) map.flyBack()
    else map.flyTo(map.areas[nthSelected]!.flat(2))
  }, [selected, nthSelected < 0, isThere])
  /** The area that has the tab stop. */
  const [stop, setStop] = useState<number | undefined>(selected)
  useLayoutEffect(() => setStop(selected), [selected])
  const stopsAt = Math.max(
    premises.findIndex(({ placeId }) => placeId === stop),
    0
  )

  const areaOf = (target: EventTarget | null) => (target as Element).closest<SVGGElement>("[data-nth]")
  const premisesAt = (target: EventTarget | null) => premises[Number(areaOf(target)?.dataset["nth"])]
  const select = (target: EventTarget | null) => {
    const chosen = premisesAt(target)
    if (chosen === undefined) return
    pressed.current = chosen.placeId
    onSelect(chosen.placeId)
  }
  const focus = (nth: number) => {
    svg.current!.querySelector<SVGGElement>(`[data-nth="${nth}"]`)?.focus({ preventScroll: true })
    const { x, y } = outlines[nth]!.label
    const [left, top] = [offset[0] + x * view.zoom, offset[1] + y * view.zoom]
    if (nth > 0 && !map.isShown([left, top])) map.panBy([size[0] / 2 - left, size[1] / 2 - top])
  }
  /** Arrows lead from area to area, and from the outermost ones to the organization. */
  const step = (from: number, arrow: Point): number => {
    const points = outlines.slice(1).map(({ label: { x, y } }): Point => [x, y])
    const start: Point = from === 0 ? base(view.center) : points[from - 1]!
    return (nearestTo(points, start, arrow) ?? -1) + 1
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    // The choice of a floor has keys of its own.
    if (target instanceof HTMLSelectElement) return
    const area = areaOf(target)
    const arrow = ARROWS[key]
    const isPlain = !(ctrlKey || metaKey || altKey)
    if (map.onKey(event)) return event.preventDefault()
    if (area === null || !isPlain) return
    const nth = Number(area.dataset["nth"])
    if (arrow !== undefined) focus(step(nth, arrow))
    else if (key === "Home") focus(0)
    else if (key === "End") focus(premises.length - 1)
    else if (key === "Enter" || key === " ") select(target)
    else return
    event.preventDefault()
  }

  // A dot marks a small area until it is larger: that changes with each doubling of the zoom.
  const smallest = MARKER_PX / 2 ** Math.floor(Math.log2(view.zoom))
  const markers = useMemo(() => {
    const small = outlines.filter(
      ({ box: [left, top, right, bottom] }) => Math.max(right - left, bottom - top) < smallest
    )
    return new Set(small.length > MAX_MARKERS ? [] : small)
  }, [outlines, smallest])
  // Not for each change of the view.
  const areas = useMemo(
    () =>
      premises.map((one, nth) => {
        const { placeId, name, count } = one
        const isWhole = placeId === undefined
        const isSelected = placeId === selected
        const shade = shadeOf(count)
        const outline = outlines[nth]!
        const { path, box } = outline
        const marker = markers.has(outline) && `M${(box[0] + box[2]) / 2} ${(box[1] + box[3]) / 2}h0`
        const looks = [path, marker, shade, isSelected, nth === stopsAt]
        return kept(placeId ?? 0, [words, formats, name, count.inside, count.level, nth, ...looks], () => {
          const description = describeCount({ words, formats }, one)
          return (
            <g
              key={placeId ?? 0}
              role="button"
              tabindex={nth === stopsAt ? 0 : -1}
              aria-label={description}
              aria-pressed={isSelected}
              data-nth={nth}
              class={`area ${isWhole ? "whole" : ""} ${count.level}`}
              style={{ "--shade": `${shade}%` }}
            >
              <title>{description}</title>
              <path
                d={path}
                fill-rule="evenodd"
                style={{ fill: count.level === "over" && !isWhole ? "url(#over)" : "" }}
              />
              {marker && <path d={marker} class="marker around" />}
              {marker && <path d={marker} class="marker" />}
            </g>
          )
        })
      }),
    [premises, outlines, selected, stopsAt, words, formats, markers]
  )

  return (
    // Chromium makes an SVG element that hears of the focus a tab stop itself.
    <div
      ref={map.box}
      class="map"
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => {
        const focused = premisesAt(target)
        if (focused !== undefined) setStop(focused.placeId)
      }}
    >
      {isThere && (
        <>
          <svg
            ref={svg}
            width={size[0]}
            height={size[1]}
            role="group"
            aria-label={
              floors.levels.length > 1 ? `${words.map}, ${words.floor(formats.number(floors.level))}` : words.map
            }
            class={view.zoom > 1 ? "zoomed" : ""}
            onClick={({ target }) => select(target)}
          >
            <OverPattern zoom={view.zoom} />
            <g class="content">
              <BaseMap project={map.project} size={size} />
              <g transform={`translate(${offset.join(" ")}) scale(${view.zoom})`}>
                {areas[0]}
                {image !== undefined && <PlanImage {...image} base={base} near={map.whole.center} />}
                {areas.slice(1)}
              </g>
              <AreaLabels premises={premises} map={map} hasLevels={floors.levels.length > 1} />
            </g>
          </svg>
          <MapTools map={map} />
          <LevelSwitch {...floors} />
        </>
      )}
      <Attribution />
    </div>
  )
}
