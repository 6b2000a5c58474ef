/** Whether the page is being printed, so that what a list leaves out on a screen is on paper. */
import { useEffect, useState } from "preact/hooks"

export const usePrinting = (): boolean => {
  const [isPrinting, setIsPrinting] = useState(() => matchMedia("print").matches)
  useEffect(() => {
    const print = matchMedia("print")
    const follow = () => setIsPrinting(print.matches)
    const begin = () => setIsPrinting(true)
    print.addEventListener("change", follow)
    // Before it some browsers do not say that the medium changes.
    addEventListener("beforeprint", begin)
    addEventListener("afterprint", follow)
    return () => {
      print.removeEventListener("change", follow)
      removeEventListener("beforeprint", begin)
      removeEventListener("afterprint", follow)
    }
  }, [])
  return isPrinting
}
