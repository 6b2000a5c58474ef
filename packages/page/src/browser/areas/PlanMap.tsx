/** Placing a floor plan on the map: it, its corners and the handle that turns it are dragged, or moved by the arrow keys. */
import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact"
import { useRef } from "preact/hooks"
import type { Point, Polygons } from "../shared/area.ts"
import { useOpened } from "../shared/context.ts"
import { Attribution, BaseMap, MapTools, PlanImage } from "./BaseMap.tsx"
import { pointOn } from "./gestures.ts"
import { ARROWS } from "./view.ts"
import { boxOf, moved, placementOf, type PlacedBox, type Placement, pointOf, resized, turned } from "./plans.ts"
import { useMap } from "./useView.ts"

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
  const map = useMap(areas)
  const { size, base, outlines, whole, view, project, offset } = map
  const box = boxOf(placement, project, whole.center)
  const put = (next: PlacedBox) => onPlace(placementOf(next, map.unproject))
  const gesture = useRef<{ readonly from: Point; readonly box: PlacedBox } | undefined>(undefined)
  const end = () => (gesture.current = undefined)

  /** A handle and what pointers and keys do with it. */
  const handle = (handle: Handle, label: string | undefined) => ({
    class: "plan-handle",
    role: "button" as const,
    tabindex: 0,
    "aria-label": label,
    onPointerDown: (event: TargetedPointerEvent<SVGGElement>) => {
      if (event.button !== 0 || !event.isPrimary) return
      // The map stays where it is.
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      gesture.current = { from: pointOn(map.svg.current!, event), box }
    },
    onPointerMove: (event: TargetedPointerEvent<SVGGElement>) => {
      const now = gesture.current
      if (now !== undefined) put(dragged(now.box, handle, now.from, pointOn(map.svg.current!, event)))
    },
    onPointerUp: end,
    onPointerCancel: end,
    onKeyDown: (event: TargetedKeyboardEvent<SVGGElement>) => {
      const { key, shiftKey, ctrlKey, metaKey, altKey } = event
      const arrow = ARROWS[key]
      if (arrow === undefined || ctrlKey || metaKey || altKey) return
      event.preventDefault()
      event.stopPropagation()
      const degrees = shiftKey ? LONG_STEP_DEGREES : STEP_DEGREES
      if (handle === "turn") return put(turned(box, box.rotation + (arrow[0] + arrow[1]) * degrees))
      const step = shiftKey ? LONG_STEP_PX : STEP_PX
      const from = handle === "plan" ? box.center : pointOf(box, CORNERS[handle]!)
      put(dragged(box, handle, from, [from[0] + arrow[0] * step, from[1] + arrow[1] * step]))
    }
  })

  const drawn = outlines.map(({ path }, nth) => (
    <g key={nth} class={nth === 0 ? "area whole" : "area"}>
      <path d={path} fill-rule="evenodd" />
    </g>
  ))
  const corners = CORNERS.map((corner) => pointOf(box, corner))
  const top = pointOf(box, [0, -1])
  const turnAt = pointOf(box, [0, -1 - (2 * TURN_DISTANCE_PX) / Math.max(box.height, 1)])
  return (
    <div ref={map.box} class="map" onKeyDown={(event) => map.onKey(event) && event.preventDefault()}>
      {size[0] > 0 && (
        <>
          <svg
            ref={map.svg}
            width={size[0]}
            height={size[1]}
            role="group"
            aria-label={words.floorPlan}
            aria-description={words.planKeys}
            class={view.zoom > 1 ? "zoomed" : ""}
          >
            <BaseMap project={project} size={size} />
            <g transform={`translate(${offset.join(" ")}) scale(${view.zoom})`}>
              {drawn[0]}
              {url !== undefined && <PlanImage url={url} plan={placement} base={base} near={whole.center} />}
              {drawn.slice(1)}
            </g>
            <g {...handle("plan", words.planMoved)} class="plan-handle box">
              <path d={`M${corners.map((point) => point.join(" ")).join("L")}Z`} />
            </g>
            <g {...handle("turn", words.planTurned)}>
              <path d={`M${top.join(" ")}L${turnAt.join(" ")}`} />
              <circle cx={turnAt[0]} cy={turnAt[1]} r={HANDLE_PX} />
            </g>
            {corners.map(([x, y], nth) => (
              <g key={nth} {...handle(nth, words.planResized[nth])}>
                <rect x={x - HANDLE_PX} y={y - HANDLE_PX} width={2 * HANDLE_PX} height={2 * HANDLE_PX} />
              </g>
            ))}
          </svg>
          <MapTools map={map} />
        </>
      )}
      <Attribution />
    </div>
  )
}
