/** Places of a board as a list: as many as there is room for, those that need attention first. */
import type { Premises } from "../organizations/model.ts"
import { pathNameOf } from "../organizations/lineages.ts"
import { useOpened } from "../shared/context.ts"
import { byAttention, stateOf } from "./board.ts"
import { useRoom } from "./useRoom.ts"
import { useSize } from "./useSize.ts"

/** The least width and the height of a place in the list, in hundredths of the window's height, with the gap after it. */
const [MIN_WIDTH, HEIGHT] = [38, 10]

export const BoardPlaces = ({ places }: { readonly places: ReadonlyArray<Premises> }) => {
  const { words, formats } = useOpened()
  const roomOf = useRoom()
  const [box, [width, height], unit] = useSize()
  const columns = Math.max(Math.floor(width / (MIN_WIDTH * unit)), 1)
  const fitting = columns * Math.max(Math.floor(height / (HEIGHT * unit)), 1)
  const shown = byAttention(places).slice(0, places.length > fitting ? fitting - 1 : fitting)
  return (
    <div ref={box} class="places">
      {height > 0 && (
        <ul style={{ "--columns": columns }}>
          {shown.map(({ placeId, name, count, lineage: [, ...around] }) => (
            <li key={placeId} class={stateOf(count)}>
              <p>
                <bdi>{name}</bdi>
                <small>{[roomOf(count), pathNameOf(around)].filter(Boolean).join(" · ")}</small>
              </p>
              <b>{formats.number(count.inside)}</b>
            </li>
          ))}
          {shown.length < places.length && <li>{words.morePlaces(formats.number(places.length - shown.length))}</li>}
        </ul>
      )}
    </div>
  )
}
