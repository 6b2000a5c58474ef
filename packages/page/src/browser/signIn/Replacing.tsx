/** The question whether the token of a link shall replace the session: a link may come from anyone. */
import { useEffect, useRef, useState } from "preact/hooks"
import { claimsOf, clientOf, type Session } from "../shared/session.ts"
import { sentenceOf } from "../words/sentenceOf.ts"
import { Dialog } from "../shared/Dialog.tsx"
import { Fault } from "../shared/NotLoaded.tsx"
import { isRefused } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { ActionButton } from "../shared/ActionButton.tsx"

/** The longest claim that is shown, in characters. */
const MAX_CLAIM_LENGTH = 200

const Whose = ({ title, session }: { title: string; session: Session }) => {
  const { words } = useOpened()
  const claims = claimsOf(session.token) ?? {}
  const shown = Object.entries(words.claims).filter(([claim]) => typeof claims[claim] === "string")
  return (
    <>
      <h3>{title}</h3>
      <dl>
        {shown.map(([claim, label]) => (
          <div key={claim}>
            <dt>{label}</dt>
            <dd>
              <bdi>{String(claims[claim]).slice(0, MAX_CLAIM_LENGTH)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

interface ReplacingProps {
  readonly current: Session
  readonly offered: Session
  readonly onKeep: () => void
  readonly onReplace: () => void
}

const Replacing = ({ current, offered, onKeep, onReplace }: ReplacingProps) => {
  const { words } = useOpened()
  const safe = useRef<HTMLButtonElement>(null)
  const abort = useRef(new AbortController()).current
  /** Undefined while the server is asked. */
  const [fault, setFault] = useState<string | undefined>("")
  // The button that changes nothing has the focus, also after a refusal.
  useEffect(() => {
    if (fault !== undefined) safe.current!.focus()
  }, [fault])
  useEffect(() => () => abort.abort(), [])

  /** The session is replaced once the server has accepted the token, so that a wrong one ends nothing. */
  const replace = async () => {
    setFault(undefined)
    try {
      await clientOf(offered.token).authentication.administrator({}, { signal: abort.signal })
      onReplace()
    } catch (failure) {
      setFault(isRefused(failure, 401, 403) ? words.linkRefused : sentenceOf(words, failure))
    }
  }
  return (
    <Dialog title={words.linkTitle} onCancel={onKeep}>
      <p>{words.linkHint}</p>
      <Whose title={words.signedInNow} session={current} />
      <Whose title={words.tokenOfLink} session={offered} />
      <Fault>{fault}</Fault>
      <div class="bar">
        <button type="button" class="primary" ref={safe} onClick={onKeep}>
          {words.keepCurrent}
        </button>
        <ActionButton action={words.replaceCurrent} disabled={fault === undefined} onClick={() => void replace()} />
      </div>
    </Dialog>
  )
}

export default Replacing
