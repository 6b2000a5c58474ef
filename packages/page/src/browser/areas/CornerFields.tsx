/** The chosen corner of a drawing in numbers and buttons: everything that a pointer does, without one. */
import type { Position } from "../shared/area.ts"
import { useOpened } from "../shared/context.ts"
import { NumberField } from "./NumberField.tsx"

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

export const CornerFields = ({ title, position, onMove, onSnap, onStep, onInsert, onRemove }: CornerFieldsProps) => {
  const { words } = useOpened()
  return (
    <fieldset class="corners">
      <legend>
        <span role="status">{title ?? words.noCorner}</span>
      </legend>
      {/* Fields of their own for each corner. */}
      <div key={title} class="bar">
        <NumberField
          label={words.latitude}
          value={position?.[1]}
          most={90}
          mayBeEmpty
          onChange={(latitude) => onMove([position![0], latitude])}
        />
        <NumberField
          label={words.longitude}
          value={position?.[0]}
          most={180}
          mayBeEmpty
          onChange={(longitude) => onMove([longitude, position![1]])}
        />
      </div>
      <div class="bar">
        <button type="button" onClick={() => onStep(-1)}>
          {words.previousCorner}
        </button>
        <button type="button" onClick={() => onStep(1)}>
          {words.nextCorner}
        </button>
        <button type="button" onClick={onInsert}>
          {words.insertCorner}
        </button>
        {position !== undefined && (
          <>
            <button type="button" onClick={() => onSnap(position)}>
              {words.snapCorner}
            </button>
            <button type="button" onClick={onRemove}>
              {words.removeCorner}
            </button>
          </>
        )}
      </div>
    </fieldset>
  )
}
