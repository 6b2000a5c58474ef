/** The language of the page: the one that was chosen, or else that of the browser. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"
import en from "../words/en.ts"
import { type Language, LANGUAGES, loadWords, preferredLanguage, type Words } from "../words/languages.ts"

const STORAGE_KEY = "sojourn.language"

export interface Spoken {
  readonly language: Language
  readonly words: Words
}

/** Loads a language; English where its module cannot be loaded. */
const speak = async (language: Language): Promise<Spoken> => {
  try {
    return { language, words: await loadWords(language) }
  } catch {
    return { language: "en", words: en }
  }
}

/** Loads the language that the page begins with. */
export const loadLanguage = (): Promise<Spoken> =>
  speak(preferredLanguage([localStorage.getItem(STORAGE_KEY) ?? "", ...navigator.languages]))

/** The language, and the element that chooses another one. */
export const useLanguage = (first: Spoken): readonly [spoken: Spoken, choice: ComponentChildren] => {
  const [spoken, setSpoken] = useState(first)
  const { language, words } = spoken
  useLayoutEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = words.direction
  }, [spoken])
  const choose = async (chosen: Language) => {
    localStorage.setItem(STORAGE_KEY, chosen)
    setSpoken(await speak(chosen))
  }
  const choice = (
    <select
      aria-label={words.chooseLanguage}
      value={language}
      onChange={({ currentTarget }) => void choose(currentTarget.value as Language)}
    >
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  )
  return [spoken, choice]
}
