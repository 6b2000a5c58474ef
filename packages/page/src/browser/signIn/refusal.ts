import type { Words } from "../words/languages.ts"

/** Why signing in with an issuer did not succeed, as a sentence. The part that signs in is loaded only then, and known by its errors. */
export const refusalOf = (words: Words, failure: unknown): string => {
  const { reason } = failure as { readonly reason?: string }
  return reason === undefined ? words.issuerNotReached : words.issuerRefused(reason)
}
