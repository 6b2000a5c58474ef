/** The context of every component: the language's words and formats, and requests with the session's token. */
import type { SojournClient } from "@sojourn/client"
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Formats } from "./formats.ts"
import type { Ask } from "./useQuestion.tsx"
import type { Words } from "../words/languages.ts"

export interface PageContent {
  readonly words: Words
  readonly ask: Ask
  readonly formats: Formats
  readonly api: SojournClient
}

export const PageContext = createContext<PageContent>(undefined as never)

export const usePage = (): PageContent => useContext(PageContext)
