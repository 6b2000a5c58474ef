/** What stands in the place of something that is not there: that it is loading, or why it failed. */
import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { sentenceOf } from "../words/sentenceOf.ts"
import { usePage } from "./context.ts"
import { SLOW_MS } from "./useLoaded.ts"
import { ActionButton } from "./ActionButton.tsx"

/** The text that something is loading; after a while also that it takes long, and is tried again (`useLoaded.ts`). */
export const Loading = () => {
  const { words } = usePage()
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return <>{isLong ? words.loadingLong : words.loading}</>
}

/** Says that something is wrong. */
export const Fault = ({ children }: { readonly children: ComponentChildren }) => (
  <p role="alert" class="fault">
    {children}
  </p>
)

interface NotLoadedProps {
  readonly failure?: unknown
  /** What the button does that tries it again. */
  readonly reload?: () => void
}

export const NotLoaded = ({ failure, reload }: NotLoadedProps) => {
  const { words } = usePage()
  return failure === undefined ? (
    <p role="status" class="loading">
      <Loading />
    </p>
  ) : (
    <Fault>
      {sentenceOf(words, failure)} {reload !== undefined && <ActionButton action={words.tryAgain} onClick={reload} />}
    </Fault>
  )
}
