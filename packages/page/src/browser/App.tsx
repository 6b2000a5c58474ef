/** The root component: session, language, and which of sign-in and organizations is shown. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { Lazy, Part } from "./shared/Lazy.tsx"
import { boardHrefOf, useRoute } from "./shared/route.ts"
import { NotLoaded } from "./shared/NotLoaded.tsx"
import { Organizations } from "./Organizations.tsx"
import {
  clientOf,
  type Followed,
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

interface State extends Followed {
  /** Why the administrator is to sign in. */
  readonly fault?: string
  /** Whether the session is to be renewed over what is open. */
  readonly isExpired?: boolean
}

export const App = ({ language: first }: { readonly language: Spoken }) => {
  // An issuer's answer is taken out of the address first.
  const [redirect, setRedirect] = useState(takeRedirect)
  const [state, setState] = useState<State>(() => followLink(takeLink(), savedSession()))
  const { session, offered, display: linked, isExpired } = state
  const update = (change: State) => setState((before) => ({ ...before, ...change }))
  /** How many sessions ended: what is open belongs to one, however often it is renewed. */
  const ended = useRef(0)
  const route = useRoute()
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
  const fault = state.isWrong === true ? words.tokenWrong : (state.fault ?? "")

  const endSession = (fault = "") => {
    forgetSession()
    ended.current++
    setState({ display: linked, fault })
  }
  const beginSession = (session: Session, keep: boolean) => {
    if (keep) saveSession(session)
    update({ session, isWrong: false, fault: "", isExpired: false })
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
        update({ isExpired: true })
      }),
    [session]
  )
  const shared = useMemo(() => ({ words, ask, formats: formatsOf(language), api, openWords }), [words, api])
  // A link with a token may be opened in a tab that shows the page already, right after its session has ended.
  useLayoutEffect(() => {
    const take = () => {
      const text = takeLink()
      if (text !== undefined) update({ isWrong: false, fault: "", ...followLink(text, session) })
    }
    addEventListener("hashchange", take)
    return () => removeEventListener("hashchange", take)
  }, [session])

  useEffect(() => {
    if (redirect === undefined) return
    import("./signIn/openId.ts")
      .then(async ({ completeSignIn, handOver }) => {
        const session = await completeSignIn(settings.issuers ?? [], redirect)
        if (session === undefined) update({ fault: words.issuerToken })
        else if (redirect.pending.isAwaited) handOver(session, redirect.pending)
        else beginSession(session, redirect.pending.keep)
      })
      .catch((failure: unknown) => update({ fault: refusalOf(words, failure) }))
      .finally(() => setRedirect(undefined))
  }, [])

  return (
    <PageContext.Provider value={shared}>
      {route.board !== undefined && (display ?? session) !== undefined ? (
        <Lazy key={`${address} ${display}`} load={loadBoard} props={{ board: route.board, display }} />
      ) : session === undefined && redirect !== undefined ? (
        <NotLoaded />
      ) : session === undefined ? (
        <SignIn key={fault} fault={fault} choice={choice} onSignedIn={beginSession} />
      ) : (
        <Organizations
          key={ended.current}
          route={route}
          session={session}
          choice={choice}
          onSignOut={() => endSession()}
        />
      )}
      {question}
      {isExpired === true && (
        <Expired onRenewed={beginSession} onSignOut={() => endSession()} onClose={() => update({ isExpired: false })} />
      )}
      {session !== undefined && offered !== undefined && (
        <Part
          key={offered.token}
          name="Replacing"
          props={{
            current: session,
            offered,
            onKeep: () => update({ offered: undefined }),
            onReplace: () => {
              endSession()
              beginSession(offered, keepsLinks)
            }
          }}
        />
      )}
    </PageContext.Provider>
  )
}
