/** The root component: session, language, and which of sign-in and organizations is shown. */
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks"
import { Lazy } from "./shared/Lazy.tsx"
import { Organizations } from "./Organizations.tsx"
import { followLink, forgetSession, keepSession, keptSession, type Session, takeLink } from "./shared/session.ts"
import { formatsOf } from "./shared/formats.ts"
import { makeApi } from "./shared/api.ts"
import { PageContext } from "./shared/context.ts"
import { SignIn } from "./signIn/SignIn.tsx"
import { settings } from "./shared/settings.ts"
import { takeReturn } from "./signIn/return.ts"
import { refusalOf } from "./signIn/refusal.ts"
import { useLanguage } from "./shared/useLanguage.tsx"
import { dictionary } from "./shared/words.ts"

export const App = () => {
  // An issuer's answer is taken out of the address first.
  const [returning, setReturning] = useState(takeReturn)
  const [start] = useState(() => followLink(takeLink(), keptSession()))
  const [session, setSession] = useState(start.session)
  const [offered, setOffered] = useState(start.offered)
  const [language, choice] = useLanguage()
  const words = dictionary[language]
  const [fault, setFault] = useState(start.isWrong === true ? words.tokenWrong : "")

  const leave = (fault: string) => {
    forgetSession()
    setFault(fault)
    setOffered(undefined)
    setSession(undefined)
  }
  const begin = (session: Session, keep: boolean) => {
    if (keep) keepSession(session)
    setFault("")
    setSession(session)
  }
  const shared = useMemo(
    () => ({
      words,
      formats: formatsOf(language),
      api: makeApi(session?.token ?? "", () => leave(words.sessionEnded))
    }),
    [language, session]
  )
  // A link with a token may be opened in a tab that shows the page already, right after its session has ended.
  useLayoutEffect(() => {
    const take = () => {
      const text = takeLink()
      if (text === undefined) return
      const followed = followLink(text, session)
      setFault(followed.isWrong === true ? words.tokenWrong : "")
      setSession(followed.session)
      setOffered(followed.offered)
    }
    addEventListener("hashchange", take)
    return () => removeEventListener("hashchange", take)
  }, [session, words])

  useEffect(() => {
    if (returning === undefined) return
    import("./signIn/openId.ts")
      .then(async ({ arrive }) => {
        const session = await arrive(settings.issuers ?? [], returning)
        if (session === undefined) setFault(words.issuerToken)
        else begin(session, returning.departure.keep)
      })
      .catch((failure: unknown) => setFault(refusalOf(words, failure)))
      .finally(() => setReturning(undefined))
  }, [])

  return (
    <PageContext.Provider value={shared}>
      {session === undefined && returning !== undefined ? (
        <p role="status">{words.loading}</p>
      ) : session === undefined ? (
        <SignIn key={fault} fault={fault} choice={choice} onSignedIn={begin} />
      ) : (
        <Organizations
          key={session.token}
          session={session}
          choice={choice}
          onExpired={() => leave(words.sessionEnded)}
          onSignOut={() => leave("")}
        />
      )}
      {session !== undefined && offered !== undefined && (
        <Lazy
          key={offered.token}
          load={() => import("./signIn/Replacing.tsx")}
          props={{
            current: session,
            offered,
            onKeep: () => setOffered(undefined),
            onReplace: () => {
              leave("")
              begin(offered, false)
            }
          }}
        />
      )}
    </PageContext.Provider>
  )
}
