/** What a map shows: all of it, or the part that wheels, fingers, buttons and keys chose. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Point, Polygons, Position, Projection } from "../shared/area.ts"
import { useWidth } from "../shared/useWidth.ts"
import { followGestures } from "./gestures.ts"
import { useGeometry } from "./useGeometry.ts"
import { ARROWS, clamp, MAX_ZOOM, MIN_ZOOM, panned, type View, viewIn, viewOf, zoomedAt } from "./view.ts"

/** The bounds of a map's zoom; wheels and fingers zoom out to the whole map at most. */
const MAP_ZOOMS = [0.5, 256] as const

/** The zoom of a button or a key, and how much of the window a key moves the map. */
const [ZOOM_STEP, PAN_STEP] = [1.5, 0.2]

/** How long a flight takes, in milliseconds, and how much smaller than half of the window it shows where it leads. */
const [FLIGHT_MS, FLIGHT_ZOOM] = [400, 0.7]

interface Mapped {
  readonly base: Projection
  /** The size of the window; 0 until it is known. */
  readonly size: Point
  /** The view of everything. The middle of a map never leaves what is drawn at zoom 1, which is as large as the window. */
  readonly whole: View
  /** What a drawing shows at first. Single pointers draw, and its middle may be anywhere. */
  readonly first?: View
}

export const useView = ({ base, size, whole, first }: Mapped) => {
  const svg = useRef<SVGSVGElement>(null)
  const [chosen, setChosen] = useState<View | "whole">()
  const viewFor = (chosen: View | "whole" | undefined) => (chosen === "whole" ? whole : (chosen ?? first ?? whole))
  const view = viewFor(chosen)
  const [minZoom, maxZoom] = first === undefined ? MAP_ZOOMS : [MIN_ZOOM, MAX_ZOOM]
  const flight = useRef<{ readonly animation?: Animation | undefined } | undefined>(undefined)
  const show = (next: View | "whole") => {
    flight.current?.animation?.cancel()
    flight.current = undefined
    // Further events may come before the next drawing.
    latest.current.view = viewFor(next)
    setChosen(next)
  }
  /** Where the drawing's origin is in the window. */
  const offsetIn = ({ zoom, center }: View): Point => {
    const [x, y] = base(center)
    return [size[0] / 2 - x * zoom, size[1] / 2 - y * zoom]
  }
  /** Changes the view at once, and moves what is drawn from where it was: nothing is drawn again on the way. */
  const fly = (next: View | "whole") => {
    const [from, to] = [latest.current.view, viewFor(next)]
    show(next)
    const scale = from.zoom / to.zoom
    const [[x0, y0], [x1, y1]] = [offsetIn(from), offsetIn(to)]
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches
    const transform = `translate(${x0 - x1 * scale}px, ${y0 - y1 * scale}px) scale(${scale})`
    const content = svg.current?.querySelector(".content")
    const frames = [{ transform }, { transform: "none" }]
    flight.current = {
      animation: isStill ? undefined : content?.animate(frames, { duration: FLIGHT_MS, easing: "ease-in-out" })
    }
  }
  const bounded = (next: View): View => {
    if (first !== undefined) return next
    const [x, y] = base(next.center)
    const out = (at: number, most: number) => (at - clamp(at, 0, most)) * next.zoom
    return panned(base, next, [out(x, size[0]), out(y, size[1])])
  }
  const zoomBy = (factor: number, at?: Point, least = minZoom): boolean => {
    const { view } = latest.current
    const zoom = clamp(view.zoom * factor, Math.min(least, view.zoom), maxZoom)
    if (zoom === view.zoom) return false
    show(zoom === whole.zoom && least === zoom ? "whole" : bounded(zoomedAt(base, size, view, zoom, at)))
    return true
  }
  const panBy = (by: Point) => show(bounded(panned(base, latest.current.view, by)))
  const now = { view, whole, zoomBy, panBy }
  const latest = useRef(now)
  latest.current = now

  const isThere = size[0] > 0
  useLayoutEffect(() => {
    if (!isThere) return
    return followGestures(svg.current!, {
      hasTools: first !== undefined,
      onZoom: (factor, at) => latest.current.zoomBy(factor, at, latest.current.whole.zoom),
      onPan: (by) => latest.current.panBy(by),
      isZoomed: () => latest.current.view.zoom > 1
    })
  }, [isThere])

  return {
    svg,
    view,
    ...viewIn(base, size, view),
    offset: offsetIn(view),
    show,
    isShown: ([x, y]: Point, margin = 0): boolean =>
      x > -margin && y > -margin && x < size[0] + margin && y < size[1] + margin,
    zoomIn: (at?: Point) => zoomBy(ZOOM_STEP, at),
    zoomOut: (at?: Point) => zoomBy(1 / ZOOM_STEP, at),
    showAll: () => show("whole"),
    panBy,
    flyTo: (positions: ReadonlyArray<Position>) => {
      const { zoom, center } = viewOf(positions, base, size)
      const next = { zoom: Math.min(zoom * FLIGHT_ZOOM, maxZoom), center }
      fly(next.zoom > 1 ? bounded(next) : "whole")
    },
    /** Shows the whole again, unless the view was changed since a flight. */
    flyBack: () => {
      if (flight.current !== undefined) fly("whole")
    },
    /** What a key does. Returns whether it does anything. */
    onKey: ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
      const arrow = ARROWS[key]
      if (ctrlKey || metaKey || altKey) return false
      if (shiftKey && arrow !== undefined) panBy([-arrow[0] * size[0] * PAN_STEP, -arrow[1] * size[1] * PAN_STEP])
      else if (key === "+" || key === "=") zoomBy(ZOOM_STEP)
      else if (key === "-") zoomBy(1 / ZOOM_STEP)
      else if (key === "0") show("whole")
      else return false
      return true
    }
  }
}

/** A map of areas, as large as the box that it is in allows: see {@link useGeometry}. */
export const useMap = (polygons: ReadonlyArray<Polygons>, parents?: ReadonlyArray<number>) => {
  const [box, width] = useWidth()
  const geometry = useGeometry(polygons, width, parents)
  return { box, ...geometry, ...useView(geometry) }
}
