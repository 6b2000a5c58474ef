/** The one number of a board, and how much room there is. */
import type { Count } from "../live/counts.ts"
import { useOpened } from "../shared/context.ts"
import { useRoom } from "./useRoom.ts"

export const BoardSum = ({ count }: { readonly count: Count }) => {
  const { words, formats } = useOpened()
  const { capacity } = count
  const inside = formats.number(count.inside)
  const room = useRoom()(count)
  return (
    <div class={`sum ${count.level}`}>
      <b style={{ "--letters": inside.length }}>{inside}</b>
      <div>
        <p>{capacity === undefined ? words.inside : `/ ${formats.number(capacity)} ${words.inside}`}</p>
        {room !== "" && <p class="room">{room}</p>}
      </div>
    </div>
  )
}
