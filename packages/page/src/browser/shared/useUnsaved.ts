import { useEffect } from "preact/hooks"
import { usePage } from "./context.ts"

/** Asks before what was not saved is left by a link of the page or by the browser. Answers what asks at other times. */
export const useUnsaved = (isUnsaved: boolean): (() => boolean) => {
  const { words } = usePage()
  const mayLeave = () => !isUnsaved || confirm(words.discardSure)
  useEffect(() => {
    if (!isUnsaved) return
    const onClick = (event: MouseEvent) => {
      if ((event.target as Element).closest("a[href^='#']") !== null && !mayLeave()) event.preventDefault()
    }
    const onLeave = (event: Event) => event.preventDefault()
    document.addEventListener("click", onClick, true)
    addEventListener("beforeunload", onLeave)
    return () => {
      document.removeEventListener("click", onClick, true)
      removeEventListener("beforeunload", onLeave)
    }
  }, [isUnsaved, words])
  return mayLeave
}
