/** The state of a drawing, and the changes that pointers, keys and buttons make of it. */
import type { ComponentChildren, RefObject } from "preact"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Point, Polygons, Position, Ring } from "../shared/area.ts"
import {
  addPart,
  addRectangle,
  type CornerAt,
  cornerOf,
  type Drawn,
  insertCorner,
  moveCorner,
  moveEdge,
  moveShape,
  moveSquarely,
  record,
  removeCorner,
  type Shape,
  snap,
  stepCorner,
  withoutEmptyRings
} from "./drawing.ts"
import type { ShownPlan } from "./useFloorPlans.ts"
import { useDrawingView } from "./useDrawingView.ts"
import { viewOf } from "./view.ts"

/** An area near the one that is drawn. */
export interface SurroundingArea {
  readonly name: string
  readonly polygons: Polygons
  /** The areas of its parts, beside which its name stands. */
  readonly parts?: Polygons
}

/** What a click on the map does: it moves what is there, adds a corner, or sets a corner of a rectangle. */
export type Tool = "none" | "corners" | "rectangle"

export interface DrawingProps {
  readonly name: string
  /** Whether it is the organization's area, which does not snap to what it was. */
  readonly isOrganization: boolean
  readonly drawn: Drawn
  readonly onChange: (change: (drawn: Drawn) => Drawn) => void
  readonly active: CornerAt | undefined
  readonly onActivate: (at: CornerAt | undefined) => void
  /** The areas around it: the organization's first, then its other places. */
  readonly around: ReadonlyArray<SurroundingArea>
  /** The floor plan of its level. */
  readonly plan?: ShownPlan | undefined
  /** What the server refused, as lines, which are brought into the view. */
  readonly faults: ReadonlyArray<Ring>
  /** What the page itself marks while it is drawn. */
  readonly marks?: ReadonlyArray<Ring>
  /** What is said about the drawing, on its map. */
  readonly notice?: ComponentChildren
}

/** How near a border a corner snaps to it, in pixels. */
const SNAP_DISTANCE_PX = 10

/** The most corners of what snaps when it is moved as a whole. */
const MAX_SNAPPING = 100

/** How far an arrow key moves something, and with Shift, in pixels. */
const [STEP_PX, LONG_STEP_PX] = [2, 20]

/** The changes of a shape, each of which also chooses the active corner. */
const shapeChanges = (
  { drawn: { shape }, onChange, active, onActivate }: DrawingProps,
  { setAdding, keepFocus }: { readonly setAdding: (isAdding: boolean) => void; readonly keepFocus: () => void }
) => {
  const change = (of: (shape: Shape) => Shape, step?: string) =>
    onChange((drawn) => record(drawn, of(drawn.shape), step))
  const insertAfter = (at: CornerAt, position: Position, step?: string): CornerAt => {
    change((shape) => insertCorner(shape.length === 0 ? addPart(shape) : shape, at, position), step)
    const inserted: CornerAt = [at[0], at[1], at[2] + 1]
    onActivate(inserted)
    return inserted
  }
  return {
    insertAfter,
    move: (at: CornerAt, position: Position) => change((shape) => moveCorner(shape, at, position)),
    /** Moves a corner of the shape that a step began with: a rectangle stays one, unless it is moved freely. */
    drag: (from: Shape, at: CornerAt, position: Position, step: string, isFree: boolean) =>
      change(() => (isFree ? moveCorner : moveSquarely)(from, at, position), step),
    /** Moves an edge of the shape that a step began with, or all of it. */
    shift: (from: Shape, at: CornerAt | undefined, by: Position, step: string) =>
      change(() => (at === undefined ? moveShape(from, by) : moveEdge(from, at, by)), step),
    /** Adds a corner after the active one, or to the last ring. */
    add: (position: Position) => {
      const part = Math.max(shape.length - 1, 0)
      const at: CornerAt = active ?? [part, Math.max((shape[part]?.length ?? 0) - 1, 0), -1]
      const before = cornerOf(shape, at)
      if (before !== undefined && before[0] === position[0] && before[1] === position[1]) keepFocus()
      else insertAfter(at, position)
    },
    remove: (at: CornerAt) => {
      const after = removeCorner(shape, at)
      change(() => after)
      const before: CornerAt = [at[0], at[1], Math.max(at[2] - 1, 0)]
      onActivate(cornerOf(after, before) === undefined ? stepCorner(after, 1) : before)
    },
    addRectangle: (from: Position, to: Position) => {
      change((shape) => addRectangle(shape, from, to))
      onActivate([withoutEmptyRings(shape).length, 0, 0])
      setAdding(false)
    },
    /** Begins a ring, to which corners are added then. */
    begin: (of: (shape: Shape) => Shape, part: number, ring: number) => {
      change(of)
      onActivate([part, ring, -1])
      setAdding(true)
    },
    travel: (of: (drawn: Drawn) => Drawn) => {
      onChange(of)
      onActivate(undefined)
    }
  }
}

export const useDrawing = (props: DrawingProps, box: RefObject<HTMLElement | null>, width: number) => {
  const { isOrganization, drawn, active, around, faults } = props
  const { shape } = drawn
  const borders = useMemo(() => around.map(({ polygons }) => polygons), [around])
  const map = useRef<SVGSVGElement>(null)
  const window = useDrawingView(map, shape, borders, box, width)
  const { size, base, view, project, unproject, setView, isShown } = window
  const [isSnapping, setSnapping] = useState(true)
  const [tool, setTool] = useState<Tool>(shape.flat(2).length === 0 ? "corners" : "none")
  const [anchor, setAnchor] = useState<Position>()
  const chooseTool = (chosen: Tool) => {
    setTool(chosen)
    setAnchor(undefined)
  }
  const setAdding = (isAdding: boolean) => chooseTool(isAdding ? "corners" : "none")
  const [cross, setCross] = useState<Position>()
  const isDragging = useRef(false)
  /** Whether the active corner gets the focus with the next change. */
  const focusActive = useRef(false)

  const focusOn = (selector: string) => map.current?.querySelector<SVGElement>(selector)?.focus()
  const focusCorner = () => {
    focusActive.current = false
    focusOn("[data-at][tabindex='0']")
  }
  const activePosition = active === undefined ? undefined : cornerOf(shape, active)
  // Before the next key: its event goes to the focused corner, and may remove it.
  useLayoutEffect(() => {
    // A drag goes on where the pointer is.
    if (activePosition !== undefined && width > 0 && !isDragging.current && !isShown(project(activePosition), 0)) {
      setView({ ...view, center: activePosition })
    }
    if (focusActive.current) focusCorner()
  }, [active, drawn])
  // What is at fault is shown, wherever it is.
  useEffect(() => {
    const positions = faults.flat()
    if (positions.every((position) => isShown(project(position)))) return
    const { zoom, center } = viewOf(positions, base, size)
    setView({ zoom: Math.min(zoom, view.zoom), center })
  }, [faults])

  const crossAt = cross ?? view.center
  const keepFocus = () => {
    focusActive.current = false
  }
  const borderNear = (position: Position, edges = SNAP_DISTANCE_PX) =>
    snap(position, isOrganization ? borders.slice(1) : borders, project, { corners: SNAP_DISTANCE_PX, edges })
  const snapped = (position: Position, edges?: number) => borderNear(position, edges) ?? position
  /** A movement of corners after which the one that is nearest to a border is on it. */
  const snappedBy = (corners: ReadonlyArray<Position>, by: Position): Position => {
    let [best, least] = [by, Infinity]
    for (const [x, y] of corners.length > MAX_SNAPPING ? [] : corners) {
      const to: Position = [x + by[0], y + by[1]]
      const border = borderNear(to)
      if (border === undefined) continue
      const [[x1, y1], [x2, y2]] = [project(to), project(border)]
      const distance = Math.hypot(x2 - x1, y2 - y1)
      if (distance < least) [best, least] = [[border[0] - x, border[1] - y], distance]
    }
    return best
  }
  /** A position that is some pixels away. */
  const moved = (position: Position, [x, y]: Point, isFar: boolean): Position => {
    const by = isFar ? LONG_STEP_PX : STEP_PX
    const point = project(position)
    return unproject([point[0] + x * by, point[1] + y * by])
  }
  const changes = shapeChanges(props, { setAdding, keepFocus })
  return {
    ...window,
    ...changes,
    tool,
    chooseTool,
    anchor,
    setAnchor,
    isAdding: tool === "corners",
    /** Ends a rectangle whose first corner is set, or sets it. A rectangle without an area is none. */
    placeRectangle: (position: Position, from = anchor) => {
      if (from === undefined) {
        setAnchor(position)
        setCross(position)
      } else if (from[0] !== position[0] && from[1] !== position[1]) {
        // The cross, which may have had the focus, is gone then.
        focusActive.current = true
        changes.addRectangle(from, position)
      }
    },
    zoomBy: (factor: number) => window.zoomBy(factor, activePosition),
    map,
    isSnapping,
    setSnapping,
    setAdding,
    crossAt,
    setCross,
    isDragging,
    focusActive,
    focusCorner,
    focusEdge: (at: CornerAt) => focusOn(`[data-edge="${at.join(" ")}"]`),
    focusAll: () => focusOn("[data-all]"),
    activePosition,
    snapped,
    snappedBy,
    moved,
    /** Where a corner begins that is added without a pointer: beside the active one, or in the middle. */
    beside: (): Position => (activePosition === undefined ? crossAt : moved(activePosition, [1, 0], true))
  }
}

export type DrawingState = ReturnType<typeof useDrawing>
