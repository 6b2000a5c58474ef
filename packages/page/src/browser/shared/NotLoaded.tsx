/** What stands in the place of something that is not read, or not read again: that it is loading, or why it failed. */
import { sentenceOf } from "../words/sentenceOf.ts"
import { useOpened } from "./context.ts"

export const NotLoaded = ({ failure }: { readonly failure: unknown }) => {
  const { words } = useOpened()
  return failure === undefined ? (
    <p role="status" class="loading">
      {words.loading}
    </p>
  ) : (
    <p role="alert" class="fault">
      {sentenceOf(words, failure)}
    </p>
  )
}
