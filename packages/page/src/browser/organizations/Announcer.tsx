/** Announces changed counts to screen readers through a live region, at intervals: the stream alone would never stop. */
import { useEffect, useRef, useState } from "preact/hooks"
import type { Premises } from "./model.ts"
import { announcedChanges, describeCount } from "./announcements.ts"
import { usePage } from "../shared/context.ts"

/** How often changes are announced at most, in milliseconds. */
const ANNOUNCEMENT_INTERVAL_MS = 10_000

export const Announcer = ({ premises }: { premises: ReadonlyArray<Premises> }) => {
  const { words, formats } = usePage()
  const latest = useRef(premises)
  latest.current = premises
  const [text, setText] = useState("")
  useEffect(() => {
    let announced = latest.current
    const timer = setInterval(() => {
      const changes = announcedChanges(announced, latest.current)
      announced = latest.current
      if (changes.length === 0) return
      const sentences = changes.map((one) => describeCount({ words, formats }, one))
      setText(`${sentences.join(". ")}.`)
    }, ANNOUNCEMENT_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [words])
  return (
    <p aria-live="polite" class="unseen">
      {text}
    </p>
  )
}
