/** How many of the people inside of premises devices counted, read again as their count changes. */
import { usePage } from "../shared/context.ts"
import { POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { useThrottled } from "../shared/useThrottled.ts"
import type { Premises } from "./model.ts"

/** The stream has the sum of stays and counted people alone. */
export const useCounted = (organizationId: number, { placeId, count }: Pick<Premises, "placeId" | "count">) => {
  const { api } = usePage()
  const seen = useThrottled(count, POLL_INTERVAL_MS)
  return useLoaded(
    async () =>
      placeId === undefined ? await api.counted.organization({ organizationId }) : await api.counted.place({ placeId }),
    [organizationId, placeId],
    { changes: [seen] }
  )
}
