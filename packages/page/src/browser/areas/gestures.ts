/** What wheels, pointers and fingers do to a map: they zoom it and move it. */
import type { Point } from "../shared/area.ts"

interface Gestures {
  /** Zooms by a factor around a point of the map. Returns whether it could. */
  readonly onZoom: (factor: number, at: Point) => boolean
  readonly onPan: (by: Point) => void
  /** Whether a single pointer does something else than to move the map. */
  readonly hasTools?: boolean
  /** Whether a part of the map is hidden, so that one finger moves it and does not scroll the page. */
  readonly isZoomed: () => boolean
}

/** How far a pointer may slip and still click, in pixels. */
export const CLICK_DISTANCE_PX = 4

/** How long after a wheel scrolled the page it still scrolls it when the map comes below the pointer, in milliseconds. */
const SCROLLING_MS = 300

/** The zoom of a pixel that a wheel turns, and of one that fingers on a trackpad spread: the browser sends these as wheels with Ctrl. */
const [WHEEL_ZOOM, PINCH_ZOOM] = [0.002, 0.01]

/** The most pixels of one turn of a wheel. */
const MAX_TURN_PX = 240

/** The pixels of a line, in which some browsers measure wheels. */
const LINE_PX = 16

/** Where a pointer is on a map, in pixels. */
export const pointOn = (map: SVGSVGElement, { clientX, clientY }: MouseEvent): Point => {
  const { left, top } = map.getBoundingClientRect()
  return [clientX - left, clientY - top]
}

const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1])

/**
 * Follows the gestures on a map until the function that is returned is called. Clicks that end a drag do not reach the map's content.
 * A wheel scrolls the page where it cannot zoom, or where it was scrolling the page before the map came below the pointer.
 */
export const followGestures = (
  map: SVGSVGElement,
  { onZoom, onPan, isZoomed, hasTools = false }: Gestures
): (() => void) => {
  const ending = new AbortController()
  const { signal } = ending
  const pointers = new Map<number, Point>()
  let hasMoved = false
  let scrolledAt = -Infinity

  const onWheel = (event: WheelEvent) => {
    if (event.timeStamp - scrolledAt < SCROLLING_MS) {
      scrolledAt = event.timeStamp
      return
    }
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE_PX)
    const turn = Math.max(-MAX_TURN_PX, Math.min(MAX_TURN_PX, pixels))
    const hasZoomed = onZoom(Math.exp(-turn * (event.ctrlKey ? PINCH_ZOOM : WHEEL_ZOOM)), pointOn(map, event))
    // With Ctrl the browser would zoom the page.
    if (hasZoomed || event.ctrlKey) event.preventDefault()
  }
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    if (pointers.size === 0) hasMoved = false
    pointers.set(event.pointerId, pointOn(map, event))
  }
  const onMove = (event: PointerEvent) => {
    // A pointer that moves begins anew; one below which the page scrolls does not.
    if (event.movementX !== 0 || event.movementY !== 0) scrolledAt = -Infinity
    const before = pointers.get(event.pointerId)
    if (before === undefined) return
    const now = pointOn(map, event)
    if (pointers.size === 1 && hasTools) return void pointers.set(event.pointerId, now)
    if (pointers.size === 1 && !hasMoved) {
      if (distance(before, now) < CLICK_DISTANCE_PX || (event.pointerType === "touch" && !isZoomed())) return
    }
    if (!hasMoved) {
      hasMoved = true
      // Not before: a click would go to the map, and not to what is clicked.
      for (const id of pointers.keys()) map.setPointerCapture(id)
    }
    const by: Point = [now[0] - before[0], now[1] - before[1]]
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
    if (other === undefined) onPan(by)
    else {
      onPan([by[0] / 2, by[1] / 2])
      onZoom(distance(now, other) / Math.max(distance(before, other), 1), [
        (now[0] + other[0]) / 2,
        (now[1] + other[1]) / 2
      ])
    }
    pointers.set(event.pointerId, now)
  }
  const onUp = (event: PointerEvent) => {
    pointers.delete(event.pointerId)
    // After the click of this release.
    if (pointers.size === 0) setTimeout(() => (hasMoved = false))
  }
  const onTouch = (event: TouchEvent) => {
    if (event.cancelable && (event.touches.length > 1 || isZoomed())) event.preventDefault()
  }
  const stop = (event: Event) => {
    if (hasMoved) event.stopPropagation()
  }
  const outside = (event: WheelEvent) => {
    if (!map.contains(event.target as Node)) scrolledAt = event.timeStamp
  }

  map.addEventListener("wheel", onWheel, { signal, passive: false })
  map.addEventListener("pointerdown", onDown, { signal })
  map.addEventListener("pointermove", onMove, { signal })
  map.addEventListener("pointerup", onUp, { signal })
  map.addEventListener("pointercancel", onUp, { signal })
  map.addEventListener("touchmove", onTouch, { signal, passive: false })
  map.addEventListener("click", stop, { signal, capture: true })
  window.addEventListener("wheel", outside, { signal, passive: true, capture: true })
  return () => ending.abort()
}
