/** The parts of forms: fields with their labels, and the form that sends them and says what came of it. */
import type {
  ButtonHTMLAttributes,
  ComponentChildren,
  FormHTMLAttributes,
  LooseInputHTMLAttributes,
  LooseSelectHTMLAttributes,
  TargetedSubmitEvent
} from "preact"
import { usePage } from "./context.ts"
import { type Action, SubmitBar, useAction } from "./useAction.tsx"
import type { Question } from "./useQuestion.tsx"

interface FieldProps extends LooseInputHTMLAttributes {
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

/** The field of an id, which the browser does not fill in. */
export const IdField = (props: FieldProps) => <Field maxLength={256} autocomplete="off" {...props} />

/** The field of a number that is needed. */
export const NumberField = (props: FieldProps) => <Field type="number" required {...props} />

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

/** The texts of a form's fields by their names. */
type Fields = Readonly<Record<string, string>>

/** The fields that are filled. */
export const filledOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ""))

interface FormProps extends Omit<FormHTMLAttributes, "label" | "action"> {
  /** The label of the button that sends it. */
  readonly label: string
  readonly button?: ButtonHTMLAttributes
  /** Further buttons. */
  readonly more?: ComponentChildren
  /** Sends the fields; answers what came of it as a sentence. */
  readonly send: (fields: Fields, form: HTMLFormElement) => Promise<string | void>
  /** What is asked before. */
  readonly question?: (fields: Fields) => Question
  /** That of the component around it, where other buttons belong to it or the form is made anew for other data. */
  readonly action?: Action
}

export const Form = ({ label, button, more, send, question, action, children, ...attributes }: FormProps) => {
  const own = useAction()
  const { isWaiting, outcome, run } = action ?? own
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = Object.fromEntries(new FormData(form)) as Fields
    run(() => send(fields, form), question?.(fields))
  }
  return (
    <form {...attributes} onSubmit={submit}>
      {children}
      <SubmitBar label={label} outcome={outcome} {...button} disabled={isWaiting || button?.disabled === true}>
        {more}
      </SubmitBar>
    </form>
  )
}
