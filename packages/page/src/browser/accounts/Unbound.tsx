/** What an administrator sees who is bound to no organization: their id, and whom to send it to. */
import { useOpened } from "../shared/context.ts"
import { Copy } from "../shared/Copy.tsx"

const Unbound = ({ administratorId }: { readonly administratorId: string }) => {
  const { words } = useOpened()
  return (
    <section aria-labelledby="your-id">
      <h1 id="your-id">{words.yourId}</h1>
      <p>
        <code>{administratorId}</code>
      </p>
      <Copy text={administratorId} />
      <p>{words.unboundHint}</p>
    </section>
  )
}

export default Unbound
