import { useState } from "preact/hooks"

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly most: number
  readonly least?: number
  readonly step?: number | "any"
  readonly onChange: (value: number) => void
}

/** A number that changes when its field is left. What is typed stays while the page is drawn anew meanwhile. */
export const NumberField = ({ label, value, most, least = -most, step = "any", onChange }: NumberFieldProps) => {
  const [typed, setTyped] = useState<string>()
  return (
    <label>
      {label}
      <input
        type="number"
        required
        step={step}
        min={least}
        max={most}
        value={typed ?? value}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onChange={({ currentTarget }) => {
          if (!currentTarget.reportValidity()) return
          setTyped(undefined)
          onChange(currentTarget.valueAsNumber)
        }}
      />
    </label>
  )
}
