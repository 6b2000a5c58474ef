import { useEffect, useRef } from "preact/hooks"
import { usePage } from "./context.ts"

/** Asks before what was not saved is left by a link of the page or by the browser. Answers what asks at other times. */
export const useUnsaved = (isUnsaved: boolean): (() => Promise<boolean>) => {
  const { words, ask } = usePage()
  const isLeaving = useRef(false)
  const mayLeave = async () =>
    !isUnsaved || ask({ text: words.discardSure, action: words.discard, isDestructive: true })
  useEffect(() => {
    if (!isUnsaved) return
    const onClick = async (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("a[href^='#organization']")
      if (link === null || isLeaving.current) return
      event.preventDefault()
      if (!(await mayLeave())) return
      isLeaving.current = true
      link.click()
    }
    const listener = (event: MouseEvent) => void onClick(event)
    const onLeave = (event: Event) => event.preventDefault()
    document.addEventListener("click", listener, true)
    addEventListener("beforeunload", onLeave)
    return () => {
      document.removeEventListener("click", listener, true)
      removeEventListener("beforeunload", onLeave)
    }
  }, [isUnsaved, words])
  return mayLeave
}
