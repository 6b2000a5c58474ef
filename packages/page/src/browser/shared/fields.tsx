/** Fields with their labels. */
import type { ComponentChildren, LooseInputHTMLAttributes, LooseSelectHTMLAttributes } from "preact"
import { usePage } from "./context.ts"

export interface FieldProps extends LooseInputHTMLAttributes {
  readonly label: ComponentChildren
  /** The id of the list of its proposals. */
  readonly list?: string
}

/** A field below its label, and what is said of it below that. */
export const Field = ({ label, children, ...attributes }: FieldProps) => (
  <label>
    {label}
    <input {...(attributes as object)} />
    {children}
  </label>
)

/** A box to be checked, before its label. */
export const Check = ({ children, ...attributes }: LooseInputHTMLAttributes) => (
  <label class="check">
    <input type="checkbox" {...(attributes as object)} />
    {children}
  </label>
)

interface SearchProps {
  readonly label?: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** What is searched for in a list. */
export const Search = ({ label, value, onSearch }: SearchProps) => {
  const { words } = usePage()
  return (
    <label>
      <span class="unseen">{label ?? words.search}</span>
      <input
        type="search"
        placeholder={words.search}
        value={value}
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
    </label>
  )
}

interface ChoiceProps<Value extends string> extends Omit<LooseSelectHTMLAttributes, "role" | "size" | "value"> {
  readonly label: string
  readonly isLabelUnseen?: boolean
  readonly texts: Readonly<Record<Value, string>>
  /** Those of the texts that can be chosen, in their order; all by default. */
  readonly values?: ReadonlyArray<Value>
  readonly value?: Value
  readonly onValue?: (value: Value) => void
}

/** The choice of one of several values by their texts. */
export const Choice = <Value extends string>(props: ChoiceProps<Value>) => {
  const { label, isLabelUnseen = false, texts, values = Object.keys(texts), onValue, children, ...attributes } = props
  return (
    <label>
      <span class={isLabelUnseen ? "unseen" : ""}>{label}</span>
      <select {...attributes} onChange={({ currentTarget }) => onValue?.(currentTarget.value as Value)}>
        {(values as ReadonlyArray<Value>).map((value) => (
          <option key={value} value={value}>
            {texts[value]}
          </option>
        ))}
      </select>
      {children}
    </label>
  )
}
