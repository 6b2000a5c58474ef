/** Fields of the forms that edit areas. */
import { useState } from "preact/hooks"
import { Field } from "../shared/fields.tsx"

/** The `ref` of what takes the focus when it is first shown. */
export const takeFocus = (element: HTMLElement | null) => element?.focus()

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
    <Field
      label={label}
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
  )
}

interface FileFieldProps {
  readonly label: string
  readonly accept: string
  /** The id of what describes it. */
  readonly hint?: string
  readonly onFile: (file: File) => void
}

export const FileField = ({ label, accept, hint, onFile }: FileFieldProps) => (
  <Field
    label={label}
    type="file"
    accept={accept}
    aria-describedby={hint}
    // The same file, once it is mended, is read again.
    onClick={({ currentTarget }) => (currentTarget.value = "")}
    onChange={({ currentTarget: { files } }) => files?.[0] && onFile(files[0])}
  />
)

export const GEO_JSON_TYPES = ".geojson,.json,application/geo+json,application/json"
