/** What stands in the place of something that is not read, or not read again: that it is loading, or why it failed. */
import { sentenceOf } from "../words/sentenceOf.ts"
import { usePage } from "./context.ts"
import { Loading } from "./Loading.tsx"

export const NotLoaded = ({ failure }: { readonly failure: unknown }) => {
  const { words } = usePage()
  return failure === undefined ? (
    <p role="status" class="loading">
      <Loading />
    </p>
  ) : (
    <p role="alert" class="fault">
      {sentenceOf(words, failure)}
    </p>
  )
}
