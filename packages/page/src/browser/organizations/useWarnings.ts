/** From which part of their capacity on premises are nearly full. The stream does not have it, and its level stays for a while on the way down. */
import { useEffect, useRef } from "preact/hooks"
import type { Count } from "../live/counts.ts"
import type { Live } from "../live/useLive.ts"
import { usePage } from "../shared/context.ts"
import { RETRY_DELAY_MS } from "../shared/useLoaded.ts"

/** How many premises are read at once: of a crowd of them the others follow as these are answered. */
const MAX_READ = 10

/** Reads it of the premises that the feed says are nearly full, as far as it is not known. */
export const useWarnings = (organizationId: number, live: Live): void => {
  const { api } = usePage()
  const asked = useRef(new Set<number>()).current
  const latest = useRef(live)
  latest.current = live
  const known = live.counts.organizations.get(organizationId)
  useEffect(() => {
    if (known === undefined) return
    const read = async (placeId: number | undefined) => {
      const key = placeId ?? 0
      asked.add(key)
      try {
        const value =
          placeId === undefined
            ? await api.capacity.organizationCapacity({ organizationId })
            : await api.capacity.placeCapacity({ placeId })
        const now = latest.current.counts.organizations.get(organizationId)
        const count = placeId === undefined ? now?.whole : now?.places.get(placeId)
        // What the stream sent meanwhile is newer.
        if (count?.capacity !== value.capacity) throw new Error()
        latest.current.setCapacity(organizationId, placeId, { ...count!, warnAt: value.warnAt })
        asked.delete(key)
      } catch {
        // The level of the feed stands in for it until then.
        setTimeout(() => asked.delete(key), RETRY_DELAY_MS)
      }
    }
    const isOpen = ({ level, warnAt }: Count) => level === "warning" && warnAt === undefined
    const open = [...known.places].flatMap(([id, count]) => (isOpen(count) ? [id] : []))
    for (const placeId of isOpen(known.whole) ? [undefined, ...open] : open) {
      if (asked.size >= MAX_READ) break
      if (!asked.has(placeId ?? 0)) void read(placeId)
    }
  }, [known])
}
