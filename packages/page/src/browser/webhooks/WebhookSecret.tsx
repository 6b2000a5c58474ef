/** A webhook's secret, which the server tells once, with a button that copies it. */
import { Copy } from "../shared/Copy.tsx"
import { usePage } from "../shared/context.ts"

export const WebhookSecret = ({ url, secret }: { readonly url: string; readonly secret: string }) => {
  const { words } = usePage()
  return (
    <div role="group" aria-label={words.secretOf(url)}>
      <p>{words.secretOnce(url)}</p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <Copy text={secret} />
    </div>
  )
}
