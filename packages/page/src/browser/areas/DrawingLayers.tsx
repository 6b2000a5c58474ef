/** What a drawing shows on its map: the areas around it, the shape, what is at fault, and what can be dragged. */
import { useMemo } from "preact/hooks"
import { labelOf, type Point, type Position, type Ring, toPath } from "../shared/area.ts"
import { useOpened } from "../shared/context.ts"
import { type CornerAt, cornerOf, cornersOf, edgeOf, middleAfter, type Shape } from "./drawing.ts"
import { metresBetween } from "./metres.ts"
import { PlanImage } from "./PlanImage.tsx"
import type { ShownPlan } from "./useFloorPlans.ts"
import type { DrawingState, SurroundingArea } from "./useDrawing.ts"
import { viewIn } from "./view.ts"

/** The length of the shortest edge with a handle for a new corner, in pixels. */
const MIN_EDGE_PX = 36

/** About how wide a letter of a name is, in pixels. */
const LETTER_WIDTH_PX = 7

/** The length of the shortest edge whose metres are said, how far from it they stand, in pixels, and of how many edges at most. */
const [MIN_MEASURED_PX, MEASURE_GAP_PX, MAX_MEASURED] = [48, 12, 60]

/** From so many metres on there are no tenths, and kilometres. */
const [WHOLE_METRES, KILOMETRES] = [100, 10_000]

const isAt = (one: CornerAt | undefined, other: CornerAt): boolean => one?.every((n, i) => n === other[i]) === true
const textOf = ([longitude, latitude]: Position) => `${latitude}, ${longitude}`

/** The name of a corner: its number in its ring and, where there are several, the ring's. */
export const useCornerTitle = (shape: Shape) => {
  const { words, formats } = useOpened()
  return ([part, ring, corner]: CornerAt) =>
    [
      words.corner(formats.number(corner + 1), formats.number(shape[part]![ring]!.length)),
      ...(shape.flat().length > 1 ? [words.ofRing(formats.number(part + 1), formats.number(ring + 1))] : [])
    ].join(", ")
}

interface AroundProps {
  readonly drawing: DrawingState
  readonly around: ReadonlyArray<SurroundingArea>
  readonly plan: ShownPlan | undefined
}

/** The areas around the shape, with their names where there is room. */
export const Around = ({ drawing: { base, size, view, project }, around, plan }: AroundProps) => {
  // They are drawn anew when they grow, and only moved with the view.
  const [drawnAround, drawnCenter, drawnProject] = useMemo(() => {
    const { project } = viewIn(base, size, view)
    const drawings = around.map(({ name, polygons, parts = [] }) => {
      const { x, y, width } = labelOf([...polygons, ...parts], project)
      return {
        path: toPath(polygons, project),
        label: name.length * LETTER_WIDTH_PX < width ? { x, y, name } : undefined
      }
    })
    return [drawings, view.center, project] as const
  }, [base, view.zoom, around])
  const [left, top] = project(drawnCenter)
  return (
    <g class="around" aria-hidden="true" transform={`translate(${left - size[0] / 2} ${top - size[1] / 2})`}>
      <path class="whole" d={drawnAround[0]!.path} fill-rule="evenodd" />
      {plan !== undefined && <PlanImage {...plan} base={drawnProject} near={drawnCenter} />}
      {drawnAround.slice(1).map(({ path }, nth) => (
        <path key={nth} d={path} fill-rule="evenodd" />
      ))}
      <g class="labels">
        {drawnAround.slice(1).map(
          ({ label }, nth) =>
            label !== undefined && (
              <text key={nth} x={label.x} y={label.y} class="name">
                {label.name}
              </text>
            )
        )}
      </g>
    </g>
  )
}

interface FaultsProps {
  readonly drawing: DrawingState
  readonly faults: ReadonlyArray<Ring>
}

export const Faults = ({ drawing: { project }, faults }: FaultsProps) => (
  <g class="at-fault" aria-hidden="true">
    {faults.map((line, nth) =>
      line.length === 1 ? (
        <circle key={nth} cx={project(line[0]!)[0]} cy={project(line[0]!)[1]} r={12} />
      ) : (
        <polyline key={nth} points={line.map((position) => project(position).join(" ")).join(" ")} />
      )
    )}
  </g>
)

interface ShapeProps {
  readonly drawing: DrawingState
  readonly shape: Shape
}

interface ShownEdge {
  readonly at: CornerAt
  readonly ends: readonly [Point, Point]
  readonly middle: Point
  readonly metres: string
}

/** The edges whose middle is in the window. */
const useEdges = ({ drawing: { project, isShown }, shape }: ShapeProps): ReadonlyArray<ShownEdge> => {
  const { formats } = useOpened()
  const write = (metres: number) =>
    metres < KILOMETRES
      ? `${formats.number(metres < WHOLE_METRES ? metres : Math.round(metres))}\u202fm`
      : `${formats.number(metres / 1000)}\u202fkm`
  return cornersOf(shape).flatMap((at) => {
    const middle = middleAfter(shape, at)
    if (middle === undefined || !isShown(project(middle))) return []
    const [from, to] = edgeOf(shape, at)
    const ends = [project(from), project(to)] as const
    return [{ at, ends, middle: project(middle), metres: write(metresBetween(from, to)) }]
  })
}

const lengthOf = ({ ends: [[x1, y1], [x2, y2]] }: ShownEdge): number => Math.hypot(x2 - x1, y2 - y1)

/** The edges, which move parallel to themselves, and a handle for a new corner in the middle of each that is long enough. */
export const Edges = (props: ShapeProps) => {
  const { words, formats } = useOpened()
  return useEdges(props).map((edge) => {
    const { at, ends, middle, metres } = edge
    const [x, y] = middle
    return (
      <g key={at.join(" ")}>
        <path
          d={`M${ends.map((end) => end.join(" ")).join("L")}`}
          class="side"
          data-edge={at.join(" ")}
          role="button"
          tabindex={-1}
          aria-label={words.edge(formats.number(at[2] + 1), metres)}
        />
        {lengthOf(edge) > MIN_EDGE_PX && (
          <g data-after={at.join(" ")} class="middle" aria-hidden="true">
            <circle cx={x} cy={y} r={12} class="grip" />
            <circle cx={x} cy={y} r={3.5} />
          </g>
        )}
      </g>
    )
  })
}

/** The lengths of the edges, beside them on the outside. */
export const Lengths = (props: ShapeProps) => {
  const edges = useEdges(props).filter((edge) => lengthOf(edge) > MIN_MEASURED_PX)
  if (edges.length > MAX_MEASURED) return null
  const { project } = props.drawing
  const isClockwise = props.shape.map((rings) =>
    rings.map((corners) => {
      const points = corners.map(project)
      return points.reduce((sum, [x, y], i) => sum + x * points.at(i - 1)![1] - y * points.at(i - 1)![0], 0) < 0
    })
  )
  return (
    <g class="lengths" aria-hidden="true">
      {edges.map((edge) => {
        const { at, middle, metres } = edge
        const [[x1, y1], [x2, y2]] = edge.ends
        const outward = (isClockwise[at[0]]![at[1]] === true ? 1 : -1) / lengthOf(edge)
        const [nx, ny] = [(y2 - y1) * outward, (x1 - x2) * outward]
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

interface CornersProps extends ShapeProps {
  readonly active: CornerAt | undefined
  readonly onActivate: (at: CornerAt) => void
}

/** The corners. One of them, also where it is not shown, is in the order of Tab. */
export const Corners = ({ drawing: { project, isShown, activePosition }, shape, active, onActivate }: CornersProps) => {
  const title = useCornerTitle(shape)
  const corners = cornersOf(shape)
  const tabbed = activePosition !== undefined ? active : corners[0]
  return corners.map((at) => {
    const position = cornerOf(shape, at)!
    const [x, y] = project(position)
    if (!isShown([x, y]) && !isAt(tabbed, at)) return null
    return (
      <g
        key={at.join(" ")}
        data-at={at.join(" ")}
        class="corner"
        role="button"
        tabindex={isAt(tabbed, at) ? 0 : -1}
        aria-pressed={isAt(active, at)}
        aria-label={`${title(at)}: ${textOf(position)}`}
        onFocus={() => {
          if (!isAt(active, at)) onActivate(at)
        }}
      >
        <circle cx={x} cy={y} r={14} class="grip" />
        <circle cx={x} cy={y} r={6} />
      </g>
    )
  })
}

/** Where a key adds the next corner. */
export const Cross = ({ drawing: { project, crossAt } }: { readonly drawing: DrawingState }) => {
  const { words } = useOpened()
  const [x, y] = project(crossAt)
  return (
    <g class="cross" role="button" tabindex={0} aria-label={words.newCorner(textOf(crossAt))}>
      <circle cx={x} cy={y} r={12} class="grip" />
      <path d={`M${x} ${y}m-9 0h18m-9 -9v18`} />
    </g>
  )
}
