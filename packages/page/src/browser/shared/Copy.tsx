/** A button that copies a text, and whether that worked. */
import { useState } from "preact/hooks"
import { useOpened } from "./context.ts"

export const Copy = ({ text }: { readonly text: string }) => {
  const { words } = useOpened()
  const [outcome, setOutcome] = useState("")
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome(words.copied),
      () => setOutcome(words.notCopied)
    )
  return (
    <div class="bar">
      {/* Browsers have no clipboard where the page came without encryption. */}
      {isSecureContext && (
        <button type="button" onClick={() => void copy()}>
          {words.copy}
        </button>
      )}
      <span role="status">{outcome}</span>
    </div>
  )
}
