/** The state of a request that a button sends: every form and panel reports waiting, success and refusal alike. */
import type { ButtonHTMLAttributes } from "preact"
import { useState } from "preact/hooks"
import { sentenceOf } from "../words/sentenceOf.ts"
import { type Question, usePage } from "./context.ts"
import { isRefused } from "./useLoaded.ts"
import { ActionButton } from "./ActionButton.tsx"

/** Something that a button does: whether it is underway, and what came of it, as a sentence. */
export interface Action {
  readonly isWaiting: boolean
  readonly outcome: string
  /** Does it, with a question once that is agreed to. */
  readonly run: (work: () => Promise<string | void>, question?: Question) => void
}

/** How long it takes until buttons are enabled again, in milliseconds. */
const REDRAW_DELAY_MS = 50

/** Permissions are read again when the server says that the administrator's level does not allow it, or not any more. */
export const useAction = (): Action => {
  const { words, ask, reloadPermissions } = usePage()
  const [isWaiting, setIsWaiting] = useState(false)
  const [outcome, setOutcome] = useState("")
  const run = async (work: () => Promise<string | void>, question?: Question) => {
    const focused = document.activeElement
    if (question !== undefined && !(await ask(question))) return
    setIsWaiting(true)
    setOutcome("")
    try {
      setOutcome((await work()) ?? "")
    } catch (failure) {
      setOutcome(sentenceOf(words, failure))
      if (isRefused(failure, 403)) reloadPermissions?.()
    } finally {
      setIsWaiting(false)
      // A button loses the focus while it is disabled, and takes it back unless the administrator has moved on.
      setTimeout(() => {
        if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus()
      }, REDRAW_DELAY_MS)
    }
  }
  return { isWaiting, outcome, run: (work, question) => void run(work, question) }
}

interface SubmitBarProps extends ButtonHTMLAttributes, Pick<Action, "outcome"> {
  readonly label: string
}

/** The end of a form: the button that sends it, further buttons, and what came of it. */
export const SubmitBar = ({ label, outcome, children, ...attributes }: SubmitBarProps) => (
  <div class="bar">
    <ActionButton action={label} type="submit" {...attributes} />
    {children}
    <span role="status">{outcome}</span>
  </div>
)
