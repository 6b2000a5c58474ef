/** How many of the people inside of premises devices counted: the stream has the sum of stays and counted people alone. */
import { usePage } from "../shared/context.ts"
import { POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { useThrottled } from "../shared/useThrottled.ts"
import type { PanelProps } from "./model.ts"

type Of = Pick<PanelProps, "organizationId" | "premises">

/** Reads it, again as the count changes. */
export const useCounted = ({ organizationId, premises: { placeId, count } }: Of) => {
  const { api } = usePage()
  const seen = useThrottled(count, POLL_INTERVAL_MS)
  const read = async () =>
    placeId === undefined ? await api.counted.organization({ organizationId }) : await api.counted.place({ placeId })
  return useLoaded(read, [organizationId, placeId], { changes: [seen] })
}

/** Says it; nothing where none were counted. Both numbers are of one reading, which is named where it is not the live one. */
export const CountedShare = (of: Of) => {
  const { words, formats } = usePage()
  const { counted = 0, inside = 0 } = useCounted(of).value ?? {}
  if (counted === 0) return null
  const { number } = formats
  const shares = [number(counted), number(inside - counted)] as const
  const isLive = inside === of.premises.count.inside
  return (
    <p class="counted">{isLive ? words.countedShare(...shares) : words.countedBefore(number(inside), ...shares)}</p>
  )
}
