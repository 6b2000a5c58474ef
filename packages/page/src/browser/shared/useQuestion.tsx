/** Questions that are to be answered before something is done. */
import type { ComponentChildren } from "preact"
import { useCallback, useState } from "preact/hooks"
import type { Words } from "../words/languages.ts"
import { Dialog } from "./Dialog.tsx"

export interface Question {
  readonly text: string
  /** The label of the button that agrees. */
  readonly action: string
  readonly isDestructive?: boolean
}

/** Asks, and resolves to whether the administrator agreed. */
export type Ask = (question: Question) => Promise<boolean>

interface Asked extends Question {
  readonly resolve: (isAgreed: boolean) => void
}

/** The function that asks, and the dialog of the question that is open. */
export const useQuestion = (words: Words): readonly [ask: Ask, dialog: ComponentChildren] => {
  const [asked, setAsked] = useState<Asked>()
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
  if (asked === undefined) return [ask, undefined]
  const { text, action, isDestructive = false, resolve } = asked
  const answer = (isAgreed: boolean) => {
    setAsked(undefined)
    resolve(isAgreed)
  }
  return [
    ask,
    <Dialog key={text} title={text} onCancel={() => answer(false)}>
      <div class="bar">
        <button type="button" class={isDestructive ? "destructive" : "primary"} onClick={() => answer(true)}>
          {action}
        </button>
        <button type="button" autofocus onClick={() => answer(false)}>
          {words.cancel}
        </button>
      </div>
    </Dialog>
  ]
}
