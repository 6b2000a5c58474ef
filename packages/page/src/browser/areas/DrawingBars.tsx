/** The buttons of a drawing. */
import { usePage } from "../shared/context.ts"
import { addHole, addPart, countCorners, MAX_CORNERS, redo, undo } from "./drawing.ts"
import type { DrawingProps, DrawingState } from "./useDrawing.ts"

interface BarProps {
  readonly props: DrawingProps
  readonly drawing: DrawingState
}

/** What a click does, undo and redo, and the view. */
export const DrawingTools = ({ props: { name, drawn }, drawing }: BarProps) => {
  const { words } = usePage()
  const { isAdding, setAdding, isSnapping, setSnapping, travel, zoomBy, showAll } = drawing
  return (
    <div class="bar" role="group" aria-label={words.drawing(name)}>
      <button type="button" aria-pressed={isAdding} onClick={() => setAdding(!isAdding)}>
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
      <button type="button" onClick={showAll}>
        {words.showAll}
      </button>
      <label class="check">
        <input type="checkbox" checked={isSnapping} onChange={() => setSnapping(!isSnapping)} />
        {words.snapping}
      </label>
    </div>
  )
}

/** New parts and holes, and how many corners there are. */
export const RingTools = ({ props: { drawn, active }, drawing: { begin } }: BarProps) => {
  const { words, formats } = usePage()
  const { shape } = drawn
  const count = countCorners(shape)
  const part = active?.[0] ?? 0
  return (
    <div class="bar">
      <button type="button" onClick={() => begin(addPart, shape.length, 0)}>
        {words.addPart}
      </button>
      {shape.length > 0 && (
        <button type="button" onClick={() => begin((shape) => addHole(shape, part), part, shape[part]?.length ?? 0)}>
          {words.addHole}
        </button>
      )}
      <span class={count > MAX_CORNERS ? "fault" : ""}>
        {words.countCorners(formats.number(count), formats.number(MAX_CORNERS))}
      </span>
    </div>
  )
}
