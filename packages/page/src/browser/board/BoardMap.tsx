/** The map of a level on a board: an image with the name, the count and the state of each place, and nothing to be operated. */
import { useMemo } from "preact/hooks"
import { measure } from "../areas/AreaLabels.tsx"
import { shadeOf } from "../areas/AreaMap.tsx"
import { Attribution, BaseMap, OverPattern, PlanImage } from "../areas/BaseMap.tsx"
import { LINE_PX, placeLabels } from "../areas/labels.ts"
import type { Floors } from "../areas/useFloors.ts"
import { useGeometry } from "../areas/useGeometry.ts"
import { useOpened } from "../shared/context.ts"
import { needsAttention } from "./board.ts"
import { useRoom } from "./BoardFrame.tsx"
import { useSize } from "./useSize.ts"

/** The sizes of names in the unit of the board; the largest one is taken in which all have room. */
const NAME_SIZES = [3, 2.5, 2.05]

/** The size of names for which labels are placed, and about how wide a count is, in pixels. */
const [NAME_PX, COUNT_WIDTH_PX] = [12, 50]

/** The number nearest to a wanted one within some distance of a middle. */
const clamp = (wanted: number, middle: number, distance: number): number =>
  Math.min(Math.max(wanted, middle - distance), middle + distance)

export const BoardMap = ({ shown: premises, parents, image, level, levels }: Floors) => {
  const { words, formats } = useOpened()
  const roomOf = useRoom()
  const [box, [width, height], unit] = useSize()
  const { base, size, outlines, whole } = useGeometry(
    premises.map(({ polygons }) => polygons),
    width,
    parents,
    height
  )
  const names = premises.slice(1).map(({ name }) => name)
  const { scale, labels } = useMemo(() => {
    // Labels are placed as if names had their usual size, in a drawing that is as much smaller.
    const placed = NAME_SIZES.map((name) => {
      const scale = (name * unit) / NAME_PX
      const areas = outlines.slice(1).map((outline, nth) => ({ name: names[nth]!, outline }))
      const window = [0, 0, size[0] / scale, size[1] / scale] as const
      return { scale, labels: placeLabels({ areas, scale: 1 / scale, window, measure, countWidth: COUNT_WIDTH_PX }) }
    })
    const isWhole = ({ labels }: (typeof placed)[number]) =>
      labels.filter(({ nth, lines }) => lines.join(" ") === names[nth]).length === names.length
    return placed.find(isWhole) ?? placed.at(-1)!
  }, [outlines, unit])
  const areas = premises.map(({ placeId, count }, nth) => (
    <g
      key={placeId ?? 0}
      class={`area ${placeId === undefined ? "whole" : ""} ${count.level}`}
      style={{ "--shade": `${shadeOf(count)}%` }}
    >
      <path
        d={outlines[nth]!.path}
        fill-rule="evenodd"
        style={{ fill: count.level === "over" && placeId !== undefined ? "url(#over)" : "" }}
      />
    </g>
  ))

  return (
    <div ref={box} class="map">
      {height > 0 && (
        <svg
          role="img"
          aria-label={levels.length > 1 ? `${words.map}, ${words.floor(formats.number(level))}` : words.map}
          width={size[0]}
          height={size[1]}
        >
          <OverPattern />
          <BaseMap project={base} size={size} />
          {areas[0]}
          {image !== undefined && <PlanImage {...image} base={base} near={whole.center} />}
          {areas.slice(1)}
          <g class="labels" style={{ "--scale": `${scale}px` }}>
            {labels.map(({ nth, x, y, lines, spareLines, width, from, hasCount }) => {
              const place = premises[nth + 1]!
              const room = needsAttention(place) ? roomOf(place.count) : ""
              const rows = [
                ...lines.map((text) => ["name", text] as const),
                ...(hasCount ? [["number", formats.number(place.count.inside)] as const] : []),
                ...(room !== "" && spareLines > 0 && measure(room) <= width ? [["room", room] as const] : [])
              ]
              const first = from === undefined ? y - ((rows.length - 1) * LINE_PX) / 2 : y
              const halfWidth =
                rows.reduce((sum, [, text]) => sum + measure(text), hasCount ? COUNT_WIDTH_PX / 3 : 0) / 2
              return (
                <g key={from === undefined ? place.placeId : `beside ${place.placeId}`}>
                  {from !== undefined && (
                    // The line ends where the name begins.
                    <path
                      d={`M${from.map((at) => at * scale).join(" ")}L${clamp(from[0], x, halfWidth) * scale} ${clamp(from[1], y, LINE_PX / 2) * scale}`}
                      class="leader"
                    />
                  )}
                  <text x={x * scale} y={first * scale}>
                    {rows.map(([kind, text], row) => (
                      <tspan
                        key={row}
                        class={kind}
                        {...(from === undefined && { x: x * scale, y: (first + row * LINE_PX) * scale })}
                      >
                        {from === undefined || row === 0 ? text : `\u00a0${text}`}
                      </tspan>
                    ))}
                  </text>
                </g>
              )
            })}
          </g>
        </svg>
      )}
      <Attribution />
    </div>
  )
}
