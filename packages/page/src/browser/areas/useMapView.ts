/** What a map shows: all of it, or the part that wheels, fingers, buttons and keys chose. */
import { type RefObject } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Point, Position, Projection } from "../shared/area.ts"
import { followGestures } from "./gestures.ts"
import { ARROWS } from "./nearest.ts"
import { panned, type View, viewIn, viewOf, zoomedAt } from "./view.ts"

/** The bounds of the zoom; wheels and fingers zoom out to the whole map at most. */
const [MIN_ZOOM, MAX_ZOOM] = [0.5, 256]

/** The zoom of a button or a key, and how much of the window a key moves the map. */
const [ZOOM_STEP, PAN_STEP] = [1.5, 0.2]

/** How long a flight takes, in milliseconds, and how much smaller than half of the window it shows where it leads. */
const [FLIGHT_MS, FLIGHT_ZOOM] = [400, 0.7]

/** The view of a map whose whole is shown at zoom 1. Its middle never leaves the drawing, which is as large as the window. */
export const useMapView = (map: RefObject<SVGSVGElement | null>, base: Projection, size: Point, whole: View) => {
  const [chosen, setChosen] = useState<View>()
  const view = chosen ?? whole
  const flight = useRef<{ readonly animation?: Animation | undefined } | undefined>(undefined)
  const change = (next: View | undefined) => {
    flight.current?.animation?.cancel()
    flight.current = undefined
    // Further events may come before the next drawing.
    latest.current.view = next ?? whole
    setChosen(next)
  }
  /** Where the drawing's origin is in the window. */
  const offsetIn = ({ zoom, center }: View): Point => {
    const [x, y] = base(center)
    return [size[0] / 2 - x * zoom, size[1] / 2 - y * zoom]
  }
  /** Changes the view at once, and moves what is drawn from where it was: nothing is drawn again on the way. */
  const fly = (next: View | undefined) => {
    const from = latest.current.view
    change(next)
    const to = next ?? whole
    const scale = from.zoom / to.zoom
    const [[x0, y0], [x1, y1]] = [offsetIn(from), offsetIn(to)]
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches
    const transform = `translate(${x0 - x1 * scale}px, ${y0 - y1 * scale}px) scale(${scale})`
    const content = map.current?.querySelector(".content")
    const frames = [{ transform }, { transform: "none" }]
    flight.current = {
      animation: isStill ? undefined : content?.animate(frames, { duration: FLIGHT_MS, easing: "ease-in-out" })
    }
  }
  const bounded = (next: View): View => {
    const [x, y] = base(next.center)
    const out = ([at, most]: Point) => (at - Math.min(Math.max(at, 0), most)) * next.zoom
    return panned(base, next, [out([x, size[0]]), out([y, size[1]])])
  }
  const zoomBy = (factor: number, at?: Point, least = MIN_ZOOM): boolean => {
    const { view } = latest.current
    const zoom = Math.min(Math.max(view.zoom * factor, Math.min(least, view.zoom)), MAX_ZOOM)
    if (zoom === view.zoom) return false
    change(zoom === 1 && least === 1 ? undefined : bounded(zoomedAt(base, size, view, zoom, at)))
    return true
  }
  const panBy = (by: Point) => change(bounded(panned(base, latest.current.view, by)))
  const latest = useRef({ view, zoomBy, panBy })
  latest.current = { view, zoomBy, panBy }

  const isThere = size[0] > 0
  useLayoutEffect(() => {
    if (!isThere) return
    return followGestures(map.current!, {
      onZoom: (factor, at) => latest.current.zoomBy(factor, at, 1),
      onPan: (by) => latest.current.panBy(by),
      isZoomed: () => latest.current.view.zoom > 1
    })
  }, [isThere])

  return {
    view,
    project: viewIn(base, size, view).project,
    offset: offsetIn(view),
    zoomIn: () => zoomBy(ZOOM_STEP),
    zoomOut: () => zoomBy(1 / ZOOM_STEP),
    showAll: () => change(undefined),
    panBy,
    flyTo: (positions: ReadonlyArray<Position>) => {
      const { zoom, center } = viewOf(positions, base, size)
      const next = { zoom: Math.min(zoom * FLIGHT_ZOOM, MAX_ZOOM), center }
      fly(next.zoom > 1 ? bounded(next) : undefined)
    },
    /** Shows the whole again, unless the view was changed since a flight. */
    flyBack: () => {
      if (flight.current !== undefined) fly(undefined)
    },
    /** What a key does. Returns whether it does anything. */
    onKey: ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
      const arrow = ARROWS[key]
      if (ctrlKey || metaKey || altKey) return false
      if (shiftKey && arrow !== undefined) panBy([-arrow[0] * size[0] * PAN_STEP, -arrow[1] * size[1] * PAN_STEP])
      else if (key === "+" || key === "=") zoomBy(ZOOM_STEP)
      else if (key === "-") zoomBy(1 / ZOOM_STEP)
      else if (key === "0") change(undefined)
      else return false
      return true
    }
  }
}
