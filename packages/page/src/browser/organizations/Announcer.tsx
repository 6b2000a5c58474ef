/** Announces changed counts to screen readers through a live region, at intervals: the stream alone would never stop. */
import { useEffect, useRef, useState } from "preact/hooks"
import type { Premises } from "./model.ts"
import { newsOf } from "./news.ts"
import { useShared } from "../shared/shared.ts"

/** How often changes are read out at most, in milliseconds. */
const EVERY = 10_000

export const Announcer = ({ premises }: { premises: ReadonlyArray<Premises> }) => {
  const { words, formats } = useShared()
  const latest = useRef(premises)
  latest.current = premises
  const [text, setText] = useState("")
  useEffect(() => {
    let told = latest.current
    const timer = setInterval(() => {
      const news = newsOf(told, latest.current)
      told = latest.current
      if (news.length === 0) return
      const sentences = news.map(({ placeId, name, count }) =>
        [
          `${placeId === undefined ? words.whole : name}: ${words.insideOf(formats.number(count.inside))}`,
          ...(count.level === "none" ? [] : [words.level[count.level]])
        ].join(", ")
      )
      setText(`${sentences.join(". ")}.`)
    }, EVERY)
    return () => clearInterval(timer)
  }, [words])
  return (
    <p aria-live="polite" class="unseen">
      {text}
    </p>
  )
}
