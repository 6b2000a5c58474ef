/** An organization as the page shows it: its data and places, and its premises with their counts. */
import type { Organization, Place } from "@sojourn/client"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { EMPTY } from "../live/counts.ts"
import type { Live } from "../live/useLive.ts"
import { lineagesOf } from "./lineages.ts"
import { readArea } from "../shared/area.ts"
import { usePage } from "../shared/context.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import type { Managed, Premises } from "./model.ts"

/** How many premises are read at once: of a crowd of them the others follow as these are answered. */
const MAX_READ = 10

/**
 * Reads from which part of their capacity on premises are nearly full, of those that the feed says are: the stream does not have it, and its level
 * stays for a while on the way down. Until it is known the level of the feed stands in for it.
 */
const useWarnings = (organizationId: number, live: Live): void => {
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

/** Reads an organization, and reads it again when the stream says that it changed. */
export const useOrganization = ({ id, ...managed }: Managed, live: Live) => {
  const { api } = usePage()
  const known = live.counts.organizations.get(id)
  const loaded = useLoaded(
    () => Promise.all([api.organization.get({ organizationId: id }), api.place.list({ organizationId: id })]),
    [id],
    { changes: [known?.dataChanges ?? 0] }
  )
  const [data = managed.data, places = []] = loaded.value ?? []
  // The areas are read once, and not for each change of a count.
  const areas = useMemo(
    () => new Map([data, ...places].map((one) => [one, readArea(one.trackingArea)])),
    [data, loaded.value]
  )
  const lineages = useMemo(() => lineagesOf(places), [loaded.value])
  // Premises whose count did not change stay the same object, so that a list of thousands draws again what did.
  const before = useRef(new Map<number, Premises>())
  const premisesOf = (one: Organization | Place, placeId: number | undefined, count = EMPTY): Premises => {
    const known = before.current.get(placeId ?? 0)
    const polygons = areas.get(one)!
    if (known !== undefined && known.count === count && known.polygons === polygons && known.name === one.name)
      return known
    const premises = { placeId, name: one.name, polygons, count, lineage: lineages.get(placeId ?? 0) ?? [] }
    before.current.set(placeId ?? 0, premises)
    return premises
  }
  useWarnings(id, live)
  const livePlaces = useMemo(
    () =>
      places
        .filter((place) => known?.places.has(place.id))
        .map((place) => premisesOf(place, place.id, known?.places.get(place.id))),
    [areas, known?.places]
  )
  return {
    data,
    places,
    isLive: known !== undefined,
    isEmpty: loaded.value !== undefined && places.length === 0,
    failure: loaded.failure,
    reload: loaded.reload,
    whole: premisesOf(data, undefined, known?.whole),
    livePlaces
  }
}

/** What {@link useOrganization} returns. */
export type ShownOrganization = ReturnType<typeof useOrganization>
