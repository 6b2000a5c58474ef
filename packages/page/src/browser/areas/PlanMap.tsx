/** Placing a floor plan on the map: it, its corners and the handle that turns it are dragged, or moved by the arrow keys. */
import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact"
import { useRef } from "preact/hooks"
import type { Point, Polygons } from "../shared/area.ts"
import { useOpened } from "../shared/context.ts"
import { useWidth } from "../shared/useWidth.ts"
import { Attribution, BaseMap } from "./BaseMap.tsx"
import { pointOn } from "./gestures.ts"
import { MapTools } from "./MapTools.tsx"
import { ARROWS } from "./nearest.ts"
import { PlanImage } from "./PlanImage.tsx"
import { boxOf, moved, placementOf, type PlacedBox, type Placement, pointOf, resized, turned } from "./plans.ts"
import { useGeometry } from "./useGeometry.ts"
import { useMapView } from "./useMapView.ts"
import { viewIn } from "./view.ts"

/** The corners of a box, in the order of their names. */
const CORNERS: ReadonlyArray<Point> = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1]
]

/** How far the handle that turns a plan is from it, and how large handles are, in pixels. */
const [TURN_DISTANCE_PX, HANDLE_PX] = [26, 8]

/** How far an arrow key moves, and with Shift, in pixels; and how far it turns, in degrees. */
const [STEP_PX, LONG_STEP_PX] = [2, 20]
const [STEP_DEGREES, LONG_STEP_DEGREES] = [0.5, 15]

/** What a pointer or a key moves: the plan, the handle that turns it, or a corner. */
type Handle = "plan" | "turn" | number

interface PlanMapProps {
  readonly areas: ReadonlyArray<Polygons>
  /** Where the image is; undefined while it is loaded. */
  readonly url: string | undefined
  readonly placement: Placement
  readonly onPlace: (placement: Placement) => void
}

/** The box after a handle was moved to a point. */
const dragged = (box: PlacedBox, handle: Handle, from: Point, to: Point): PlacedBox => {
  if (handle === "plan") return moved(box, [to[0] - from[0], to[1] - from[1]])
  if (handle !== "turn") return resized(box, CORNERS[handle]!, to)
  const [dx, dy] = [to[0] - box.center[0], to[1] - box.center[1]]
  return turned(box, (Math.atan2(dx, -dy) * 180) / Math.PI)
}

export const PlanMap = ({ areas, url, placement, onPlace }: PlanMapProps) => {
  const { words } = useOpened()
  const [element, width] = useWidth()
  const map = useRef<SVGSVGElement>(null)
  const { base, size, outlines, whole } = useGeometry(areas, width)
  const { view, project, offset, onKey, ...moves } = useMapView(map, base, size, whole)
  const box = boxOf(placement, project, whole.center)
  const put = (next: PlacedBox) => onPlace(placementOf(next, viewIn(base, size, view).unproject))
  const gesture = useRef<{ readonly handle: Handle; readonly from: Point; readonly box: PlacedBox } | undefined>(
    undefined
  )

  const pointAt = (event: PointerEvent) => pointOn(map.current!, event)
  const handlers = (handle: Handle) => ({
    onPointerDown: (event: TargetedPointerEvent<SVGGElement>) => {
      if (event.button !== 0 || !event.isPrimary) return
      // The map stays where it is.
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      gesture.current = { handle, from: pointAt(event), box }
    },
    onPointerMove: (event: TargetedPointerEvent<SVGGElement>) => {
      const now = gesture.current
      if (now !== undefined) put(dragged(now.box, now.handle, now.from, pointAt(event)))
    },
    onPointerUp: () => (gesture.current = undefined),
    onPointerCancel: () => (gesture.current = undefined),
    onKeyDown: (event: TargetedKeyboardEvent<SVGGElement>) => {
      const arrow = ARROWS[event.key]
      if (arrow === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      const step = event.shiftKey ? LONG_STEP_PX : STEP_PX
      const by: Point = [arrow[0] * step, arrow[1] * step]
      if (handle === "plan") put(moved(box, by))
      else if (handle === "turn") {
        put(turned(box, box.rotation + (arrow[0] + arrow[1]) * (event.shiftKey ? LONG_STEP_DEGREES : STEP_DEGREES)))
      } else {
        const [x, y] = pointOf(box, CORNERS[handle]!)
        put(resized(box, CORNERS[handle]!, [x + by[0], y + by[1]]))
      }
    }
  })

  const corners = CORNERS.map((corner) => pointOf(box, corner))
  const top = pointOf(box, [0, -1])
  const turnAt = pointOf(box, [0, -1 - (2 * TURN_DISTANCE_PX) / Math.max(box.height, 1)])
  return (
    <div
      ref={element}
      class="map"
      onKeyDown={(event) => {
        if (onKey(event)) event.preventDefault()
      }}
    >
      {width > 0 && (
        <>
          <svg
            ref={map}
            width={size[0]}
            height={size[1]}
            role="group"
            aria-label={words.floorPlan}
            aria-description={words.planKeys}
            class={view.zoom > 1 ? "zoomed" : ""}
          >
            <BaseMap project={project} width={size[0]} height={size[1]} />
            <g transform={`translate(${offset.join(" ")}) scale(${view.zoom})`}>
              <g class="area whole">
                <path d={outlines[0]!.path} fill-rule="evenodd" />
              </g>
              {url !== undefined && <PlanImage url={url} plan={placement} base={base} near={whole.center} />}
              {outlines.slice(1).map(({ path }, nth) => (
                <g key={nth} class="area">
                  <path d={path} fill-rule="evenodd" />
                </g>
              ))}
            </g>
            <g class="plan-handle box" role="button" tabindex={0} aria-label={words.planMoved} {...handlers("plan")}>
              <path d={`M${corners.map((point) => point.join(" ")).join("L")}Z`} />
            </g>
            <g class="plan-handle" role="button" tabindex={0} aria-label={words.planTurned} {...handlers("turn")}>
              <path d={`M${top.join(" ")}L${turnAt.join(" ")}`} />
              <circle cx={turnAt[0]} cy={turnAt[1]} r={HANDLE_PX} />
            </g>
            {corners.map(([x, y], nth) => (
              <g
                key={nth}
                class="plan-handle"
                role="button"
                tabindex={0}
                aria-label={words.planResized[nth]}
                {...handlers(nth)}
              >
                <rect x={x - HANDLE_PX} y={y - HANDLE_PX} width={2 * HANDLE_PX} height={2 * HANDLE_PX} />
              </g>
            ))}
          </svg>
          <MapTools {...moves} />
        </>
      )}
      <Attribution />
    </div>
  )
}
