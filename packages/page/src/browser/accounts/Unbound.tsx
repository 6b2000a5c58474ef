/** What an administrator sees who is bound to no organization: their id, and whom to send it to. */
import { useOpened } from "../shared/context.ts"
import { Copy } from "../shared/Secret.tsx"
import { Section } from "../shared/Section.tsx"
import { settings } from "../shared/settings.ts"

const Unbound = ({ administratorId }: { readonly administratorId: string }) => {
  const { words } = useOpened()
  return (
    <Section title={words.yourId} level="h1">
      <p>
        <code>{administratorId}</code>
      </p>
      <Copy text={administratorId} />
      <p>{words.unboundHint}</p>
    </Section>
  )
}

/** Says, where a mail address would be invited, that no issuer of the server proves addresses. */
export const Unprovable = () => {
  const { words } = useOpened()
  return settings.provesMail === false ? <p class="fault">{words.unprovable}</p> : null
}

export default Unbound
