/** The form that sends its fields and says what came of it. It is of opened parts, as those fields are that they alone have. */
import type { ButtonHTMLAttributes, ComponentChildren, FormHTMLAttributes, TargetedSubmitEvent } from "preact"
import type { Question } from "./context.ts"
import { Field, type FieldProps } from "./fields.tsx"
import { type Action, SubmitBar, useAction } from "./useAction.tsx"

/** The field of an id, which the browser does not fill in. */
export const IdField = (props: FieldProps) => <Field maxLength={256} autocomplete="off" {...props} />

/** The field of a number that is needed. */
export const NumberField = (props: FieldProps) => <Field type="number" required {...props} />

/** The texts of a form's fields by their names. */
export type Fields = Readonly<Record<string, string>>

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
    // The field of the button that was pressed counts after others of its name.
    const fields = Object.fromEntries(new FormData(form, event.submitter)) as Fields
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
