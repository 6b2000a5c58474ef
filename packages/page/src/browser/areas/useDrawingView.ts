/** The window of a drawing: its size, the part of the map that it shows, and positions in it. */
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { fit, type Point, type Polygons, type Projection } from "../shared/area.ts"
import type { Shape } from "./drawing.ts"
import { followGestures } from "./gestures.ts"
import { clampZoom, panned, type View, viewIn, viewOf, zoomedAt } from "./view.ts"

/** The height of a drawing by its width, on a phone and elsewhere, the widest one of a phone, and the bounds of the height in pixels. */
const [PHONE_HEIGHT, HEIGHT, PHONE_PX, MIN_HEIGHT_PX, MAX_HEIGHT_PX] = [1.2, 0.7, 600, 430, 760]

/** The height that is left free below a drawing, and in a low window around it, in pixels. */
const [BELOW_PX, AROUND_PX] = [12, 60]

/** A drawing fills the screen below what is above it, but is no smaller than the overview's map. */
const heightOf = (width: number, top: number): number => {
  const usual = Math.min(width * (width < PHONE_PX ? PHONE_HEIGHT : HEIGHT), MAX_HEIGHT_PX)
  const least = Math.min(width * 0.8, MIN_HEIGHT_PX, innerHeight - AROUND_PX)
  return Math.round(Math.max(Math.min(usual, innerHeight - top - BELOW_PX), least))
}

/** The height of the tools, which cover no part of the whole drawing, in pixels. */
const TOOLS_PX = 48

/** How far outside of the window what is drawn counts as shown, in pixels. */
const MARGIN_PX = 10

interface Zoomed {
  readonly size: Point
  readonly base: Projection
  readonly view: View
  readonly whole: View
  readonly setView: (change: (view: View | undefined) => View) => void
}

/** What wheels and two fingers do to a drawing: they zoom it. What one pointer does is the drawing's. */
const useZooming = (map: RefObject<SVGSVGElement | null>, drawing: Zoomed) => {
  const latest = useRef(drawing)
  latest.current = drawing
  const isThere = drawing.size[0] > 0
  useLayoutEffect(() => {
    if (!isThere) return
    const change = (of: (view: View, drawing: Zoomed) => View) =>
      latest.current.setView((view) => of(view ?? latest.current.view, latest.current))
    return followGestures(map.current!, {
      hasTools: true,
      isZoomed: () => latest.current.view.zoom > 1,
      onPan: (by) => change((view, { base }) => panned(base, view, by)),
      onZoom: (factor, at) => {
        const { view, whole } = latest.current
        if (factor < 1 && view.zoom <= whole.zoom) return false
        change((view, { base, size, whole }) => {
          const zoom = clampZoom(Math.max(view.zoom * factor, Math.min(whole.zoom, view.zoom)))
          return zoomedAt(base, size, view, zoom, at)
        })
        return true
      }
    })
  }, [isThere])
}

/** The window onto a shape and the borders around it, the first of which is the whole drawing. It follows the `width` of the box, in pixels. */
export const useDrawingView = (
  map: RefObject<SVGSVGElement | null>,
  shape: Shape,
  borders: ReadonlyArray<Polygons>,
  box: RefObject<HTMLElement | null>,
  width: number
) => {
  const size = useMemo(
    (): Point => [width, heightOf(width, (box.current?.getBoundingClientRect().top ?? 0) + scrollY)],
    [width]
  )
  // The scale stays as it is while the areas change.
  const base = useMemo(() => fit(borders, size[0], size[1]).project, [size])
  const [chosenView, setView] = useState<View>()
  const whole = useMemo(
    () => ({ ...viewOf(borders[0]!.flat(2), base, size), zoom: Math.max(1 - (2 * TOOLS_PX) / size[1], 0.5) }),
    [base]
  )
  const view = chosenView ?? (shape.flat(2).length === 0 ? whole : viewOf(shape.flat(2), base, size))
  const { project, unproject } = viewIn(base, size, view)
  useZooming(map, { size, base, view, whole, setView })
  // Until something else was shown, the view is that of what was drawn first.
  useEffect(() => {
    if (width > 0 && chosenView === undefined) setView(view)
  }, [width])

  return {
    size,
    base,
    view,
    project,
    unproject,
    setView,
    showAll: () => setView(whole),
    isShown: ([x, y]: Point, margin = MARGIN_PX) =>
      x > -margin && y > -margin && x < size[0] + margin && y < size[1] + margin,
    /** The position of a point in another view, which is not shown any more. */
    unprojectIn: (other: View, point: Point) => viewIn(base, size, other).unproject(point),
    zoomBy: (factor: number, center = view.center) => setView({ zoom: clampZoom(view.zoom * factor), center })
  }
}
