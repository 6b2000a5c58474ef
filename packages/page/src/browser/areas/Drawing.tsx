/** The drawing of an area: by pointers, by the keyboard, and by numbers. What it does to the shape is in `drawing.ts`. */
import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { fit, labelOf, LETTER, type Point, type Polygons, type Position, type Ring, toPath } from "../shared/area.ts"
import { Attribution, BaseMap } from "./BaseMap.tsx"
import { useShared } from "../shared/shared.ts"
import { useWidth } from "../shared/useWidth.ts"
import { CornerFields } from "./CornerFields.tsx"
import {
  addHole,
  addPart,
  clampZoom,
  type CornerAt,
  cornerOf,
  cornersOf,
  countCorners,
  type Drawn,
  insertCorner,
  middleAfter,
  MOST_CORNERS,
  moveCorner,
  record,
  redo,
  removeCorner,
  type Shape,
  snap,
  stepCorner,
  undo,
  type View,
  viewIn,
  viewOf,
  withoutEmptyRings
} from "./drawing.ts"

/** An area that was drawn before. */
export interface Neighbour {
  readonly name: string
  readonly polygons: Polygons
}

interface DrawingProps {
  readonly name: string
  /** Whether it is the organization's area, which does not snap to what it was. */
  readonly isOrganization: boolean
  readonly drawn: Drawn
  readonly onChange: (change: (drawn: Drawn) => Drawn) => void
  readonly active: CornerAt | undefined
  readonly onActivate: (at: CornerAt | undefined) => void
  /** The areas around it: the organization's first, then its other places. */
  readonly around: ReadonlyArray<Neighbour>
  /** What the server refused, as lines. */
  readonly faults: ReadonlyArray<Ring>
}

/** How high a map is by its width, at least, and at most. */
const [HEIGHT, LEAST_HEIGHT, MOST_HEIGHT] = [0.7, 260, 620]

/** How near a border a corner snaps to it; how far a finger may slip; the least edge with a handle for a new corner. In pixels. */
const [SNAPPING, SLIP, EDGE] = [10, 4, 36]

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
}

/** What a pointer does from when it goes down until it goes up. */
interface Gesture {
  readonly kind: "corner" | "edge" | "map"
  readonly at: CornerAt
  readonly from: Point
  readonly view: View
  readonly step: string
  hasMoved: boolean
}

const isAt = (one: CornerAt | undefined, other: CornerAt): boolean => one?.every((n, i) => n === other[i]) === true
const readAt = (text: string | undefined): CornerAt | undefined => text?.split(" ").map(Number) as unknown as CornerAt

export const Drawing = ({
  name,
  isOrganization,
  drawn,
  onChange,
  active,
  onActivate,
  around,
  faults
}: DrawingProps) => {
  const { words, formats } = useShared()
  const [box, width] = useWidth()
  const size = useMemo(
    (): Point => [width, Math.round(Math.min(Math.max(width * HEIGHT, LEAST_HEIGHT), MOST_HEIGHT))],
    [width]
  )
  const borders = useMemo(() => around.map(({ polygons }) => polygons), [around])
  const { shape } = drawn
  // The scale stays as it is while the areas change.
  const base = useMemo(() => fit(borders, size[0], size[1]).project, [size])
  const [chosenView, setView] = useState<View>()
  const whole = useMemo(() => viewOf(borders[0]!.flat(2), base, size), [base])
  const all = { ...whole, zoom: 1 }
  const view = chosenView ?? (shape.flat(2).length === 0 ? all : viewOf(shape.flat(2), base, size))
  const { project, unproject } = viewIn(base, size, view)
  const [isSnapping, setSnapping] = useState(true)
  const [isAdding, setAdding] = useState(shape.flat(2).length === 0)
  const [cross, setCross] = useState<Position>()
  const crossAt = cross ?? view.center
  const gesture = useRef<Gesture | undefined>(undefined)
  const steps = useRef(0)
  const focusActive = useRef(false)
  const map = useRef<SVGSVGElement>(null)

  // Until something else was shown, the view is that of what was drawn first.
  useEffect(() => {
    if (width > 0 && chosenView === undefined) setView(view)
  }, [width])
  // Before the next key: its event goes to the focused corner, and may remove it.
  useLayoutEffect(() => {
    const position = active === undefined ? undefined : cornerOf(shape, active)
    // A drag goes on where the pointer is.
    if (position !== undefined && width > 0 && gesture.current === undefined) {
      const [x, y] = project(position)
      if (x < 0 || y < 0 || x > size[0] || y > size[1]) setView({ ...view, center: position })
    }
    if (focusActive.current) focusCorner()
  }, [active, drawn])
  const focusCorner = () => {
    focusActive.current = false
    map.current?.querySelector<SVGGElement>("[data-at][tabindex='0']")?.focus()
  }
  // What is at fault is shown, wherever it is.
  useEffect(() => {
    const positions = faults.flat()
    if (positions.every((position) => isShown(project(position)))) return
    const { zoom, center } = viewOf(positions, base, size)
    setView({ zoom: Math.min(zoom, view.zoom), center })
  }, [faults])

  const change = (of: (shape: Shape) => Shape, step?: string) =>
    onChange((drawn) => record(drawn, of(drawn.shape), step))
  const snapped = (position: Position, edges = SNAPPING) =>
    snap(position, isOrganization ? borders.slice(1) : borders, project, { corners: SNAPPING, edges }) ?? position
  const move = (at: CornerAt, position: Position, step?: string) =>
    change((shape) => moveCorner(shape, at, position), step)
  /** Adds a corner after the active one, or to the last ring. */
  const add = (position: Position) => {
    const part = Math.max(shape.length - 1, 0)
    const at: CornerAt = active ?? [part, Math.max((shape[part]?.length ?? 0) - 1, 0), -1]
    const before = cornerOf(shape, at)
    if (before !== undefined && before[0] === position[0] && before[1] === position[1]) {
      focusActive.current = false
      return
    }
    change((shape) => insertCorner(shape.length === 0 ? addPart(shape) : shape, at, position))
    onActivate([at[0], at[1], at[2] + 1])
  }
  const remove = (at: CornerAt) => {
    const after = removeCorner(shape, at)
    change(() => after)
    const before: CornerAt = [at[0], at[1], Math.max(at[2] - 1, 0)]
    onActivate(cornerOf(after, before) === undefined ? stepCorner(after, undefined, 1) : before)
  }
  const begin = (of: (shape: Shape) => Shape, part: number, ring: number) => {
    change(of)
    onActivate([part, ring, -1])
    setAdding(true)
  }
  const travel = (of: (drawn: Drawn) => Drawn) => {
    onChange(of)
    onActivate(undefined)
  }
  const zoomBy = (factor: number) => {
    const center = (active === undefined ? undefined : cornerOf(shape, active)) ?? view.center
    setView({ zoom: clampZoom(view.zoom * factor), center })
  }
  const pointOf = ({ clientX, clientY }: TargetedPointerEvent<SVGSVGElement>): Point => {
    const { left, top } = map.current!.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }

  const onPointerDown = (event: TargetedPointerEvent<SVGSVGElement>) => {
    if (!event.isPrimary || event.button !== 0) return
    const target = (event.target as SVGElement).closest<SVGElement>("[data-at], [data-after]")
    const kind = target?.dataset["at"] !== undefined ? "corner" : target === null ? "map" : "edge"
    const at = readAt(target?.dataset["at"] ?? target?.dataset["after"]) ?? [0, 0, -1]
    event.currentTarget.setPointerCapture(event.pointerId)
    gesture.current = { kind, at, from: pointOf(event), view, step: `drag ${++steps.current}`, hasMoved: false }
  }
  const onPointerMove = (event: TargetedPointerEvent<SVGSVGElement>) => {
    const now = gesture.current
    if (now === undefined) return
    const point = pointOf(event)
    const [dx, dy] = [point[0] - now.from[0], point[1] - now.from[1]]
    if (!now.hasMoved && Math.hypot(dx, dy) < SLIP) return
    const position = unproject(point)
    const to = isSnapping && !event.altKey ? snapped(position) : position
    if (now.kind === "map") {
      if (now.view.zoom > 1 || event.pointerType === "mouse") {
        const { unproject } = viewIn(base, size, now.view)
        setView({ ...now.view, center: unproject([size[0] / 2 - dx, size[1] / 2 - dy]) })
        setCross(undefined)
      }
    } else if (now.kind === "edge" && !now.hasMoved) {
      const [part, ring, before] = now.at
      const at: CornerAt = [part, ring, before + 1]
      change((shape) => insertCorner(shape, now.at, to), now.step)
      onActivate(at)
      gesture.current = { ...now, kind: "corner", at, hasMoved: true }
    } else {
      move(now.at, to, now.step)
      onActivate(now.at)
    }
    if (gesture.current !== undefined) gesture.current.hasMoved = true
  }
  const onPointerUp = (event: TargetedPointerEvent<SVGSVGElement>) => {
    const now = gesture.current
    gesture.current = undefined
    if (now === undefined) return
    if (now.hasMoved) {
      if (now.kind !== "map") focusCorner()
      return
    }
    focusActive.current = now.kind !== "map" || isAdding
    if (now.kind === "corner") {
      // The first corner of a ring ends it.
      if (isAdding && now.at[2] === 0) setAdding(false)
      onActivate([...now.at])
    } else if (now.kind === "edge") {
      change((shape) => insertCorner(shape, now.at, middleAfter(shape, now.at)!))
      onActivate([now.at[0], now.at[1], now.at[2] + 1])
    } else if (isAdding) {
      const position = unproject(pointOf(event))
      add(isSnapping && !event.altKey ? snapped(position) : position)
    }
  }
  const onKeyDown = (event: TargetedKeyboardEvent<SVGSVGElement>) => {
    const { key, shiftKey, ctrlKey, metaKey } = event
    const isCross = (event.target as SVGElement).classList.contains("cross")
    const arrow = ARROWS[key]
    const handled = () => {
      event.preventDefault()
      focusActive.current = !isCross
    }
    if (ctrlKey || metaKey) return
    if (isCross) {
      if (arrow !== undefined) {
        handled()
        setCross(moved(crossAt, arrow, shiftKey))
      } else if (key === "Enter" || key === " ") {
        handled()
        add(crossAt)
      }
      return
    }
    const position = active === undefined ? undefined : cornerOf(shape, active)
    if (active === undefined || position === undefined) return
    if (arrow !== undefined) {
      handled()
      move(active, moved(position, arrow, shiftKey), `keys ${active.join(" ")}`)
    } else if (key === "Delete" || key === "Backspace") {
      handled()
      remove(active)
    } else if (key === "PageDown" || key === "PageUp") {
      handled()
      onActivate(stepCorner(shape, active, key === "PageDown" ? 1 : -1))
    }
  }
  /** A position that is some pixels away. */
  const moved = (position: Position, [x, y]: Point, isFar: boolean): Position => {
    const by = isFar ? 20 : 2
    const point = project(position)
    return unproject([point[0] + x * by, point[1] + y * by])
  }

  const isShown = ([x, y]: Point) => x > -SNAPPING && y > -SNAPPING && x < size[0] + SNAPPING && y < size[1] + SNAPPING
  const corners = cornersOf(shape)
  const tabbed = active !== undefined && cornerOf(shape, active) !== undefined ? active : corners[0]
  // What lies around is drawn anew when it grows, and only moved with the view.
  const [drawnAround, drawnCenter] = useMemo(() => {
    const { project } = viewIn(base, size, view)
    const drawings = around.map(({ name, polygons }) => {
      const { x, y, width } = labelOf(polygons, project)
      return { path: toPath(polygons, project), label: name.length * LETTER < width ? { x, y, name } : undefined }
    })
    return [drawings, view.center] as const
  }, [base, view.zoom, around])
  const [left, top] = project(drawnCenter)
  const edges = corners.flatMap((at) => {
    const middle = middleAfter(shape, at)
    if (middle === undefined) return []
    const [corner, point] = [project(cornerOf(shape, at)!), project(middle)]
    return Math.hypot(corner[0] - point[0], corner[1] - point[1]) * 2 > EDGE && isShown(point) ? [{ at, point }] : []
  })
  const where = ([longitude, latitude]: Position) => `${latitude}, ${longitude}`
  const title = ([part, ring, corner]: CornerAt) =>
    [
      words.corner(formats.number(corner + 1), formats.number(shape[part]![ring]!.length)),
      ...(shape.flat().length > 1 ? [words.ofRing(formats.number(part + 1), formats.number(ring + 1))] : [])
    ].join(", ")
  const count = countCorners(shape)

  return (
    <div
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement) return
        const isRedo = event.key === "y" || (event.shiftKey && event.key.toLowerCase() === "z")
        if (!isRedo && event.key !== "z") return
        event.preventDefault()
        travel(isRedo ? redo : undo)
      }}
    >
      <p>{isAdding ? words.addHint : words.drawHint}</p>
      <div class="bar" role="group" aria-label={words.drawing(name)}>
        <button type="button" aria-pressed={isAdding} class="plain" onClick={() => setAdding(!isAdding)}>
          {words.addCorners}
        </button>
        {/* Not `disabled`, which would lose the focus at the last step. */}
        <button type="button" aria-disabled={drawn.past.length === 0} onClick={() => travel(undo)}>
          {words.undo}
        </button>
        <button type="button" aria-disabled={drawn.future.length === 0} onClick={() => travel(redo)}>
          {words.redo}
        </button>
        <button type="button" aria-label={words.zoomIn} onClick={() => zoomBy(2)}>
          +
        </button>
        <button type="button" aria-label={words.zoomOut} onClick={() => zoomBy(0.5)}>
          −
        </button>
        <button type="button" onClick={() => setView(all)}>
          {words.showAll}
        </button>
        <label class="check">
          <input type="checkbox" checked={isSnapping} onChange={() => setSnapping(!isSnapping)} />
          {words.snapping}
        </label>
      </div>
      <div ref={box} class="map">
        {width > 0 && (
          <svg
            ref={map}
            width={size[0]}
            height={size[1]}
            role="group"
            aria-label={words.drawing(name)}
            class={`drawing ${view.zoom > 1 ? "zoomed" : ""} ${isAdding ? "adding" : ""}`}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerUp}
            onPointerCancel={() => (gesture.current = undefined)}
            onKeyDown={onKeyDown}
          >
            <BaseMap project={project} width={size[0]} height={size[1]} />
            <g class="around" aria-hidden="true" transform={`translate(${left - size[0] / 2} ${top - size[1] / 2})`}>
              {drawnAround.map(({ path }, nth) => (
                <path key={nth} class={nth === 0 ? "whole" : ""} d={path} fill-rule="evenodd" />
              ))}
              <g class="labels">
                {drawnAround.slice(1).map(
                  ({ label }, nth) =>
                    label !== undefined && (
                      <text key={nth} x={label.x} y={label.y} class="name">
                        {label.name}
                      </text>
                    )
                )}
              </g>
            </g>
            <path class="drawn" aria-hidden="true" d={toPath(withoutEmptyRings(shape), project)} fill-rule="evenodd" />
            <g class="at-fault" aria-hidden="true">
              {faults.map((line, nth) =>
                line.length === 1 ? (
                  <circle key={nth} cx={project(line[0]!)[0]} cy={project(line[0]!)[1]} r={12} />
                ) : (
                  <polyline key={nth} points={line.map((position) => project(position).join(" ")).join(" ")} />
                )
              )}
            </g>
            <g aria-hidden="true">
              {edges.map(({ at, point: [x, y] }) => (
                <g key={at.join(" ")} data-after={at.join(" ")} class="middle">
                  <circle cx={x} cy={y} r={12} class="grip" />
                  <circle cx={x} cy={y} r={3.5} />
                </g>
              ))}
            </g>
            {corners.map((at) => {
              const position = cornerOf(shape, at)!
              const [x, y] = project(position)
              if (!isShown([x, y]) && !isAt(tabbed, at)) return null
              return (
                <g
                  key={at.join(" ")}
                  data-at={at.join(" ")}
                  class="corner"
                  role="button"
                  tabindex={isAt(tabbed, at) ? 0 : -1}
                  aria-pressed={isAt(active, at)}
                  aria-label={words.cornerAt(title(at), where(position))}
                  onFocus={() => {
                    if (!isAt(active, at)) onActivate(at)
                  }}
                >
                  <circle cx={x} cy={y} r={14} class="grip" />
                  <circle cx={x} cy={y} r={6} />
                </g>
              )
            })}
            {isAdding && (
              <g class="cross" role="button" tabindex={0} aria-label={words.newCorner(where(crossAt))}>
                <circle cx={project(crossAt)[0]} cy={project(crossAt)[1]} r={12} class="grip" />
                <path d={`M${project(crossAt).join(" ")}m-9 0h18m-9 -9v18`} />
              </g>
            )}
          </svg>
        )}
        <Attribution />
      </div>
      <CornerFields
        title={active === undefined || active[2] < 0 ? undefined : title(active)}
        position={active === undefined ? undefined : cornerOf(shape, active)}
        onMove={(position) => active !== undefined && move(active, position)}
        onSnap={(position) => active !== undefined && move(active, snapped(position, Infinity))}
        onStep={(by) => onActivate(stepCorner(shape, active, by))}
        onInsert={() => add((active === undefined ? undefined : middleAfter(shape, active)) ?? beside())}
        onRemove={() => active !== undefined && remove(active)}
      />
      <div class="bar">
        <button type="button" class="plain" onClick={() => begin(addPart, shape.length, 0)}>
          {words.addPart}
        </button>
        {shape.length > 0 && (
          <button
            type="button"
            class="plain"
            onClick={() => {
              const part = active?.[0] ?? 0
              begin((shape) => addHole(shape, part), part, shape[part]?.length ?? 0)
            }}
          >
            {words.addHole}
          </button>
        )}
        <span class={count > MOST_CORNERS ? "fault" : ""}>
          {words.countCorners(formats.number(count), formats.number(MOST_CORNERS))}
        </span>
      </div>
    </div>
  )

  /** Where a corner begins that is added without a pointer: beside the active one, or in the middle. */
  function beside(): Position {
    const from = active === undefined ? undefined : cornerOf(shape, active)
    return from === undefined ? crossAt : moved(from, [1, 0], true)
  }
}
