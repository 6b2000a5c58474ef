/** Long lists of rows of one height, of which those that can be seen are rendered. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"

/** How many rows beyond the visible ones are rendered on both sides. */
const OVERSCAN = 6

/**
 * Follows the scrolling of a box with `count` rows, each `height` pixels high. A short list is
 * rendered whole. Answers the rows to render, and the room in pixels that stands for those before and after them.
 */
export const useWindowed = (count: number, height: number, shortest: number) => {
  const box = useRef<HTMLDivElement>(null)
  const [{ top, room }, setSeen] = useState({ top: 0, room: 0 })
  useLayoutEffect(() => {
    const element = box.current!
    const follow = () =>
      setSeen((before) => {
        const top = Math.floor(element.scrollTop / height)
        const room = Math.ceil(element.clientHeight / height)
        return before.top === top && before.room === room ? before : { top, room }
      })
    const observer = new ResizeObserver(follow)
    observer.observe(element)
    element.addEventListener("scroll", follow, { passive: true })
    follow()
    return () => {
      observer.disconnect()
      element.removeEventListener("scroll", follow)
    }
  }, [height])
  const isShort = count <= shortest
  const from = isShort ? 0 : Math.max(Math.min(top, count - room) - OVERSCAN, 0)
  const to = isShort ? count : Math.min(top + room + OVERSCAN, count)
  return {
    box,
    from,
    to,
    before: from * height,
    after: (count - to) * height,
    scrollTo: (row: number) => {
      const element = box.current!
      const [above, below] = [row * height, (row + 2) * height]
      if (above < element.scrollTop) element.scrollTop = above
      else if (below > element.scrollTop + element.clientHeight) element.scrollTop = below - element.clientHeight
    }
  }
}
