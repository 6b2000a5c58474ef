/** The presence stream as state of a component; changes are gathered, so that a busy stream does not redraw at each message. */
import type { MessageJson } from "@sojourn/adapter-http/json"
import { useEffect, useState } from "preact/hooks"
import { afterMessage, type Counts, NO_COUNTS, withCapacity } from "./counts.ts"
import { type Connection, follow, type Refused } from "./follow.ts"

/** What the page knows from the stream. */
export interface Live {
  readonly counts: Counts
  readonly connection: Connection
  /** When the last sign of life came, in milliseconds since 1970; 0 before the first one. */
  readonly heardAt: number
  readonly setCapacity: (
    organizationId: number,
    placeId: number | undefined,
    set: Parameters<typeof withCapacity>[3]
  ) => void
}

type State = Pick<Live, "counts" | "connection" | "heardAt">

/** How long changes are gathered before the page is drawn again, in milliseconds. */
const REDRAW_DELAY_MS = 50

/**
 * Follows the presence stream of these organizations for as long as the component is there. It begins anew with another
 * `generation` of the list.
 */
export const useLive = (
  token: string,
  organizationIds: ReadonlyArray<number>,
  generation: unknown,
  onRefused: (reason: Refused) => void
): Live => {
  const [{ state, update }, setStore] = useState(() => {
    let latest: State = { counts: NO_COUNTS, connection: "connecting", heardAt: 0 }
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      timer = undefined
      setStore((store) => ({ ...store, state: latest }))
    }
    const update = (change: (before: State) => State) => {
      latest = change(latest)
      timer ??= setTimeout(draw, REDRAW_DELAY_MS)
    }
    return { state: latest, update }
  })
  const ids = organizationIds.join(",")

  useEffect(() => {
    update((before) => ({ ...before, connection: "connecting" }))
    if (ids === "") return
    return follow({
      token,
      organizationIds: ids.split(",").map(Number),
      onMessage: (message: MessageJson) =>
        update((before) => ({ ...before, counts: afterMessage(before.counts, message) })),
      onConnection: (connection) =>
        update((before) => ({
          ...before,
          connection,
          heardAt: connection === "live" ? Date.now() : before.heardAt
        })),
      onRefused
    })
  }, [token, ids, generation])

  return {
    ...state,
    setCapacity: (organizationId, placeId, set) =>
      update((before) => ({ ...before, counts: withCapacity(before.counts, organizationId, placeId, set) }))
  }
}
