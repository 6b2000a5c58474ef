/** The state of a drawing, and the changes that pointers, keys and buttons make of it. */
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { fit, type Point, type Polygons, type Position, type Ring } from "../shared/area.ts"
import { useWidth } from "../shared/useWidth.ts"
import {
  addPart,
  addRectangle,
  awayFrom,
  type CornerAt,
  cornerOf,
  type Drawn,
  edgeOf,
  insertCorner,
  isEmpty,
  moveCorner,
  moveEdge,
  moveShape,
  moveSquarely,
  plus,
  record,
  removeCorner,
  type Shape,
  snap,
  stepCorner,
  withoutEmptyRings
} from "./drawing.ts"
import type { ShownPlan } from "./useFloors.ts"
import { useView } from "./useView.ts"
import { type View, viewOf } from "./view.ts"

/** An area near the one that is drawn. */
export interface SurroundingArea {
  readonly name: string
  readonly polygons: Polygons
  /** The areas of its parts, beside which its name stands. */
  readonly parts?: Polygons
}

export interface DrawingProps {
  readonly name: string
  /** Whether it is the organization's area, which does not snap to what it was. */
  readonly isOrganization?: boolean
  readonly drawn: Drawn
  readonly onChange: (change: (drawn: Drawn) => Drawn) => void
  /** The areas around it: the organization's first, then its other places. */
  readonly around: ReadonlyArray<SurroundingArea>
  /** The floor plan of its level. */
  readonly plan?: ShownPlan | undefined
  /** What the server refused, as lines, which are brought into the view. */
  readonly faults?: ReadonlyArray<Ring> | undefined
  /** What the page itself marks while it is drawn. */
  readonly marks?: ReadonlyArray<Ring>
  /** What is said about the drawing, on its map. */
  readonly notice?: ComponentChildren
}

/** What a pointer or a key moves: a corner, the edge after it, or the whole area. */
export interface Grip {
  readonly kind: "corner" | "edge" | "area"
  readonly at: CornerAt
}

const NO_FAULTS: ReadonlyArray<Ring> = []

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

/** How near a border a corner snaps to it, in pixels. */
const SNAP_DISTANCE_PX = 10

/** The most corners of what snaps when it is moved as a whole. */
const MAX_SNAPPING = 100

/** How far an arrow key moves something, and with Shift, in pixels. */
const [STEP_PX, LONG_STEP_PX] = [2, 20]

/** The window onto a shape and the borders around it, the first of which is the whole drawing. */
const useCanvas = (shape: Shape, borders: ReadonlyArray<Polygons>) => {
  const [box, width] = useWidth()
  /** Until something else was shown, the view is that of what was drawn first. */
  const first = useRef<View | undefined>(undefined)
  // The scale stays as it is while the areas change.
  const mapped = useMemo(() => {
    const top = (box.current?.getBoundingClientRect().top ?? 0) + scrollY
    const size: Point = [width, heightOf(width, top)]
    const base = fit(borders, size[0], size[1]).project
    const { center } = viewOf(borders[0]!.flat(2), base, size)
    const whole = { zoom: Math.max(1 - (2 * TOOLS_PX) / size[1], 0.5), center }
    if (width > 0) first.current ??= isEmpty(shape) ? whole : viewOf(shape.flat(2), base, size)
    return { size, base, whole, first: first.current ?? whole }
  }, [width])
  return { box, ...mapped, ...useView(mapped) }
}

export const useDrawing = (props: DrawingProps) => {
  const { isOrganization = false, drawn, onChange, around, faults = NO_FAULTS } = props
  const { shape, active } = drawn
  const borders = useMemo(() => around.map(({ polygons }) => polygons), [around])
  const canvas = useCanvas(shape, borders)
  const { svg, size, base, view, project, unproject, show, isShown } = canvas
  const [isSnapping, setSnapping] = useState(true)
  /** What a click on the map does: it moves what is there, adds a corner, or sets a corner of a rectangle. */
  const [tool, setTool] = useState<"none" | "corners" | "rectangle">(isEmpty(shape) ? "corners" : "none")
  const [anchor, setAnchor] = useState<Position>()
  const chooseTool = (chosen: typeof tool) => {
    setTool(chosen)
    setAnchor(undefined)
  }
  const [cross, setCross] = useState<Position>()
  const isDragging = useRef(false)
  /** Whether the active corner gets the focus with the next change. */
  const focusActive = useRef(false)

  const focusOn = (selector: string) => svg.current?.querySelector<SVGElement>(selector)?.focus()
  const focusCorner = () => {
    focusActive.current = false
    focusOn("[data-at][tabindex='0']")
  }
  const isThere = size[0] > 0
  const activePosition = active === undefined ? undefined : cornerOf(shape, active)
  // Before the next key: its event goes to the focused corner, and may remove it.
  useLayoutEffect(() => {
    // A drag goes on where the pointer is.
    if (activePosition !== undefined && isThere && !isDragging.current && !isShown(project(activePosition))) {
      show({ ...view, center: activePosition })
    }
    if (focusActive.current) focusCorner()
  }, [drawn])
  // What is at fault is shown, wherever it is.
  useEffect(() => {
    const positions = faults.flat()
    if (!isThere || positions.every((position) => isShown(project(position)))) return
    const { zoom, center } = viewOf(positions, base, size)
    show({ zoom: Math.min(zoom, view.zoom), center })
  }, [faults, isThere])

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
  const crossAt = cross ?? view.center
  /** A position that is some pixels away. */
  const moved = (position: Position, [x, y]: Point, isFar: boolean): Position => {
    const by = isFar ? LONG_STEP_PX : STEP_PX
    const point = project(position)
    return unproject([point[0] + x * by, point[1] + y * by])
  }

  const activate = (active: CornerAt | undefined) => onChange((drawn) => ({ ...drawn, active }))
  /** Changes the shape, and chooses another corner if one is given. Changes of one step are undone together. */
  const change = (of: (shape: Shape) => Shape, next?: CornerAt, step?: string) =>
    onChange((drawn) => ({ ...record(drawn, of(drawn.shape), step), active: next ?? drawn.active }))
  const insertAfter = (at: CornerAt, position: Position, step?: string): CornerAt => {
    const inserted: CornerAt = [at[0], at[1], at[2] + 1]
    change((shape) => insertCorner(shape.length === 0 ? addPart(shape) : shape, at, position), inserted, step)
    return inserted
  }
  return {
    ...props,
    ...canvas,
    faults,
    isOrganization,
    shape,
    active,
    activePosition,
    tool,
    chooseTool,
    anchor,
    setAnchor,
    isSnapping,
    setSnapping,
    crossAt,
    setCross,
    isDragging,
    focusActive,
    focusCorner,
    focusEdge: (at: CornerAt) => focusOn(`[data-edge="${at.join(" ")}"]`),
    focusAll: () => focusOn("[data-all]"),
    snapped,
    moved,
    /** Where a corner begins that is added without a pointer: beside the active one, or in the middle. */
    beside: (): Position => (activePosition === undefined ? crossAt : moved(activePosition, [1, 0], true)),

    activate,
    insertAfter,
    move: (at: CornerAt, position: Position) => change((shape) => moveCorner(shape, at, position)),
    /** Moves what is gripped of the shape that a step began with: by a corner a rectangle stays one, unless it is moved freely. */
    drag: (from: Shape, { kind, at }: Grip, by: Position, step: string, how?: "freely" | "snapping") => {
      if (kind === "corner") {
        const to = plus(cornerOf(from, at)!, by)
        const move = how === "freely" ? moveCorner : moveSquarely
        return change(() => move(from, at, how === "snapping" ? snapped(to) : to), at, step)
      }
      const edge = kind === "edge" ? edgeOf(from, at) : undefined
      const way = edge === undefined ? by : awayFrom(edge, by)
      const last = how === "snapping" ? snappedBy(edge ?? from.flat(2), way) : way
      change(() => (edge === undefined ? moveShape(from, last) : moveEdge(from, at, last)), undefined, step)
    },
    /** Adds a corner after the active one, or to the last ring. */
    add: (position: Position) => {
      const part = Math.max(shape.length - 1, 0)
      const at: CornerAt = active ?? [part, Math.max((shape[part]?.length ?? 0) - 1, 0), -1]
      const before = cornerOf(shape, at)
      if (before?.[0] === position[0] && before[1] === position[1]) focusActive.current = false
      else insertAfter(at, position)
    },
    remove: (at: CornerAt) => {
      const after = removeCorner(shape, at)
      const before: CornerAt = [at[0], at[1], Math.max(at[2] - 1, 0)]
      const active = cornerOf(after, before) === undefined ? stepCorner(after, 1) : before
      onChange((drawn) => ({ ...record(drawn, after), active }))
    },
    /** Ends a rectangle whose first corner is set, or sets it. A rectangle without an area is none. */
    placeRectangle: (position: Position, from = anchor) => {
      if (from === undefined) {
        setAnchor(position)
        setCross(position)
      } else if (from[0] !== position[0] && from[1] !== position[1]) {
        // The cross, which may have had the focus, is gone then.
        focusActive.current = true
        change((shape) => addRectangle(shape, from, position), [withoutEmptyRings(shape).length, 0, 0])
        chooseTool("none")
      }
    },
    /** Begins a ring, to which corners are added then. */
    begin: (of: (shape: Shape) => Shape, part: number, ring: number) => {
      change(of, [part, ring, -1])
      chooseTool("corners")
    },
    travel: (of: (drawn: Drawn) => Drawn) => onChange((drawn) => ({ ...of(drawn), active: undefined }))
  }
}

export type DrawingState = ReturnType<typeof useDrawing>
