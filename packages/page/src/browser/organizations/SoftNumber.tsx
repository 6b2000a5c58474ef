/** Numbers of people as they change: marked for a moment, and as bars. */
import { useLayoutEffect, useRef } from "preact/hooks"
import type { Level } from "../live/counts.ts"
import { usePage } from "../shared/context.ts"

/** A number that is marked for a moment when it changes, without moving anything. */
export const SoftNumber = ({ value }: { readonly value: number }) => {
  const { formats } = usePage()
  const shown = useRef(value)
  const hasChanged = shown.current !== value
  useLayoutEffect(() => {
    shown.current = value
  }, [value])
  // Another key is another element, whose animation begins anew.
  return (
    <span key={value} class={hasChanged ? "soft number" : "number"}>
      {formats.number(value)}
    </span>
  )
}

/** How full premises are, as a bar. */
export const Fullness = ({ level, part }: { readonly level: Level; readonly part: number }) => (
  <span class={`fullness ${level}`} aria-hidden="true">
    <span style={{ inlineSize: `${Math.min(part, 1) * 100}%` }} />
  </span>
)
