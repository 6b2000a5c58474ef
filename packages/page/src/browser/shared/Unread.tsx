/** What stands in the place of something that is not read, or not read again: that it is loading, or why it failed. */
import { sentenceOf, useShared } from "./shared.ts"

export const Unread = ({ failure }: { readonly failure: unknown }) => {
  const { words } = useShared()
  return failure === undefined ? (
    <p role="status">{words.loading}</p>
  ) : (
    <p role="alert" class="fault">
      {sentenceOf(words, failure)}
    </p>
  )
}
