import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { fit, labelOf, toPath } from "./area.ts"
import type { Premises } from "./Organization.tsx"
import { useShared } from "./shared.ts"

interface AreaMapProps {
  /** The organization and its places. */
  readonly premises: ReadonlyArray<Premises>
  readonly selected: number | undefined
  readonly onSelect: (placeId: number | undefined) => void
}

/** About how wide a letter of a name is, in pixels, and how high a map is at most, by its width. */
const [LETTER, HEIGHT] = [7, 0.8]

/** The least width of an area inside which its count has room, in pixels. */
const ROOM = 18

/** The areas, each as a button with its name and its count. */
export const AreaMap = ({ premises, selected, onSelect }: AreaMapProps) => {
  const { words, formats } = useShared()
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(box.current!.clientWidth))
    observer.observe(box.current!)
    setWidth(box.current!.clientWidth)
    return () => observer.disconnect()
  }, [])

  const areas = premises.map(({ polygons }) => polygons)
  const { height, shapes } = useMemo(() => {
    const { height, project } = fit(areas, width, Math.max(width * HEIGHT, 200))
    return { height, shapes: areas.map((area) => ({ path: toPath(area, project), label: labelOf(area, project) })) }
  }, [width, ...areas])

  return (
    <div ref={box} class="map">
      {width > 0 && (
        <svg width={width} height={height} role="group" aria-label={words.map}>
          {premises.map(({ placeId, name, count }, nth) => {
            const { path, label } = shapes[nth]!
            const inside = formats.number(count.inside)
            const level = words.level[count.level]
            const isWhole = placeId === undefined
            const describes = [
              `${isWhole ? words.whole : name}: ${words.insideOf(inside)}`,
              ...(count.level === "none" ? [] : [level])
            ].join(", ")
            return (
              <g
                key={placeId ?? 0}
                role="button"
                tabIndex={0}
                aria-label={describes}
                aria-pressed={placeId === selected}
                class={`area ${isWhole ? "whole" : ""} ${count.level}`}
                onClick={() => onSelect(placeId)}
                onKeyDown={(event) => {
                  if (event.key !== "Enter" && event.key !== " ") return
                  event.preventDefault()
                  onSelect(placeId)
                }}
              >
                <title>{describes}</title>
                <path d={path} fill-rule="evenodd" />
                {!isWhole && label.width >= ROOM && (
                  <text x={label.x} y={label.y} aria-hidden="true">
                    {name.length * LETTER < label.width && (
                      <tspan x={label.x} dy="-0.7em" class="name">
                        {name}
                      </tspan>
                    )}
                    <tspan x={label.x} dy={name.length * LETTER < label.width ? "1.2em" : "0.3em"} class="number">
                      {inside}
                    </tspan>
                    {/warning|full|over/.test(count.level) && level.length * LETTER < label.width && (
                      <tspan x={label.x} dy="1.2em" class="name">
                        {level}
                      </tspan>
                    )}
                  </text>
                )}
              </g>
            )
          })}
        </svg>
      )}
    </div>
  )
}
