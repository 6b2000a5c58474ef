/** The tools that float over a drawing, and how many corners it has. */
import { useOpened } from "../shared/context.ts"
import { addHole, addPart, countCorners, type Drawn, MAX_CORNERS, redo, undo } from "./drawing.ts"
import type { DrawingProps, DrawingState, Tool } from "./useDrawing.ts"

interface ToolButtonProps {
  readonly label: string
  readonly icon: string
  readonly isPressed?: boolean
  /** Not `disabled`, which would lose the focus at the last step. */
  readonly isDisabled?: boolean
  readonly onClick: () => void
}

const ToolButton = ({ label, icon, isPressed, isDisabled, onClick }: ToolButtonProps) => (
  <button
    type="button"
    title={label}
    aria-label={label}
    aria-pressed={isPressed}
    aria-disabled={isDisabled}
    onClick={onClick}
  >
    {icon}
  </button>
)

interface DrawingToolsProps {
  readonly props: DrawingProps
  readonly drawing: DrawingState
}

/** What a click does, new parts and holes, undo and redo, and the view. */
export const DrawingTools = ({ props: { name, drawn, active }, drawing }: DrawingToolsProps) => {
  const { words } = useOpened()
  const { tool, chooseTool, isSnapping, setSnapping, travel, zoomBy, showAll, begin } = drawing
  const { shape, past, future } = drawn
  const part = active?.[0] ?? 0
  const toggle = (chosen: Tool) => chooseTool(tool === chosen ? "none" : chosen)
  return (
    <div class="tools" role="group" aria-label={words.drawingTools(name)}>
      <ToolButton
        label={words.rectangle}
        icon="▭"
        isPressed={tool === "rectangle"}
        onClick={() => toggle("rectangle")}
      />
      <ToolButton label={words.addCorners} icon="⬠" isPressed={tool === "corners"} onClick={() => toggle("corners")} />
      <ToolButton label={words.addPart} icon="⊞" onClick={() => begin(addPart, shape.length, 0)} />
      {shape.length > 0 && (
        <ToolButton
          label={words.addHole}
          icon="◎"
          onClick={() => begin((shape) => addHole(shape, part), part, shape[part]?.length ?? 0)}
        />
      )}
      <ToolButton label={words.undo} icon="↶" isDisabled={past.length === 0} onClick={() => travel(undo)} />
      <ToolButton label={words.redo} icon="↷" isDisabled={future.length === 0} onClick={() => travel(redo)} />
      <ToolButton label={words.zoomIn} icon="+" onClick={() => zoomBy(2)} />
      <ToolButton label={words.zoomOut} icon="−" onClick={() => zoomBy(0.5)} />
      <ToolButton label={words.showAll} icon="⤢" onClick={showAll} />
      <label class="check">
        <input type="checkbox" checked={isSnapping} onChange={() => setSnapping(!isSnapping)} />
        {words.snapping}
      </label>
    </div>
  )
}

/** How many corners the drawing has, of as many as it may have. */
export const CornerCount = ({ drawn }: { readonly drawn: Drawn }) => {
  const { words, formats } = useOpened()
  const count = countCorners(drawn.shape)
  return (
    <p class={count > MAX_CORNERS ? "fault" : ""}>
      {words.countCorners(formats.number(count), formats.number(MAX_CORNERS))}
    </p>
  )
}
