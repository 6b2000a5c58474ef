import { useState } from "preact/hooks"

interface NumberFieldProps {
  readonly label: string
  /** Undefined: the field is disabled. */
  readonly value: number | undefined
  readonly most: number
  readonly least?: number
  readonly step?: number | "any"
  /** Whether the field that is left empty keeps its number without a complaint. */
  readonly mayBeEmpty?: boolean
  readonly onChange: (value: number) => void
}

/** A number that changes when its field is left. What is typed stays while the page is drawn anew meanwhile. */
export const NumberField = (props: NumberFieldProps) => {
  const { label, value, most, least = -most, step = "any", mayBeEmpty = false, onChange } = props
  const [typed, setTyped] = useState<string>()
  return (
    <label>
      {label}
      <input
        type="number"
        required={!mayBeEmpty}
        step={step}
        min={least}
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
