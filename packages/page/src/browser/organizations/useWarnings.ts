/** From which part of their capacity on premises are nearly full. The stream does not have it, and its level stays for a while on the way down. */
import { useEffect } from "preact/hooks"
import type { Live } from "../live/useLive.ts"
import { usePage } from "../shared/context.ts"
import { useLoaded } from "../shared/useLoaded.ts"

/** How many premises are read at once: of a crowd of them the others follow as these are answered. */
const MAX_READ = 10

/** Reads it of the premises that the feed says are nearly full, as far as it is not known. The level of the feed stands in for it until then. */
export const useWarnings = (organizationId: number, live: Live): void => {
  const { api } = usePage()
  const known = live.counts.organizations.get(organizationId)
  const all = known === undefined ? [] : [[undefined, known.whole] as const, ...known.places]
  const open = all.filter(([, { level, warnAt }]) => level === "warning" && warnAt === undefined).slice(0, MAX_READ)
  const read = ([placeId]: (typeof open)[number]) =>
    placeId === undefined
      ? api.capacity.organizationCapacity({ organizationId })
      : api.capacity.placeCapacity({ placeId })
  const { value } = useLoaded(
    () => Promise.all(open.map(async (one) => [one[0], await read(one)] as const)),
    [organizationId, open.map(([placeId, { capacity }]) => `${placeId} ${capacity}`).join()]
  )
  useEffect(() => {
    for (const [placeId, { capacity, warnAt }] of value ?? []) {
      const count = placeId === undefined ? known?.whole : known?.places.get(placeId)
      // What the stream sent meanwhile is newer.
      if (count !== undefined && count.capacity === capacity)
        live.setCapacity(organizationId, placeId, { ...count, warnAt })
    }
  }, [value])
}
