import type { Refused } from "@sojourn/client"
import type { Words } from "./languages.ts"

/** Why a request failed, as a sentence. */
export const sentenceOf = (words: Words, failure: unknown): string => {
  const { status, type = "", detail = "" } = failure as Partial<Refused>
  return status === undefined ? words.notReached : `${words.refused(status)} ${words.problem(type, detail)}`.trim()
}
