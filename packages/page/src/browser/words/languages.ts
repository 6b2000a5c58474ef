/** The languages of the page. A new language is one more module here; all but English are loaded when they are chosen. */
import en, { type Words } from "./en.ts"
import type { OpenedWords } from "./opened/en.ts"

export type { Words } from "./en.ts"

/** All texts: those of what is loaded first, and those of the parts that are loaded when they are opened. */
export type AllWords = Words & OpenedWords

/** The languages, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", it: "Italiano" } as const

export type Language = keyof typeof LANGUAGES

const modules: Readonly<Record<Exclude<Language, "en">, () => Promise<{ readonly default: Words }>>> = {
  de: () => import("./de.ts"),
  it: () => import("./it.ts")
}

const opened: Readonly<Record<Language, () => Promise<{ readonly default: OpenedWords }>>> = {
  en: () => import("./opened/en.ts"),
  de: () => import("./opened/de.ts"),
  it: () => import("./opened/it.ts")
}

/** The texts of what is loaded first in a language; rejects where its module cannot be loaded. */
export const loadWords = async (language: Language): Promise<Words> =>
  language === "en" ? en : (await modules[language]()).default

/** All texts of a language; rejects where one of its modules cannot be loaded. */
export const loadAllWords = async (language: Language): Promise<AllWords> => {
  const [words, { default: openedWords }] = await Promise.all([loadWords(language), opened[language]()])
  return { ...words, ...openedWords }
}

/** The first language of the browser's that the page has, else English. */
export const preferredLanguage = (wanted: ReadonlyArray<string>): Language =>
  (wanted.map((tag) => tag.slice(0, 2)).find((tag) => Object.hasOwn(LANGUAGES, tag)) as Language | undefined) ?? "en"
