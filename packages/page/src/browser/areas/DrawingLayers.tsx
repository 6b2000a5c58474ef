/** What a drawing shows on its map: the areas around it, the shape, what is at fault, and what can be dragged. */
import { useMemo } from "preact/hooks"
import { labelOf, type Point, type Position, toPath } from "../shared/area.ts"
import { type OpenedContent, useOpened } from "../shared/context.ts"
import { PlanImage } from "./BaseMap.tsx"
import { type CornerAt, cornerOf, cornersOf, edgeOf, middleAfter, type Shape } from "./drawing.ts"
import { metresOf } from "./edges.ts"
import type { DrawingState } from "./useDrawing.ts"
import { viewIn } from "./view.ts"

/** The length of the shortest edge with a handle for a new corner, in pixels. */
const MIN_EDGE_PX = 36

/** How far outside of the window something counts as shown, in pixels. */
const MARGIN_PX = 10

/** About how wide a letter of a name is, in pixels. */
const LETTER_WIDTH_PX = 7

/** The length of the shortest edge whose metres are said, how far from it they stand, in pixels, and of how many edges at most. */
const [MIN_MEASURED_PX, MEASURE_GAP_PX, MAX_MEASURED] = [48, 12, 60]

/** From so many metres on there are no tenths, and kilometres. */
const [WHOLE_METRES, KILOMETRES] = [100, 10_000]

export interface LayerProps {
  readonly drawing: DrawingState
}

const isAt = (one: CornerAt | undefined, other: CornerAt): boolean => one?.join() === other.join()
const textOf = ([longitude, latitude]: Position) => `${latitude}, ${longitude}`

/** The name of a corner: its number in its ring and, where there are several, the ring's. */
export const cornerTitle = (
  { words, formats: { number } }: OpenedContent,
  shape: Shape,
  [part, ring, corner]: CornerAt
): string => {
  const title = words.corner(number(corner + 1), number(shape[part]![ring]!.length))
  return shape.flat().length > 1 ? `${title}, ${words.ofRing(number(part + 1), number(ring + 1))}` : title
}

/** The areas around the shape, with their names where there is room, and the plan between them. */
export const Around = ({ drawing: { base, size, view, project, around, plan } }: LayerProps) => {
  // They are drawn anew when they grow, and only moved with the view.
  const { areas, center, projected } = useMemo(() => {
    const { project: projected } = viewIn(base, size, view)
    const areas = around.map(({ name, polygons, parts = [] }) => ({
      name,
      path: toPath(polygons, projected),
      label: labelOf([...polygons, ...parts], projected)
    }))
    return { areas, center: view.center, projected }
  }, [base, view.zoom, around])
  const [left, top] = project(center)
  const [whole, ...others] = areas
  return (
    <g class="around" aria-hidden="true" transform={`translate(${left - size[0] / 2} ${top - size[1] / 2})`}>
      <path class="whole" d={whole!.path} fill-rule="evenodd" />
      {plan !== undefined && <PlanImage {...plan} base={projected} near={center} />}
      {others.map(({ path }, nth) => (
        <path key={nth} d={path} fill-rule="evenodd" />
      ))}
      <g class="labels">
        {others.map(({ name, label: { x, y, width } }, nth) =>
          name.length * LETTER_WIDTH_PX < width ? (
            <text key={nth} x={x} y={y} class="name">
              {name}
            </text>
          ) : null
        )}
      </g>
    </g>
  )
}

export const Faults = ({ drawing: { project, faults, marks = [] } }: LayerProps) => (
  <g class="at-fault" aria-hidden="true">
    {[...faults, ...marks]
      .map((line) => line.map(project))
      .map((points, nth) =>
        points.length === 1 ? (
          <circle key={nth} cx={points[0]![0]} cy={points[0]![1]} r={12} />
        ) : (
          <polyline key={nth} points={points.join(" ")} />
        )
      )}
  </g>
)

/** The edges of a shape whose middle is in the window. */
const useEdges = ({ project, isShown }: DrawingState, shape: Shape) => {
  const { formats } = useOpened()
  const write = (metres: number) =>
    metres < KILOMETRES
      ? `${formats.number(metres < WHOLE_METRES ? metres : Math.round(metres))}\u202fm`
      : `${formats.number(metres / 1000)}\u202fkm`
  return cornersOf(shape).flatMap((at) => {
    const position = middleAfter(shape, at)
    const middle = position && project(position)
    if (middle === undefined || !isShown(middle, MARGIN_PX)) return []
    const edge = edgeOf(shape, at)
    const [from, to]: readonly [Point, Point] = [project(edge[0]), project(edge[1])]
    const length = Math.hypot(to[0] - from[0], to[1] - from[1])
    return [{ at, from, to, middle, length, metres: write(metresOf(edge)) }]
  })
}

/** The edges, which move parallel to themselves, and a handle for a new corner in the middle of each that is long enough. */
export const Edges = ({ drawing }: LayerProps) => {
  const { words, formats } = useOpened()
  return useEdges(drawing, drawing.shape).map(({ at, from, to, middle: [x, y], length, metres }) => (
    <g key={at.join(" ")}>
      <path
        d={`M${from.join(" ")}L${to.join(" ")}`}
        class="side"
        data-edge={at.join(" ")}
        role="button"
        tabindex={-1}
        aria-label={words.edge(formats.number(at[2] + 1), metres)}
      />
      {length > MIN_EDGE_PX && (
        <g data-after={at.join(" ")} class="middle" aria-hidden="true">
          <circle cx={x} cy={y} r={12} class="grip" />
          <circle cx={x} cy={y} r={3.5} />
        </g>
      )}
    </g>
  ))
}

/** The lengths of the edges, beside them on the outside. */
export const Lengths = ({ drawing, shape = drawing.shape }: LayerProps & { readonly shape?: Shape }) => {
  const edges = useEdges(drawing, shape).filter(({ length }) => length > MIN_MEASURED_PX)
  if (edges.length > MAX_MEASURED) return null
  const isClockwise = shape.map((rings) =>
    rings.map((corners) => {
      const points = corners.map(drawing.project)
      return points.reduce((sum, [x, y], i) => sum + x * points.at(i - 1)![1] - y * points.at(i - 1)![0], 0) < 0
    })
  )
  return (
    <g class="labels lengths" aria-hidden="true">
      {edges.map(({ at, from, to, middle, length, metres }) => {
        const outward = (isClockwise[at[0]]![at[1]] === true ? 1 : -1) / length
        const [nx, ny] = [(to[1] - from[1]) * outward, (from[0] - to[0]) * outward]
        const away = MEASURE_GAP_PX + (Math.abs(nx) * metres.length * LETTER_WIDTH_PX) / 2
        return (
          <text key={at.join(" ")} x={middle[0] + nx * away} y={middle[1] + ny * away}>
            {metres}
          </text>
        )
      })}
    </g>
  )
}

/** The corners. One of them, also where it is not shown, is in the order of Tab. */
export const Corners = ({ drawing }: LayerProps) => {
  const page = useOpened()
  const { shape, active, activePosition, project, isShown, activate } = drawing
  const corners = cornersOf(shape)
  const tabbed = activePosition !== undefined ? active : corners[0]
  return corners.map((at) => {
    const position = cornerOf(shape, at)!
    const [x, y] = project(position)
    if (!isShown([x, y], MARGIN_PX) && !isAt(tabbed, at)) return null
    return (
      <g
        key={at.join(" ")}
        data-at={at.join(" ")}
        class="corner"
        role="button"
        tabindex={isAt(tabbed, at) ? 0 : -1}
        aria-pressed={isAt(active, at)}
        aria-label={`${cornerTitle(page, shape, at)}: ${textOf(position)}`}
        onFocus={() => {
          if (!isAt(active, at)) activate(at)
        }}
      >
        <circle cx={x} cy={y} r={14} class="grip" />
        <circle cx={x} cy={y} r={6} />
      </g>
    )
  })
}

/** Where a key adds the next corner. */
export const Cross = ({ drawing: { project, crossAt } }: LayerProps) => {
  const { words } = useOpened()
  const [x, y] = project(crossAt)
  return (
    <g class="cross" role="button" tabindex={0} aria-label={words.newCorner(textOf(crossAt))}>
      <circle cx={x} cy={y} r={12} class="grip" />
      <path d={`M${x} ${y}m-9 0h18m-9 -9v18`} />
    </g>
  )
}
