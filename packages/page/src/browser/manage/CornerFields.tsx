import type { Position } from "../area.ts"
import { useShared } from "../shared.ts"

interface CornerFieldsProps {
  /** Which corner it is; undefined where none is chosen. */
  readonly title: string | undefined
  readonly position: Position | undefined
  readonly onMove: (position: Position) => void
  readonly onSnap: (position: Position) => void
  readonly onStep: (by: 1 | -1) => void
  readonly onInsert: () => void
  readonly onRemove: () => void
}

/** The chosen corner in numbers: everything that pointers do, without one. */
export const CornerFields = ({ title, position, onMove, onSnap, onStep, onInsert, onRemove }: CornerFieldsProps) => {
  const { words } = useShared()
  const field = (label: string, index: 0 | 1, most: number) => (
    <label>
      {label}
      <input
        type="number"
        step="any"
        min={-most}
        max={most}
        disabled={position === undefined}
        value={position?.[index] ?? ""}
        onChange={({ currentTarget }) => {
          if (position === undefined || currentTarget.value === "" || !currentTarget.reportValidity()) return
          const degrees = currentTarget.valueAsNumber
          onMove(index === 0 ? [degrees, position[1]] : [position[0], degrees])
        }}
      />
    </label>
  )
  return (
    <fieldset class="corners">
      <legend>
        <span role="status">{title ?? words.noCorner}</span>
      </legend>
      <div class="bar">
        {field(words.latitude, 1, 90)}
        {field(words.longitude, 0, 180)}
      </div>
      <div class="bar">
        <button type="button" class="plain" onClick={() => onStep(-1)}>
          {words.previousCorner}
        </button>
        <button type="button" class="plain" onClick={() => onStep(1)}>
          {words.nextCorner}
        </button>
        <button type="button" class="plain" onClick={onInsert}>
          {words.insertCorner}
        </button>
        {position !== undefined && (
          <>
            <button type="button" class="plain" onClick={() => onSnap(position)}>
              {words.snapCorner}
            </button>
            <button type="button" class="plain" onClick={onRemove}>
              {words.removeCorner}
            </button>
          </>
        )}
      </div>
    </fieldset>
  )
}
