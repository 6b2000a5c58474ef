/** A webhook's secret, which the server tells once, with a button that copies it. */
import { useState } from "preact/hooks"
import { usePage } from "../shared/context.ts"

export const WebhookSecret = ({ url, secret }: { readonly url: string; readonly secret: string }) => {
  const { words } = usePage()
  const [outcome, setOutcome] = useState("")
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setOutcome(words.copied),
      () => setOutcome(words.notCopied)
    )
  return (
    <div role="group" aria-label={words.secretOf(url)}>
      <p>{words.secretOnce(url)}</p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <div class="bar">
        {/* Browsers have no clipboard where the page came without encryption. */}
        {isSecureContext && (
          <button type="button" onClick={() => void copy()}>
            {words.copy}
          </button>
        )}
        <span role="status">{outcome}</span>
      </div>
    </div>
  )
}
