/** Elements that are one tab stop: arrow keys lead from one to the next. */
import type { TargetedFocusEvent, TargetedKeyboardEvent } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"

/**
 * What the element around them listens to. `selector` says which ones they are; the tab stop is the one that had the focus
 * last, at first the one that is `chosen`. Dates and sliders need the arrow keys themselves: Enter leads on from them.
 */
export const useOneTabStop = <E extends HTMLElement>(selector: string, chosen = 0) => {
  const ref = useRef<E>(null)
  const [stop, setStop] = useState(chosen)
  useLayoutEffect(() => setStop(chosen), [chosen])
  const all = () => [...(ref.current?.querySelectorAll<HTMLElement>(selector) ?? [])]
  useLayoutEffect(() => {
    const elements = all()
    const tabbed = Math.min(stop, elements.length - 1)
    elements.forEach((element, nth) => (element.tabIndex = nth === tabbed ? 0 : -1))
  })
  const onKeyDown = (event: TargetedKeyboardEvent<E>) => {
    const { key, target } = event
    const elements = all()
    const from = elements.indexOf(target as HTMLElement)
    const isReversed = getComputedStyle(ref.current!).direction === "rtl"
    const [forward, backward] = isReversed ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"]
    const needsArrows = (target as HTMLElement).matches("[type='date'], [type='range']")
    const [next, previous] = needsArrows
      ? [["Enter"], []]
      : [
          ["ArrowDown", forward],
          ["ArrowUp", backward]
        ]
    const by = next.includes(key) ? 1 : previous.includes(key) ? -1 : 0
    if (by === 0 || from < 0) return
    elements[(from + by + elements.length) % elements.length]!.focus()
    event.preventDefault()
  }
  const onFocusIn = ({ target }: TargetedFocusEvent<E>) => {
    const focused = all().indexOf(target as HTMLElement)
    if (focused >= 0) setStop(focused)
  }
  return { ref, onKeyDown, onFocusIn }
}
