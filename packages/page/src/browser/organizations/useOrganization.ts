/** An organization as the page shows it: its data and places, and its premises with their counts. */
import type { Organization, Place } from "@sojourn/client"
import { useMemo, useRef } from "preact/hooks"
import { EMPTY } from "../live/counts.ts"
import type { Live } from "../live/useLive.ts"
import { lineagesOf } from "./lineages.ts"
import { readArea } from "../shared/area.ts"
import { usePage } from "../shared/context.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import type { Managed, Premises } from "./model.ts"
import { useWarnings } from "./useWarnings.ts"

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
