/** Questions that are to be answered before something is done. */
import { useCallback, useState } from "preact/hooks"
import type { Words } from "../words/languages.ts"
import type { Ask, Question } from "./context.ts"
import { Dialog } from "./Dialog.tsx"
import { ActionButton } from "./ActionButton.tsx"

/** The function that asks, and the dialog of the question that is open. */
export const useQuestion = (words: Words) => {
  const [asked, setAsked] = useState<Question & { readonly resolve: (isAgreed: boolean) => void }>()
  const ask = useCallback<Ask>(
    (question) =>
      new Promise((resolve) => {
        // A question that another one replaces is declined.
        setAsked((before) => {
          before?.resolve(false)
          return { ...question, resolve }
        })
      }),
    []
  )
  const answer = (isAgreed: boolean) => {
    setAsked(undefined)
    asked!.resolve(isAgreed)
  }
  const dialog = asked !== undefined && (
    <Dialog key={asked.text} title={asked.text} onCancel={() => answer(false)}>
      <div class="bar">
        <ActionButton
          action={asked.action}
          class={asked.isDestructive === true ? "destructive" : "primary"}
          onClick={() => answer(true)}
        />
        <ActionButton action={words.cancel} autofocus onClick={() => answer(false)} />
      </div>
    </Dialog>
  )
  return [ask, dialog] as const
}
