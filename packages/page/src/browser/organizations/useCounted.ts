/** How many of the people inside of premises devices counted, read again as their count changes. */
import type { CountedJson } from "@sojourn/adapter-http/json"
import { usePage } from "../shared/context.ts"
import { POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { useThrottled } from "../shared/useThrottled.ts"
import { type Premises, pathOf } from "./model.ts"

/** `value` is none until it was read for these premises. The stream has the sum of stays and counted people alone. */
export const useCounted = (organizationId: number, { placeId, count }: Pick<Premises, "placeId" | "count">) => {
  const { api } = usePage()
  const path = `${pathOf("presence", organizationId, placeId)}/counted`
  const seen = useThrottled(count, POLL_INTERVAL_MS)
  const { value, failure, reload } = useLoaded(
    async () => ({ path, counted: (await api.get<CountedJson>(path))! }),
    [path, seen]
  )
  return { path, value: value?.path === path ? value.counted : undefined, failure, reload }
}
