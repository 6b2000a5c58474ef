/** What all boards have: they fill the screen, are dark at night, say what they are of, and have a way out that appears with a movement. */
import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import type { Count } from "../live/counts.ts"
import type { Live } from "../live/useLive.ts"
import { useMinute } from "../live/times.ts"
import { serverNow } from "../shared/clock.ts"
import { PageContext, useOpened } from "../shared/context.ts"
import { localOf, zoneOf } from "../shared/localTime.ts"
import { type BoardRoute, hrefOf } from "../shared/route.ts"
import { isNight } from "./board.ts"

/** How long the way out is shown after a movement, in milliseconds. */
const LEAVE_SHOWN_MS = 4_000

/** From when on the day of old numbers is said too, in milliseconds. */
const LONG_AGO_MS = 12 * 3_600_000

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
  const page = useOpened()
  const zone = zoneOf(timeZone)
  const ofZone = useMemo(() => ({ ...page, formats: page.formats.of(zone) }), [page, zone])
  const theme = board.theme ?? (isNight(localOf(useMinute(), zone)) ? "dark" : "light")
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
    <PageContext.Provider value={ofZone}>
      <main ref={main} class={`board ${theme}`}>
        {children}
        <a ref={leave} class="button" href={isDisplay ? "#" : hrefOf({ organizationId: board.organizationId })}>
          {page.words.leave}
        </a>
      </main>
    </PageContext.Provider>
  )
}

/** Whether the numbers are those of now. */
export const isCurrent = ({ connection, counts }: Live): boolean => connection === "live" && !counts.isStale

/** What the board is of, the time there, and since when its numbers are old. */
export const Title = ({ name, live }: { readonly name: string; readonly live: Live }) => {
  const { words, formats } = useOpened()
  const now = useMinute()
  const since = live.heardAt + serverNow() - Date.now()
  const { time, moment } = formats
  return (
    <div class="title">
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <time>{time(now)}</time>
      <p role="status">
        {!isCurrent(live) && live.heardAt > 0 && words.asOf((now - since < LONG_AGO_MS ? time : moment)(since))}
      </p>
    </div>
  )
}

/** How much room there is by the numbers: `room for 12 more`, `full` or `4 over`; empty without a capacity. */
export const useRoom = () => {
  const { words, formats } = useOpened()
  return ({ inside, capacity }: Pick<Count, "inside" | "capacity">): string => {
    if (capacity === undefined) return ""
    if (inside === capacity) return words.level.full
    return (inside > capacity ? words.overBy : words.roomFor)(formats.number(Math.abs(capacity - inside)))
  }
}

/** The one number of a board, and how much room there is. */
export const Sum = ({ count }: { readonly count: Count }) => {
  const { words, formats } = useOpened()
  const inside = formats.number(count.inside)
  const room = useRoom()(count)
  return (
    <div class={`sum ${count.level}`}>
      <b style={{ "--letters": inside.length }}>{inside}</b>
      <div>
        <p>{count.capacity === undefined ? words.inside : `/ ${formats.number(count.capacity)} ${words.inside}`}</p>
        {room !== "" && <p class="room">{room}</p>}
      </div>
    </div>
  )
}
