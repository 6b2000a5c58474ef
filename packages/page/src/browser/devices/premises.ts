/** Where devices count, as ids. */
import type { Device } from "@sojourn/client"
import type { Lineage } from "../organizations/lineages.ts"
import { WHOLE } from "../organizations/model.ts"

/** Where the devices of a list that count do so. */
export const countedBy = (devices: ReadonlyArray<Pick<Device, "kind" | "premises">>): ReadonlySet<number> =>
  new Set(
    devices
      .filter(({ kind }) => kind !== "display")
      .flatMap(({ premises }) => premises.map(({ placeId }) => placeId ?? WHOLE))
  )

/** What lies around the chosen places, the organization last, and is counted neither with them nor by other devices. */
export const uncountedAround = (
  chosen: ReadonlySet<number>,
  counted: ReadonlySet<number>,
  lineages: ReadonlyMap<number, Lineage>
): ReadonlyArray<number> => {
  const places = [...chosen].filter((id) => id !== WHOLE)
  const around = places.flatMap((id) => (lineages.get(id) ?? []).slice(1).map((place) => place.id))
  return [...new Set(around), ...(places.length > 0 ? [WHOLE] : [])].filter((id) => !chosen.has(id) && !counted.has(id))
}
