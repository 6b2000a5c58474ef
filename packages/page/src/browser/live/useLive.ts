/** The presence stream as state of a component; changes are gathered, so that a busy stream does not redraw at each message. */
import type { Connection } from "@sojourn/client"
import { useEffect, useState } from "preact/hooks"
import { serverNow } from "../shared/clock.ts"
import { usePage } from "../shared/context.ts"
import { afterMessage, type Counts, Gap, NO_COUNTS, type Own, withCapacity } from "./counts.ts"
import { makeRedraws } from "./redraws.ts"

type SetCapacity = Parameters<typeof withCapacity> extends [unknown, ...infer Of] ? Of : never

/** What the page knows from the stream. */
export interface Live {
  readonly counts: Counts
  /** `connecting` until the first message. */
  readonly connection: Connection | "connecting"
  /** When the last sign of life came, in milliseconds since 1970; 0 before the first one. */
  readonly heardAt: number
  readonly setCapacity: (...of: SetCapacity) => void
}

/** How long the stream may be silent until the page says so, in milliseconds. The server writes a comment every 15 seconds. */
const SILENCE_TIMEOUT_MS = 18_000

/** How long to wait before the stream begins anew after a message was missed, in milliseconds. */
const RESTART_DELAY_MS = 1_000

type State = Pick<Live, "counts" | "connection" | "heardAt">

/**
 * Follows the presence stream of these organizations for as long as the component is there. It begins anew with another
 * `generation` of the list. `onRefused` is called when the server does not accept the list any more.
 */
export const useLive = (organizationIds: ReadonlyArray<number>, generation: unknown, onRefused: () => void): Live => {
  const { api } = usePage()
  const [{ state, update }, setStore] = useState(() => {
    let latest: State = { counts: NO_COUNTS, connection: "connecting", heardAt: 0 }
    let own: Own = new WeakSet()
    const placesShown = () =>
      [...latest.counts.organizations.values()].reduce((sum, { places }) => sum + places.size, 0)
    const redraw = makeRedraws(placesShown, () => {
      // What is drawn stays as it is.
      own = new WeakSet()
      setStore((store) => ({ ...store, state: latest }))
    })
    const update = (change: (before: State, own: Own) => State) => {
      latest = change(latest, own)
      redraw()
    }
    return { state: latest, update }
  })
  const ids = organizationIds.join(",")
  const [restarts, setRestarts] = useState(0)

  useEffect(() => {
    update((before) => ({ ...before, connection: "connecting" }))
    if (ids === "") return
    const stopping = new AbortController()
    const { signal } = stopping
    let timer: ReturnType<typeof setTimeout> | undefined
    const onConnection = (connection: Connection) =>
      update((before) => ({ ...before, connection, heardAt: connection === "live" ? serverNow() : before.heardAt }))
    const follow = async () => {
      const organizations = ids.split(",").map(Number)
      const messages = api.stream.presence({ organizations }, { signal, timeout: SILENCE_TIMEOUT_MS, onConnection })
      for await (const message of messages)
        update((before, own) => ({ ...before, counts: afterMessage(before.counts, message, own) }))
    }
    const onEnd = (failure?: unknown) => {
      if (signal.aborted) return
      if (failure instanceof Gap) timer = setTimeout(() => setRestarts((restarts) => restarts + 1), RESTART_DELAY_MS)
      else onRefused()
    }
    follow().then(() => onEnd(), onEnd)
    return () => {
      clearTimeout(timer)
      stopping.abort()
    }
  }, [ids, generation, restarts])

  return {
    ...state,
    setCapacity: (...of) => update((before) => ({ ...before, counts: withCapacity(before.counts, ...of) }))
  }
}
