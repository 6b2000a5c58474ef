import type { Count } from "../live/counts.ts"
import { useOpened } from "../shared/context.ts"

/** How much room there is by the numbers: `room for 12 more`, `full` or `4 over`; empty without a capacity. */
export const useRoom = () => {
  const { words, formats } = useOpened()
  return ({ inside, capacity }: Pick<Count, "inside" | "capacity">): string => {
    if (capacity === undefined) return ""
    if (inside === capacity) return words.level.full
    return (inside > capacity ? words.overBy : words.roomFor)(formats.number(Math.abs(capacity - inside)))
  }
}
