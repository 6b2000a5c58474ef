import { useLayoutEffect } from "preact/hooks"
import { useOpened } from "./context.ts"
import { guardRoute } from "./route.ts"

/**
 * Asks before what was not saved is left by a link of the page, by a step in the history or by the browser. Answers what asks at
 * other times.
 */
export const useUnsaved = (isUnsaved: boolean): (() => Promise<boolean>) => {
  const { words, ask } = useOpened()
  const mayLeave = async () =>
    !isUnsaved || ask({ text: words.discardSure, action: words.discard, isDestructive: true })
  // Before the change is painted: the next step may follow at once.
  useLayoutEffect(() => {
    if (!isUnsaved) return
    const release = guardRoute(mayLeave)
    const onLeave = (event: Event) => event.preventDefault()
    addEventListener("beforeunload", onLeave)
    return () => {
      release()
      removeEventListener("beforeunload", onLeave)
    }
  }, [isUnsaved, words])
  return mayLeave
}
