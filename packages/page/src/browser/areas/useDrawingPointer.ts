/** What pointers do in a drawing: they drag corners, edges, the whole area and the map, and add corners. */
import type { TargetedPointerEvent } from "preact"
import { useRef } from "preact/hooks"
import type { Point, Position } from "../shared/area.ts"
import { awayFrom, type CornerAt, edgeOf, insertCorner, middleAfter, type Shape } from "./drawing.ts"
import { CLICK_DISTANCE_PX, pointOn } from "./gestures.ts"
import type { DrawingProps, DrawingState } from "./useDrawing.ts"
import type { View } from "./view.ts"

/** What a pointer grips by the attributes of its element, which say at which corner: `middle` makes a corner of an edge. */
const KINDS = { corner: "at", middle: "after", edge: "edge", area: "all" } as const

const SELECTOR = Object.values(KINDS)
  .map((name) => `[data-${name}]`)
  .join()

/** What a pointer does from when it goes down until it goes up. */
interface Gesture {
  readonly kind: keyof typeof KINDS | "map" | "rectangle"
  readonly at: CornerAt
  readonly shape: Shape
  /** Where it went down, as a position and in pixels. */
  readonly start: Position
  readonly from: Point
  readonly view: View
  readonly step: string
  readonly isOnArea: boolean
  readonly hasMoved: boolean
}

type PointerEvent = TargetedPointerEvent<SVGSVGElement>

const readAt = (text: string | undefined): CornerAt | undefined => text?.split(" ").map(Number) as unknown as CornerAt

export const useDrawingPointer = (props: DrawingProps, drawing: DrawingState) => {
  const { isOrganization, drawn, onActivate } = props
  const { shape } = drawn
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
    const target = (event.target as SVGElement).closest<SVGElement>(SELECTOR)
    const found = Object.entries(KINDS).find(([, name]) => target?.dataset[name] !== undefined)
    const [gripped, name] = (found ?? ["map"]) as readonly ["map" | keyof typeof KINDS, string?]
    // The organization's area, which fills the map, moves once it is chosen.
    const isHeld = gripped === "area" && isOrganization && target !== document.activeElement
    const kind = drawing.tool === "rectangle" ? "rectangle" : isHeld ? "map" : gripped
    const at = readAt(gripped === "area" ? undefined : target?.dataset[name ?? ""]) ?? [0, 0, -1]
    event.currentTarget.setPointerCapture(event.pointerId)
    set({
      kind,
      at,
      shape,
      start: positionOf(event),
      from: pointOf(event),
      view,
      step: `drag ${++steps.current}`,
      isOnArea: gripped === "area",
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
    } else if (now.kind === "middle") {
      const at = drawing.insertAfter(now.at, positionOf(event), now.step)
      set({ ...now, kind: "corner", at, shape: insertCorner(now.shape, now.at, positionOf(event)), hasMoved: true })
    } else if (now.kind === "corner") {
      drawing.drag(now.shape, now.at, positionOf(event), now.step, event.altKey)
      onActivate(now.at)
      set({ ...now, hasMoved: true })
    } else {
      const [from, to] = [drawing.unprojectIn(now.view, now.from), drawing.unprojectIn(now.view, point)]
      const way: Position = [to[0] - from[0], to[1] - from[1]]
      const isEdge = now.kind === "edge"
      const moving = isEdge ? edgeOf(now.shape, now.at) : now.shape.flat(2)
      const by = isEdge ? awayFrom(edgeOf(now.shape, now.at), way) : way
      const isSnapping = drawing.isSnapping && !event.altKey
      drawing.shift(now.shape, isEdge ? now.at : undefined, isSnapping ? drawing.snappedBy(moving, by) : by, now.step)
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
    if (now.kind === "edge") return drawing.focusEdge(now.at)
    if (now.kind === "area" || (now.isOnArea && !now.hasMoved)) return drawing.focusAll()
    if (now.hasMoved) {
      if (now.kind !== "map") drawing.focusCorner()
      return
    }
    focusActive.current = now.kind !== "map" || isAdding
    if (now.kind === "corner") {
      // The first corner of a ring ends it.
      if (isAdding && now.at[2] === 0) drawing.setAdding(false)
      onActivate([...now.at])
    } else if (now.kind === "middle") drawing.insertAfter(now.at, middleAfter(shape, now.at)!)
    else if (isAdding) drawing.add(positionOf(event))
  }

  const onPointerCancel = () => {
    // A second finger, or the browser, took over: a rectangle that was dragged has no first corner any more.
    if (gesture.current?.kind === "rectangle" && gesture.current.hasMoved) drawing.setAnchor(undefined)
    set(undefined)
  }

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel }
}
