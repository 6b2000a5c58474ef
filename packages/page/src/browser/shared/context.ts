/** The context of every component: the language's words and formats, and requests with the session's token. */
import type { SojournClient } from "@sojourn/client"
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Formats } from "./formats.ts"
import type { AllWords, Words } from "../words/languages.ts"

export interface Question {
  readonly text: string
  /** The label of the button that agrees. */
  readonly action: string
  readonly isDestructive?: boolean
}

/** Asks, and resolves to whether the administrator agreed. */
export type Ask = (question: Question) => Promise<boolean>

export interface PageContent {
  readonly words: Words
  readonly ask: Ask
  readonly formats: Formats
  readonly api: SojournClient
  /** Loads the words of opened parts, once. */
  readonly openWords: () => Promise<void>
  /** Of a session: reads the administrator's permissions again, after a change of the own one, or after the server refused what they would have allowed. */
  readonly reloadPermissions?: () => void
}

/** The same for the parts that `Lazy` loads, which have all words. */
export interface OpenedContent extends PageContent {
  readonly words: AllWords
}

export const PageContext = createContext<PageContent>(undefined as never)

export const usePage = (): PageContent => useContext(PageContext)

/** The context of a part that is loaded when it is opened. Only such parts may call it: before, its words are not there. */
export const useOpened = (): OpenedContent => usePage() as OpenedContent
