/** What pointers and keys do in a drawing: they move corners, edges, the whole area and the map, add, remove and choose corners, undo and redo. */
import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact"
import { useRef } from "preact/hooks"
import type { Point, Position } from "../shared/area.ts"
import { type CornerAt, cornerOf, insertCorner, middleAfter, redo, type Shape, stepCorner, undo } from "./drawing.ts"
import { CLICK_DISTANCE_PX, pointOn } from "./gestures.ts"
import type { DrawingState, Grip } from "./useDrawing.ts"
import { ARROWS, panned, type View, viewIn } from "./view.ts"

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

const minus = ([x1, y1]: Position, [x2, y2]: Position): Position => [x1 - x2, y1 - y2]

const readAt = (text: string | undefined): CornerAt | undefined => text?.split(" ").map(Number) as unknown as CornerAt

export const useDrawingPointer = (drawing: DrawingState) => {
  const { shape, view, base, size, isDragging, tool } = drawing
  const gesture = useRef<Gesture | undefined>(undefined)
  const steps = useRef(0)
  const set = (next: Gesture | undefined) => {
    gesture.current = next
    isDragging.current = next !== undefined
  }
  const pointOf = (event: PointerEvent) => pointOn(event.currentTarget, event)
  const positionOf = (event: PointerEvent) => {
    const position = drawing.unproject(pointOf(event))
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
    const isHeld = gripped === "area" && drawing.isOrganization && target !== document.activeElement
    event.currentTarget.setPointerCapture(event.pointerId)
    set({
      kind: tool === "rectangle" ? "rectangle" : isHeld ? "map" : gripped,
      at: readAt(gripped === "area" ? undefined : target?.dataset[name ?? ""]) ?? [0, 0, -1],
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
    set({ ...now, hasMoved: true })
    if (now.kind === "rectangle") {
      drawing.setAnchor(now.start)
      drawing.setCross(positionOf(event))
    } else if (now.kind === "map") {
      if (now.view.zoom <= 1 && event.pointerType !== "mouse") return
      drawing.show(panned(base, now.view, [dx, dy]))
      drawing.setCross(undefined)
    } else if (now.kind === "middle") {
      const position = positionOf(event)
      const at = drawing.insertAfter(now.at, position, now.step)
      const inserted = insertCorner(now.shape, now.at, position)
      set({ ...now, kind: "corner", at, shape: inserted, from: point, hasMoved: true })
    } else {
      const { unproject } = viewIn(base, size, now.view)
      const by = minus(unproject(point), unproject(now.from))
      const grip = { kind: now.kind, at: now.at }
      const how = event.altKey ? "freely" : drawing.isSnapping ? "snapping" : undefined
      drawing.drag(now.shape, grip, by, now.step, how)
    }
  }

  const onPointerUp = (event: PointerEvent) => {
    const now = gesture.current
    set(undefined)
    if (now === undefined) return
    const { kind, at, hasMoved } = now
    if (kind === "rectangle") return drawing.placeRectangle(positionOf(event), hasMoved ? now.start : undefined)
    if (kind === "edge") return drawing.focusEdge(at)
    if (kind === "area" || (now.isOnArea && !hasMoved)) return drawing.focusAll()
    if (hasMoved) {
      if (kind !== "map") drawing.focusCorner()
      return
    }
    const isAdding = tool === "corners"
    drawing.focusActive.current = kind !== "map" || isAdding
    if (kind === "corner") {
      // The first corner of a ring ends it.
      if (isAdding && at[2] === 0) drawing.chooseTool("none")
      drawing.activate(at)
    } else if (kind === "middle") drawing.insertAfter(at, middleAfter(shape, at)!)
    else if (isAdding) drawing.add(positionOf(event))
  }

  const onPointerCancel = () => {
    // A second finger, or the browser, took over: a rectangle that was dragged has no first corner any more.
    if (gesture.current?.kind === "rectangle" && gesture.current.hasMoved) drawing.setAnchor(undefined)
    set(undefined)
  }

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel }
}

/** The keys of what has the focus on the map: the cross, the whole area, an edge or the active corner. */
export const mapKeys = (drawing: DrawingState) => (event: TargetedKeyboardEvent<SVGSVGElement>) => {
  const { shape, active, activePosition, crossAt, focusActive } = drawing
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event
  if (ctrlKey || metaKey) return
  const { classList, dataset } = event.target as SVGElement
  const isCross = classList.contains("cross")
  const [edge, isAll] = [readAt(dataset["edge"]), dataset["all"] !== undefined]
  const arrow = ARROWS[key]
  const chosen: Grip | undefined = activePosition && { kind: "corner", at: active! }
  const grip: Grip | undefined = isAll ? { kind: "area", at: [0, 0, 0] } : edge ? { kind: "edge", at: edge } : chosen
  if (isCross) {
    focusActive.current = false
    if (arrow !== undefined) drawing.setCross(drawing.moved(crossAt, arrow, shiftKey))
    else if (key === "Escape") return drawing.setAnchor(undefined)
    else if (key !== "Enter" && key !== " ") return
    else if (drawing.tool === "rectangle") drawing.placeRectangle(crossAt)
    else drawing.add(crossAt)
  } else if (arrow !== undefined && grip !== undefined) {
    const from = cornerOf(shape, grip.at)!
    const to = drawing.moved(from, arrow, shiftKey)
    // What is moved stays in the view.
    if (!drawing.isShown(drawing.project(to))) drawing.show({ ...drawing.view, center: to })
    drawing.drag(shape, grip, minus(to, from), `keys ${grip.kind} ${grip.at.join(" ")}`, altKey ? "freely" : undefined)
  } else if (active === undefined || activePosition === undefined || isAll) return
  else if (edge !== undefined) {
    if (key !== "Escape" && key !== "e") return
    drawing.focusCorner()
  } else if (key === "e") drawing.focusEdge(active)
  else {
    if (key === "Delete" || key === "Backspace") drawing.remove(active)
    else if (key === "PageDown") drawing.activate(stepCorner(shape, 1, active))
    else if (key === "PageUp") drawing.activate(stepCorner(shape, -1, active))
    else return
    // Before the page is drawn again.
    focusActive.current = true
  }
  event.preventDefault()
}

/** Undo and redo, outside of fields that have their own. */
export const historyKeys =
  ({ travel }: DrawingState) =>
  (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    if (!(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement) return
    const isRedo = event.key === "y" || (event.shiftKey && event.key.toLowerCase() === "z")
    if (!isRedo && event.key !== "z") return
    event.preventDefault()
    travel(isRedo ? redo : undo)
  }
