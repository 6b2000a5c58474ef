import { useEffect, useMemo, useState } from "preact/hooks"
import { Organizations } from "./Organizations.tsx"
import { forgetSession, keepSession, restoreSession, type Session } from "./session.ts"
import { formatsOf, makeApi, SharedContext } from "./shared.ts"
import { SignIn } from "./SignIn.tsx"
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

/** The page: signing in, and then the administrator's organizations. */
export const App = () => {
  const [session, setSession] = useState<Session | undefined>(restoreSession)
  const [hasEnded, setHasEnded] = useState(false)
  const [language, setLanguage] = useState<Language>(() =>
    preferredLanguage([localStorage.getItem(LANGUAGE) ?? "", ...navigator.languages])
  )
  const words = dictionary[language]

  const leave = (hasEnded: boolean) => {
    forgetSession()
    setHasEnded(hasEnded)
    setSession(undefined)
  }
  const shared = useMemo(
    () => ({ words, formats: formatsOf(language), api: makeApi(session?.token ?? "", () => leave(true)) }),
    [language, session]
  )
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  // A link with a token may be opened in a tab that shows the page already.
  useEffect(() => {
    const take = () => {
      if (!/[#&]token=/.test(location.hash)) return
      setHasEnded(false)
      setSession(restoreSession())
    }
    addEventListener("hashchange", take)
    return () => removeEventListener("hashchange", take)
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
      {session === undefined ? (
        <SignIn
          hasEnded={hasEnded}
          choice={choice}
          onSignedIn={(session, keep) => {
            if (keep) keepSession(session)
            setHasEnded(false)
            setSession(session)
          }}
        />
      ) : (
        <Organizations
          key={session.token}
          session={session}
          choice={choice}
          onExpired={() => leave(true)}
          onSignOut={() => leave(false)}
        />
      )}
    </SharedContext.Provider>
  )
}
