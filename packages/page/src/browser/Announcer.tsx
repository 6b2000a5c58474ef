import { useEffect, useRef, useState } from "preact/hooks"
import type { Premises } from "./model.ts"
import { useShared } from "./shared.ts"

/** How often changes are read out at most, in milliseconds. */
const EVERY = 10_000

const keyOf = ({ placeId }: Premises) => placeId ?? 0

/** What to read out: premises with another level, and the count of the whole. */
const changed = (before: ReadonlyArray<Premises>, after: ReadonlyArray<Premises>): ReadonlyArray<Premises> => {
  const known = new Map(before.map((one) => [keyOf(one), one.count]))
  return after.filter((one) => {
    const count = known.get(keyOf(one))
    return (
      count !== undefined &&
      (count.level !== one.count.level || (one.placeId === undefined && count.inside !== one.count.inside))
    )
  })
}

/** Tells screen readers what changed, seldom enough to be listened to. */
export const Announcer = ({ premises }: { premises: ReadonlyArray<Premises> }) => {
  const { words, formats } = useShared()
  const latest = useRef(premises)
  latest.current = premises
  const [text, setText] = useState("")
  useEffect(() => {
    let told = latest.current
    const timer = setInterval(() => {
      const news = changed(told, latest.current)
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
