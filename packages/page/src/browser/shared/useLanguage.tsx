/** The language of the page: the one that was chosen, or else that of the browser. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { type Language, LANGUAGES, loadAllWords, loadWords, preferredLanguage, type Words } from "../words/languages.ts"

const STORAGE_KEY = "sojourn.language"

interface Wanted {
  readonly language: Language
  /** Whether the words have those of the parts that are loaded when they are opened, too. */
  readonly isOpened: boolean
}

export interface Spoken extends Wanted {
  readonly words: Words
}

/** Loads a language; English where its modules cannot be loaded. */
const speak = async ({ language, isOpened }: Wanted): Promise<Spoken> => {
  try {
    return { language, words: await (isOpened ? loadAllWords : loadWords)(language), isOpened }
  } catch (failure) {
    if (language === "en") throw failure
    return speak({ language: "en", isOpened })
  }
}

/** Loads the language that the page begins with. */
export const loadLanguage = (): Promise<Spoken> =>
  speak({
    language: preferredLanguage([localStorage.getItem(STORAGE_KEY) ?? "", ...navigator.languages]),
    isOpened: false
  })

/** The language, the element that chooses another one, and what loads the words of opened parts. */
export const useLanguage = (first: Spoken) => {
  const [spoken, setSpoken] = useState(first)
  const { language, words } = spoken
  useLayoutEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = words.direction
  }, [spoken])
  // A language may be chosen while words are loaded: what was wanted last counts.
  const wanted = useRef<Wanted>(first)
  const changing = useRef(Promise.resolve())
  const change = (to: Partial<Wanted>): Promise<void> => {
    const before = wanted.current
    const asked = (wanted.current = { ...before, ...to })
    changing.current = speak(asked).then(
      (spoken) => (wanted.current === asked ? setSpoken(spoken) : changing.current),
      (failure: unknown) => {
        if (wanted.current === asked) wanted.current = before
        throw failure
      }
    )
    return changing.current
  }
  const choose = (language: Language) => {
    localStorage.setItem(STORAGE_KEY, language)
    void change({ language })
  }
  const openWords = () => (wanted.current.isOpened ? changing.current : change({ isOpened: true }))
  const choice = (
    <select
      aria-label={words.chooseLanguage}
      value={language}
      onChange={({ currentTarget }) => choose(currentTarget.value as Language)}
    >
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  )
  return [spoken, choice, openWords] as const
}
