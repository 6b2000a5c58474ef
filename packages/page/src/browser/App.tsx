/** The root component: session, language, and which of sign-in and organizations is shown. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { partOf } from "./partOf.ts"
import { Lazy } from "./shared/Lazy.tsx"
import { boardHrefOf, useRoute } from "./shared/route.ts"
import { NotLoaded } from "./shared/NotLoaded.tsx"
import { Organizations } from "./Organizations.tsx"
import {
  clientOf,
  followLink,
  forgetSession,
  keepsLinks,
  savedDisplay,
  saveSession,
  savedSession,
  type Session,
  takeLink
} from "./shared/session.ts"
import { formatsOf } from "./shared/formats.ts"
import { PageContext } from "./shared/context.ts"
import { Expired } from "./signIn/Expired.tsx"
import { refusalOf, SignIn } from "./signIn/SignIn.tsx"
import { settings } from "./shared/settings.ts"
import { takeRedirect } from "./signIn/redirect.ts"
import { type Spoken, useLanguage } from "./shared/useLanguage.tsx"
import { useQuestion } from "./shared/useQuestion.tsx"

const loadBoard = () => import("./board/Board.tsx")

interface AppProps {
  readonly language: Spoken
}

export const App = ({ language: first }: AppProps) => {
  // An issuer's answer is taken out of the address first.
  const [redirect, setRedirect] = useState(takeRedirect)
  const [start] = useState(() => followLink(takeLink(), savedSession()))
  const [session, setSession] = useState(start.session)
  const [offered, setOffered] = useState(start.offered)
  const route = useRoute()
  const [linked, setLinked] = useState(start.display)
  // The token of a display shows its board alone, and no board of an administrator who is signed in, except in the tab of its link.
  const address = route.board && boardHrefOf(route.board)
  const display = useMemo(
    () =>
      route.board === undefined || (linked === undefined && session !== undefined)
        ? undefined
        : savedDisplay(route.board),
    [address, linked, session]
  )
  const [{ language, words }, choice, openWords] = useLanguage(first)
  const [ask, question] = useQuestion(words)
  const [fault, setFault] = useState(start.isWrong === true ? words.tokenWrong : "")

  /** Whether the session is to be renewed over what is open. */
  const [isExpired, setExpired] = useState(false)
  /** How many sessions ended: what is open belongs to one, however often it is renewed. */
  const [ended, setEnded] = useState(0)

  const endSession = (fault: string) => {
    forgetSession()
    setExpired(false)
    setEnded((ended) => ended + 1)
    setFault(fault)
    setOffered(undefined)
    setSession(undefined)
  }
  const beginSession = (session: Session, keep: boolean) => {
    if (keep) saveSession(session)
    setFault("")
    setExpired(false)
    setSession(session)
  }
  const latest = useRef({ words, session })
  latest.current = { words, session }
  const api = useMemo(
    () =>
      clientOf(session?.token, (wasAccepted) => {
        // Answers may come after the session was renewed.
        if (latest.current.session !== session) return
        if (!wasAccepted) return endSession(latest.current.words.sessionEnded)
        forgetSession()
        setExpired(true)
      }),
    [session]
  )
  const shared = useMemo(() => ({ words, ask, formats: formatsOf(language), api, openWords }), [words, api])
  // A link with a token may be opened in a tab that shows the page already, right after its session has ended.
  useLayoutEffect(() => {
    const take = () => {
      const text = takeLink()
      if (text === undefined) return
      const followed = followLink(text, session)
      setFault(followed.isWrong === true ? words.tokenWrong : "")
      setSession(followed.session)
      setOffered(followed.offered)
      if (followed.display !== undefined) setLinked(followed.display)
    }
    addEventListener("hashchange", take)
    return () => removeEventListener("hashchange", take)
  }, [session, words])

  useEffect(() => {
    if (redirect === undefined) return
    import("./signIn/openId.ts")
      .then(async ({ completeSignIn, handOver }) => {
        const session = await completeSignIn(settings.issuers ?? [], redirect)
        if (session === undefined) setFault(words.issuerToken)
        else if (redirect.pending.isAwaited) handOver(session, redirect.pending)
        else beginSession(session, redirect.pending.keep)
      })
      .catch((failure: unknown) => setFault(refusalOf(words, failure)))
      .finally(() => setRedirect(undefined))
  }, [])

  return (
    <PageContext.Provider value={shared}>
      {route.board !== undefined && (display ?? session) !== undefined ? (
        <Lazy key={`${address} ${display}`} load={loadBoard} props={{ board: route.board, display }} />
      ) : session === undefined && redirect !== undefined ? (
        <NotLoaded failure={undefined} />
      ) : session === undefined ? (
        <SignIn key={fault} fault={fault} choice={choice} onSignedIn={beginSession} />
      ) : (
        <Organizations key={ended} route={route} session={session} choice={choice} onSignOut={() => endSession("")} />
      )}
      {question}
      {isExpired && (
        <Expired onRenewed={beginSession} onSignOut={() => endSession("")} onClose={() => setExpired(false)} />
      )}
      {session !== undefined && offered !== undefined && (
        <Lazy
          key={offered.token}
          load={partOf("Replacing")}
          props={{
            current: session,
            offered,
            onKeep: () => setOffered(undefined),
            onReplace: () => {
              endSession("")
              beginSession(offered, keepsLinks)
            }
          }}
        />
      )}
    </PageContext.Provider>
  )
}
