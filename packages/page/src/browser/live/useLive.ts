/** The presence stream as state of a component; changes are gathered, so that a busy stream does not redraw at each message. */
import type { MessageJson } from "@sojourn/adapter-http/json"
import { useEffect, useState } from "preact/hooks"
import { afterMessage, type Counts, NO_COUNTS, type Own, withCapacity } from "./counts.ts"
import { type Connection, follow, type Refused } from "./follow.ts"
import { makeRedraws } from "./redraws.ts"

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

  useEffect(() => {
    update((before) => ({ ...before, connection: "connecting" }))
    if (ids === "") return
    return follow({
      token,
      organizationIds: ids.split(",").map(Number),
      onMessage: (message: MessageJson) =>
        update((before, own) => ({ ...before, counts: afterMessage(before.counts, message, own) })),
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
