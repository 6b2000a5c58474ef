/** What all boards have: they fill the screen, are dark at night, and have a way out that appears when the pointer or a key is moved. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { useOpened } from "../shared/context.ts"
import { localOf, zoneOf } from "../shared/localTime.ts"
import { type BoardRoute, hrefOf } from "../shared/route.ts"
import { isNight } from "./board.ts"
import { useServerTime } from "./useServerTime.ts"

/** How long the way out is shown after a movement, in milliseconds. */
const LEAVE_SHOWN_MS = 4_000

/** What is known of a board before anything is read. */
export interface Framed {
  readonly board: BoardRoute
  /** Whether it is shown by the token of a display. */
  readonly isDisplay: boolean
}

interface BoardFrameProps extends Framed {
  readonly timeZone?: string | undefined
  readonly children: ComponentChildren
}

export const BoardFrame = ({ board, isDisplay, timeZone, children }: BoardFrameProps) => {
  const { words } = useOpened()
  const local = localOf(useServerTime(), zoneOf(timeZone))
  const theme = board.theme ?? (isNight(local) ? "dark" : "light")
  const main = useRef<HTMLElement>(null)
  const leave = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const stopping = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    // Without a rendering: the next Tab has to find the link.
    const showLeave = (event: Event) => {
      main.current!.dataset["moved"] = ""
      clearTimeout(timer)
      timer = setTimeout(() => delete main.current!.dataset["moved"], LEAVE_SHOWN_MS)
      if (event instanceof KeyboardEvent && event.key === "Escape") leave.current!.focus()
    }
    for (const type of ["pointermove", "pointerdown", "keydown"])
      addEventListener(type, showLeave, { signal: stopping.signal })
    return () => {
      stopping.abort()
      clearTimeout(timer)
    }
  }, [])
  return (
    <main ref={main} class={`board ${theme}`}>
      {children}
      <a ref={leave} class="button" href={isDisplay ? "#" : hrefOf({ organizationId: board.organizationId })}>
        {words.leave}
      </a>
    </main>
  )
}
