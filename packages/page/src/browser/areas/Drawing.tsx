/** The drawing of an area: by pointers, by the keyboard, and by numbers. What it does to the shape is in `drawing.ts`. */
import type { ButtonHTMLAttributes } from "preact"
import { ActionButton } from "../shared/ActionButton.tsx"
import { toPath } from "../shared/area.ts"
import { useOpened } from "../shared/context.ts"
import { Check } from "../shared/fields.tsx"
import { Attribution, BaseMap } from "./BaseMap.tsx"
import {
  addHole,
  addPart,
  addRectangle,
  countCorners,
  isEmpty,
  MAX_CORNERS,
  middleAfter,
  redo,
  stepCorner,
  undo,
  withoutEmptyRings
} from "./drawing.ts"
import { historyKeys, mapKeys, useDrawingPointer } from "./drawingInput.ts"
import { Around, Corners, cornerTitle, Cross, Edges, Faults, type LayerProps, Lengths } from "./DrawingLayers.tsx"
import { NumberField } from "./fields.tsx"
import { type DrawingProps, useDrawing } from "./useDrawing.ts"

/** What a click does, new parts and holes, undo and redo, and the view. */
const Tools = ({ drawing }: LayerProps) => {
  const { words } = useOpened()
  const { name, drawn, shape, active, tool, chooseTool, isSnapping, setSnapping, travel, begin, activePosition } =
    drawing
  const part = active?.[0] ?? 0
  /** What the buttons zoom around. */
  const middle = activePosition && drawing.project(activePosition)
  const toggle = (chosen: typeof tool) => ({
    "aria-pressed": tool === chosen,
    onClick: () => chooseTool(tool === chosen ? "none" : chosen)
  })
  // Not `disabled`, which would lose the focus at the last step.
  const step = (steps: ReadonlyArray<unknown>, of: typeof undo) => ({
    "aria-disabled": steps.length === 0,
    onClick: () => travel(of)
  })
  const hole = { onClick: () => begin((shape) => addHole(shape, part), part, shape[part]?.length ?? 0) }
  const tools: ReadonlyArray<readonly [label: string, icon: string, attributes: ButtonHTMLAttributes]> = [
    [words.rectangle, "▭", toggle("rectangle")],
    [words.addCorners, "⬠", toggle("corners")],
    [words.addPart, "⊞", { onClick: () => begin(addPart, shape.length, 0) }],
    ...(shape.length > 0 ? [[words.addHole, "◎", hole] as const] : []),
    [words.undo, "↶", step(drawn.past, undo)],
    [words.redo, "↷", step(drawn.future, redo)],
    [words.zoomIn, "+", { onClick: () => drawing.zoomIn(middle) }],
    [words.zoomOut, "−", { onClick: () => drawing.zoomOut(middle) }],
    [words.showAll, "⤢", { onClick: drawing.showAll }]
  ]
  return (
    <div class="tools" role="group" aria-label={words.drawingTools(name)}>
      {tools.map(([label, icon, attributes]) => (
        <ActionButton action={icon} key={label} title={label} aria-label={label} {...attributes} />
      ))}
      <Check checked={isSnapping} onChange={() => setSnapping(!isSnapping)}>
        {words.snapping}
      </Check>
    </div>
  )
}

/** The chosen corner in numbers and buttons: everything that a pointer does, without one. */
const CornerFields = ({ drawing }: LayerProps) => {
  const page = useOpened()
  const { words } = page
  const { shape, active, activePosition: position, move } = drawing
  const title = active === undefined || active[2] < 0 ? undefined : cornerTitle(page, shape, active)
  const number = (label: string, most: number, axis: 0 | 1) => (
    <NumberField
      label={label}
      value={position?.[axis]}
      most={most}
      mayBeEmpty
      onChange={(value) => move(active!, axis === 0 ? [value, position![1]] : [position![0], value])}
    />
  )
  const step = (by: 1 | -1) => drawing.activate(stepCorner(shape, by, active))
  const actions: ReadonlyArray<readonly [label: string, act: () => void]> = [
    [words.previousCorner, () => step(-1)],
    [words.nextCorner, () => step(1)],
    [words.insertCorner, () => drawing.add((active && middleAfter(shape, active)) ?? drawing.beside())]
  ]
  const actionsOnCorner: typeof actions =
    active === undefined || position === undefined
      ? []
      : [
          [words.snapCorner, () => move(active, drawing.snapped(position, Infinity))],
          [words.removeCorner, () => drawing.remove(active)]
        ]
  return (
    <fieldset class="corners">
      <legend>
        <span role="status">{title ?? words.noCorner}</span>
      </legend>
      {/* Fields of their own for each corner. */}
      <div key={title} class="bar">
        {number(words.latitude, 90, 1)}
        {number(words.longitude, 180, 0)}
      </div>
      <div class="bar">
        {[...actions, ...actionsOnCorner].map(([label, act]) => (
          <ActionButton action={label} key={label} onClick={act} />
        ))}
      </div>
    </fieldset>
  )
}

export const Drawing = (props: DrawingProps) => {
  const { words, formats } = useOpened()
  const drawing = useDrawing(props)
  const { name, shape, size, view, project, tool, anchor } = drawing
  const pointer = useDrawingPointer(drawing)
  const preview = tool === "rectangle" && anchor !== undefined ? addRectangle([], anchor, drawing.crossAt) : undefined
  const count = countCorners(shape)
  return (
    <div onKeyDown={historyKeys(drawing)}>
      <div ref={drawing.box} class="map canvas">
        <Tools drawing={drawing} />
        {size[0] > 0 && (
          <svg
            ref={drawing.svg}
            width={size[0]}
            height={size[1]}
            role="group"
            aria-label={words.drawing(name)}
            class={`drawing ${view.zoom > 1 ? "zoomed" : ""} ${tool === "none" ? "none" : `adding ${tool}`}`}
            {...pointer}
            onKeyDown={mapKeys(drawing)}
          >
            <BaseMap project={project} size={size} />
            <Around drawing={drawing} />
            {!isEmpty(shape) && (
              <path
                class={`drawn ${drawing.isOrganization ? "" : "movable"}`}
                d={toPath(withoutEmptyRings(shape), project)}
                fill-rule="evenodd"
                data-all=""
                role="button"
                tabindex={0}
                aria-label={words.wholeArea(name)}
              />
            )}
            <Faults drawing={drawing} />
            <Edges drawing={drawing} />
            <Lengths drawing={drawing} />
            <Corners drawing={drawing} />
            {preview !== undefined && (
              <>
                <path class="drawn" aria-hidden="true" d={toPath(preview, project)} />
                <Lengths drawing={drawing} shape={preview} />
              </>
            )}
            {tool !== "none" && <Cross drawing={drawing} />}
          </svg>
        )}
        <Attribution />
        <div class="notice">{props.notice}</div>
      </div>
      <p>{tool === "rectangle" ? words.rectangleHint : tool === "corners" ? words.addHint : words.drawHint}</p>
      <CornerFields drawing={drawing} />
      <p class={count > MAX_CORNERS ? "fault" : ""}>
        {words.countCorners(formats.number(count), formats.number(MAX_CORNERS))}
      </p>
    </div>
  )
}
