/** The language of the page: the one that was chosen, or else that of the browser. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"
import { type Language, LANGUAGES, loadAllWords, loadWords, preferredLanguage, type Words } from "../words/languages.ts"

const STORAGE_KEY = "sojourn.language"

export interface Spoken {
  readonly language: Language
  readonly words: Words
  /** Whether the words have those of the parts that are loaded when they are opened, too. */
  readonly isOpened: boolean
}

/** Loads a language; English where its modules cannot be loaded. */
const speak = async (language: Language, isOpened = false): Promise<Spoken> => {
  try {
    return { language, words: await (isOpened ? loadAllWords : loadWords)(language), isOpened }
  } catch (failure) {
    if (language === "en") throw failure
    return speak("en", isOpened)
  }
}

/** Loads the language that the page begins with. */
export const loadLanguage = (): Promise<Spoken> =>
  speak(preferredLanguage([localStorage.getItem(STORAGE_KEY) ?? "", ...navigator.languages]))

/** The language, the element that chooses another one, and what loads the words of opened parts. */
export const useLanguage = (
  first: Spoken
): readonly [spoken: Spoken, choice: ComponentChildren, openWords: () => Promise<void>] => {
  const [spoken, setSpoken] = useState(first)
  const { language, words, isOpened } = spoken
  useLayoutEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = words.direction
  }, [spoken])
  const choose = async (chosen: Language) => {
    localStorage.setItem(STORAGE_KEY, chosen)
    setSpoken(await speak(chosen, isOpened))
  }
  const openWords = async () => {
    if (!isOpened) setSpoken(await speak(language, true))
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
  return [spoken, choice, openWords]
}
