/** The chosen corner of a drawing in numbers and buttons: everything that a pointer does, without one. */
import { useState } from "preact/hooks"
import type { Position } from "../shared/area.ts"
import { usePage } from "../shared/context.ts"

interface DegreesProps {
  readonly label: string
  readonly value: number | undefined
  readonly most: number
  readonly onChange: (degrees: number) => void
}

/** A number of degrees, which changes when its field is left. What is typed stays while the page is drawn anew meanwhile. */
const Degrees = ({ label, value, most, onChange }: DegreesProps) => {
  const [typed, setTyped] = useState<string>()
  return (
    <label>
      {label}
      <input
        type="number"
        step="any"
        min={-most}
        max={most}
        disabled={value === undefined}
        value={typed ?? value ?? ""}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onChange={({ currentTarget }) => {
          if (!currentTarget.reportValidity()) return
          setTyped(undefined)
          if (currentTarget.value !== "") onChange(currentTarget.valueAsNumber)
        }}
      />
    </label>
  )
}

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
  const { words } = usePage()
  return (
    <fieldset class="corners">
      <legend>
        <span role="status">{title ?? words.noCorner}</span>
      </legend>
      {/* Fields of their own for each corner. */}
      <div key={title} class="bar">
        <Degrees
          label={words.latitude}
          value={position?.[1]}
          most={90}
          onChange={(latitude) => onMove([position![0], latitude])}
        />
        <Degrees
          label={words.longitude}
          value={position?.[0]}
          most={180}
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
