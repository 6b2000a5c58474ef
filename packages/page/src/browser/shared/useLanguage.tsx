/** The language of the page: the one that was chosen, or else that of the browser. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"
import { dictionary, type Language, preferredLanguage } from "./words.ts"

const STORAGE_KEY = "sojourn.language"

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

/** The language, and the element that chooses it. */
export const useLanguage = (): readonly [language: Language, choice: ComponentChildren] => {
  const [language, setLanguage] = useState<Language>(() =>
    preferredLanguage([localStorage.getItem(STORAGE_KEY) ?? "", ...navigator.languages])
  )
  useLayoutEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const choose = (chosen: Language) => {
    localStorage.setItem(STORAGE_KEY, chosen)
    setLanguage(chosen)
  }
  return [language, <LanguageChoice language={language} onChange={choose} />]
}
