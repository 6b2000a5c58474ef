/** The root component: session, language, and which of sign-in and organizations is shown. */
import { useEffect, useMemo, useState } from "preact/hooks"
import { Organizations } from "./Organizations.tsx"
import { forgetSession, keepSession, restoreSession, type Session } from "./session.ts"
import { formatsOf, makeApi, SharedContext } from "./shared.ts"
import { SignIn } from "./SignIn.tsx"
import { settings } from "./settings.ts"
import { takeReturn } from "./signIn/return.ts"
import { refusalOf } from "./signIn/refusal.ts"
import { dictionary, type Language, preferredLanguage } from "./words.ts"

const LANGUAGE = "sojourn.language"

const LanguageChoice = ({ language, onChange }: { language: Language; onChange: (language: Language) => void }) => (
  <select
    aria-label={dictionary[language].chooseLanguage}
    value={language}
    onChange={({ currentTarget }) => onChange(currentTarget.value as Language)}
  >
    {Object.entries(dictionary).map(([name, words]) => (
      <option key={name} value={name} lang={name}>
        {words.language}
      </option>
    ))}
  </select>
)

export const App = () => {
  // An issuer's answer is taken out of the address first.
  const [returning, setReturning] = useState(takeReturn)
  const [session, setSession] = useState<Session | undefined>(restoreSession)
  const [fault, setFault] = useState("")
  const [language, setLanguage] = useState<Language>(() =>
    preferredLanguage([localStorage.getItem(LANGUAGE) ?? "", ...navigator.languages])
  )
  const words = dictionary[language]

  const leave = (fault: string) => {
    forgetSession()
    setFault(fault)
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
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  // A link with a token may be opened in a tab that shows the page already.
  useEffect(() => {
    const take = () => {
      if (!/[#&]token=/.test(location.hash)) return
      setFault("")
      setSession(restoreSession())
    }
    addEventListener("hashchange", take)
    return () => removeEventListener("hashchange", take)
  }, [])

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

  const choice = (
    <LanguageChoice
      language={language}
      onChange={(chosen) => {
        localStorage.setItem(LANGUAGE, chosen)
        setLanguage(chosen)
      }}
    />
  )
  return (
    <SharedContext.Provider value={shared}>
      {session === undefined && returning !== undefined ? (
        <p role="status">{words.loading}</p>
      ) : session === undefined ? (
        <SignIn fault={fault} choice={choice} onSignedIn={begin} />
      ) : (
        <Organizations
          key={session.token}
          session={session}
          choice={choice}
          onExpired={() => leave(words.sessionEnded)}
          onSignOut={() => leave("")}
        />
      )}
    </SharedContext.Provider>
  )
}
