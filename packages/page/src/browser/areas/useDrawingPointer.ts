/** What pointers do in a drawing: they drag corners, edges and the map, and add corners. */
import type { TargetedPointerEvent } from "preact"
import { useRef } from "preact/hooks"
import type { Point, Position } from "../shared/area.ts"
import { type CornerAt, middleAfter } from "./drawing.ts"
import { CLICK_DISTANCE_PX, pointOn } from "./gestures.ts"
import type { DrawingProps, DrawingState } from "./useDrawing.ts"
import type { View } from "./view.ts"

/** What a pointer does from when it goes down until it goes up. */
interface Gesture {
  readonly kind: "corner" | "edge" | "map" | "rectangle"
  readonly at: CornerAt
  /** Where it went down, as a position and in pixels. */
  readonly start: Position
  readonly from: Point
  readonly view: View
  readonly step: string
  readonly hasMoved: boolean
}

type PointerEvent = TargetedPointerEvent<SVGSVGElement>

const readAt = (text: string | undefined): CornerAt | undefined => text?.split(" ").map(Number) as unknown as CornerAt

export const useDrawingPointer = ({ drawn: { shape }, onActivate }: DrawingProps, drawing: DrawingState) => {
  const { view, size, unproject, map, isDragging, focusActive, isAdding } = drawing
  const gesture = useRef<Gesture | undefined>(undefined)
  const steps = useRef(0)
  const set = (next: Gesture | undefined) => {
    gesture.current = next
    isDragging.current = next !== undefined
  }

  const pointOf = (event: PointerEvent) => pointOn(map.current!, event)
  const positionOf = (event: PointerEvent) => {
    const position = unproject(pointOf(event))
    return drawing.isSnapping && !event.altKey ? drawing.snapped(position) : position
  }

  const onPointerDown = (event: PointerEvent) => {
    // Two fingers zoom.
    if (!event.isPrimary) return set(undefined)
    if (event.button !== 0) return
    const target = (event.target as SVGElement).closest<SVGElement>("[data-at], [data-after]")
    const onMap = drawing.tool === "rectangle" ? "rectangle" : "map"
    const kind =
      onMap === "rectangle" || target === null ? onMap : target.dataset["at"] !== undefined ? "corner" : "edge"
    const at = readAt(target?.dataset["at"] ?? target?.dataset["after"]) ?? [0, 0, -1]
    event.currentTarget.setPointerCapture(event.pointerId)
    set({
      kind,
      at,
      start: positionOf(event),
      from: pointOf(event),
      view,
      step: `drag ${++steps.current}`,
      hasMoved: false
    })
  }

  const onPointerMove = (event: PointerEvent) => {
    const now = gesture.current
    // The rectangle whose first corner is set follows the pointer.
    if (now === undefined && drawing.anchor !== undefined) drawing.setCross(positionOf(event))
    if (now === undefined) return
    const point = pointOf(event)
    const [dx, dy] = [point[0] - now.from[0], point[1] - now.from[1]]
    if (!now.hasMoved && Math.hypot(dx, dy) < CLICK_DISTANCE_PX) return
    if (now.kind === "rectangle") {
      drawing.setAnchor(now.start)
      drawing.setCross(positionOf(event))
      set({ ...now, hasMoved: true })
    } else if (now.kind === "map") {
      if (now.view.zoom > 1 || event.pointerType === "mouse") {
        const center = drawing.unprojectIn(now.view, [size[0] / 2 - dx, size[1] / 2 - dy])
        drawing.setView({ ...now.view, center })
        drawing.setCross(undefined)
      }
      set({ ...now, hasMoved: true })
    } else if (now.kind === "edge") {
      const at = drawing.insertAfter(now.at, positionOf(event), now.step)
      set({ ...now, kind: "corner", at, hasMoved: true })
    } else {
      drawing.move(now.at, positionOf(event), now.step)
      onActivate(now.at)
      set({ ...now, hasMoved: true })
    }
  }

  const onPointerUp = (event: PointerEvent) => {
    const now = gesture.current
    set(undefined)
    if (now === undefined) return
    if (now.kind === "rectangle") {
      drawing.placeRectangle(positionOf(event), now.hasMoved ? now.start : undefined)
      return
    }
    if (now.hasMoved) {
      if (now.kind !== "map") drawing.focusCorner()
      return
    }
    focusActive.current = now.kind !== "map" || isAdding
    if (now.kind === "corner") {
      // The first corner of a ring ends it.
      if (isAdding && now.at[2] === 0) drawing.setAdding(false)
      onActivate([...now.at])
    } else if (now.kind === "edge") drawing.insertAfter(now.at, middleAfter(shape, now.at)!)
    else if (isAdding) drawing.add(positionOf(event))
  }

  const onPointerCancel = () => {
    // A second finger, or the browser, took over: a rectangle that was dragged has no first corner any more.
    if (gesture.current?.kind === "rectangle" && gesture.current.hasMoved) drawing.setAnchor(undefined)
    set(undefined)
  }

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel }
}
