/** The text that something is loading; after a while also that it takes long, and is tried again (`useLoaded.ts`). */
import { useEffect, useState } from "preact/hooks"
import { usePage } from "./context.ts"
import { SLOW_MS } from "./useLoaded.ts"

export const Loading = () => {
  const { words } = usePage()
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return <>{isLong ? words.loadingLong : words.loading}</>
}
