/** The map of an organization in SVG: each area is a button with its name, its count and how full it is. */
import type { TargetedKeyboardEvent } from "preact"
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { besideEachOther, fit, labelOf, type Point, toPath } from "../shared/area.ts"
import { usePage } from "../shared/context.ts"
import { useKept } from "../shared/useKept.ts"
import { useWidth } from "../shared/useWidth.ts"
import type { Premises } from "../organizations/model.ts"
import { AreaLabels } from "./AreaLabels.tsx"
import { Attribution, BaseMap } from "./BaseMap.tsx"
import { MapTools } from "./MapTools.tsx"
import { ARROWS, nearestTo } from "./nearest.ts"
import { useMapView } from "./useMapView.ts"
import { viewOf } from "./view.ts"

interface AreaMapProps {
  /** The organization and its places. */
  readonly premises: ReadonlyArray<Premises>
  readonly selected: number | undefined
  readonly onSelect: (placeId: number | undefined) => void
}

/** How high a map is at most, by its width, and its bounds in pixels. */
const [MAX_HEIGHT_RATIO, MIN_HEIGHT_PX, MAX_HEIGHT_PX] = [0.8, 220, 640]

/** The parts of a pixel in which the areas are drawn: they stay smooth when they are enlarged. */
const PIXEL_STEPS = 1_000

/** The steps in percent in which an area is shaded by how full it is. */
const SHADE_STEP = 5

/** The areas in a drawing of the whole map. Views of it only scale and move them. */
const useGeometry = (premises: ReadonlyArray<Premises>, width: number) => {
  const polygons = premises.map(({ polygons }) => polygons)
  return useMemo(() => {
    const areas = besideEachOther(polygons)
    const highest = Math.min(Math.max(width * MAX_HEIGHT_RATIO, MIN_HEIGHT_PX), MAX_HEIGHT_PX)
    const { height, project: base } = fit(areas, width, highest)
    const size: Point = [width, Math.max(height, MIN_HEIGHT_PX)]
    const outlines = areas.map((area) => {
      let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
      for (const [x, y] of area.flat(2).map(base)) {
        ;[left, right] = [Math.min(left, x), Math.max(right, x)]
        ;[top, bottom] = [Math.min(top, y), Math.max(bottom, y)]
      }
      return { path: toPath(area, base, PIXEL_STEPS), left, top, right, bottom, label: labelOf(area, base) }
    })
    const { center } = viewOf(areas.flat(3), base, size)
    return { base, size, outlines, whole: { zoom: 1, center } }
  }, [width, ...polygons])
}

/** How full an area is, in percent of its capacity, in steps: a change that nobody sees draws nothing. */
const shadeOf = ({ inside, capacity }: Premises["count"]): number =>
  Math.round((Math.min(inside / (capacity || Infinity), 1) * 100) / SHADE_STEP) * SHADE_STEP

export const AreaMap = ({ premises, selected, onSelect }: AreaMapProps) => {
  const { words, formats } = usePage()
  const [box, width] = useWidth()
  const map = useRef<SVGSVGElement>(null)
  const { base, size, outlines, whole } = useGeometry(premises, width)
  const { view, project, offset, ...moves } = useMapView(map, base, size, whole)
  const kept = useKept()
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
    if (chosen !== undefined) onSelect(chosen.placeId)
    return chosen !== undefined
  }
  const focus = (nth: number) => {
    map.current!.querySelector<SVGGElement>(`[data-nth="${nth}"]`)?.focus({ preventScroll: true })
    const [x, y] = pointIn(nth)
    const isShown = x > 0 && y > 0 && x < size[0] && y < size[1]
    if (nth > 0 && !isShown) moves.panBy([size[0] / 2 - x, size[1] / 2 - y])
  }
  /** Where an area's label is in the window. */
  const pointIn = (nth: number): Point => {
    const { x, y } = outlines[nth]!.label
    return [offset[0] + x * view.zoom, offset[1] + y * view.zoom]
  }
  /** Arrows lead from area to area, and from the outermost ones to the organization. */
  const step = (from: number, arrow: Point): number => {
    const points = outlines.slice(1).map(({ label: { x, y } }): Point => [x, y])
    const start: Point = from === 0 ? base(view.center) : points[from - 1]!
    return (nearestTo(points, start, arrow) ?? -1) + 1
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const area = areaOf(target)
    const arrow = ARROWS[key]
    const isPlain = !(ctrlKey || metaKey || altKey)
    if (moves.onKey(event)) return event.preventDefault()
    if (area === null || !isPlain) return
    const nth = Number(area.dataset["nth"])
    if (arrow !== undefined) focus(step(nth, arrow))
    else if (key === "Home") focus(0)
    else if (key === "End") focus(premises.length - 1)
    else if (key === "Enter" || key === " ") select(target)
    else return
    event.preventDefault()
  }

  // Not for each change of the view.
  const areas = useMemo(
    () =>
      premises.map(({ placeId, name, count }, nth) => {
        const isWhole = placeId === undefined
        const isSelected = placeId === selected
        const shade = shadeOf(count)
        const { path } = outlines[nth]!
        const on = [words, formats, path, name, count.inside, count.level, shade, isSelected, nth, nth === stopsAt]
        return kept(placeId ?? 0, on, () => {
          const description = [
            `${isWhole ? words.whole : name}: ${words.insideOf(formats.number(count.inside))}`,
            ...(count.level === "none" ? [] : [words.level[count.level]])
          ].join(", ")
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
            </g>
          )
        })
      }),
    [premises, outlines, selected, stopsAt, words, formats]
  )

  return (
    <div ref={box} class="map" onKeyDown={onKeyDown}>
      {width > 0 && (
        <>
          <svg
            ref={map}
            width={size[0]}
            height={size[1]}
            role="group"
            aria-label={words.map}
            class={view.zoom > 1 ? "zoomed" : ""}
            onClick={({ target }) => select(target)}
            onFocusIn={({ target }) => setStop(premisesAt(target)?.placeId)}
          >
            <defs>
              <pattern
                id="over"
                width={8}
                height={8}
                patternUnits="userSpaceOnUse"
                patternTransform={`scale(${1 / view.zoom}) rotate(45)`}
              >
                <rect width={8} height={8} />
                <path d="M0 0V8" />
              </pattern>
            </defs>
            <BaseMap project={project} width={size[0]} height={size[1]} />
            <g transform={`translate(${offset.join(" ")}) scale(${view.zoom})`}>{areas}</g>
            <AreaLabels premises={premises} outlines={outlines} size={size} offset={offset} zoom={view.zoom} />
          </svg>
          <MapTools {...moves} />
        </>
      )}
      <Attribution />
    </div>
  )
}
