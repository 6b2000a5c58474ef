/** The map of an organization in SVG: each area is a button with its name and count. */
import { useMemo } from "preact/hooks"
import { besideEachOther, fit, labelOf, LETTER_WIDTH_PX, toPath } from "../shared/area.ts"
import { Attribution, BaseMap } from "./BaseMap.tsx"
import type { Level } from "../live/counts.ts"
import type { Premises } from "../organizations/model.ts"
import { usePage } from "../shared/context.ts"
import { useWidth } from "../shared/useWidth.ts"

interface AreaMapProps {
  /** The organization and its places. */
  readonly premises: ReadonlyArray<Premises>
  readonly selected: number | undefined
  readonly onSelect: (placeId: number | undefined) => void
}

/** How high a map is at most, by its width. */
const MAX_HEIGHT_RATIO = 0.8

/** The least width of an area inside which its count has room, in pixels. */
const MIN_COUNT_WIDTH_PX = 18

/** The levels whose word stands on the map; all levels stand in the table. */
const SHOWN_LEVELS: ReadonlySet<Level> = new Set<Level>(["warning", "full", "over"])

export const AreaMap = ({ premises, selected, onSelect }: AreaMapProps) => {
  const { words, formats } = usePage()
  const [box, width] = useWidth()
  const polygons = premises.map(({ polygons }) => polygons)
  const { height, project, shapes } = useMemo(() => {
    const areas = besideEachOther(polygons)
    const { height, project } = fit(areas, width, Math.max(width * MAX_HEIGHT_RATIO, 200))
    return {
      height,
      project,
      shapes: areas.map((area) => ({ path: toPath(area, project), label: labelOf(area, project) }))
    }
  }, [width, ...polygons])

  return (
    <div ref={box} class="map">
      {width > 0 && (
        <svg width={width} height={height} role="group" aria-label={words.map}>
          <BaseMap project={project} width={width} height={height} />
          {premises.map(({ placeId, name, count }, nth) => {
            const isWhole = placeId === undefined
            const description = [
              `${isWhole ? words.whole : name}: ${words.insideOf(formats.number(count.inside))}`,
              ...(count.level === "none" ? [] : [words.level[count.level]])
            ].join(", ")
            return (
              <g
                key={placeId ?? 0}
                role="button"
                tabindex={0}
                aria-label={description}
                aria-pressed={placeId === selected}
                class={`area ${isWhole ? "whole" : ""} ${count.level}`}
                onClick={() => onSelect(placeId)}
                onKeyDown={(event) => {
                  if (event.key !== "Enter" && event.key !== " ") return
                  event.preventDefault()
                  onSelect(placeId)
                }}
              >
                <title>{description}</title>
                <path d={shapes[nth]!.path} fill-rule="evenodd" />
              </g>
            )
          })}
          <g aria-hidden="true" class="labels">
            {premises.map(({ placeId, name, count }, nth) => {
              const { x, y, width } = shapes[nth]!.label
              const hasRoom = (text: string) => text.length * LETTER_WIDTH_PX < width
              const level = SHOWN_LEVELS.has(count.level) ? words.level[count.level] : ""
              if (placeId === undefined || width < MIN_COUNT_WIDTH_PX) return null
              return (
                <text key={placeId} x={x} y={y}>
                  {hasRoom(name) && (
                    <tspan x={x} dy="-0.7em" class="name">
                      {name}
                    </tspan>
                  )}
                  <tspan x={x} dy={hasRoom(name) ? "1.2em" : "0.3em"} class="number">
                    {formats.number(count.inside)}
                  </tspan>
                  {level !== "" && hasRoom(level) && (
                    <tspan x={x} dy="1.2em" class="name">
                      {level}
                    </tspan>
                  )}
                </text>
              )
            })}
          </g>
        </svg>
      )}
      <Attribution />
    </div>
  )
}
