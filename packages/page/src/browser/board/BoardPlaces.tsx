/** Places of a board as a list: as many as there is room for, those that need attention first. */
import type { Premises } from "../organizations/model.ts"
import { pathNameOf } from "../organizations/lineages.ts"
import { useOpened } from "../shared/context.ts"
import { byAttention } from "./board.ts"
import { useRoom } from "./useRoom.ts"
import { useSize } from "./useSize.ts"

/** The least width of a place in the list, and its least and greatest height with the gap after it, in the unit of the board. */
const [MIN_WIDTH, MIN_HEIGHT, MAX_HEIGHT] = [38, 10, 18]

export const BoardPlaces = ({ places }: { readonly places: ReadonlyArray<Premises> }) => {
  const { words, formats } = useOpened()
  const roomOf = useRoom()
  const [box, [width, height], unit] = useSize()
  const most = Math.max(Math.floor(height / (MIN_HEIGHT * unit)), 1)
  // As few columns as show all places, so that each is as large as there is room for.
  const columns = Math.max(Math.min(Math.floor(width / (MIN_WIDTH * unit)), Math.ceil(places.length / most)), 1)
  const rows = Math.min(Math.ceil(places.length / columns), most)
  const fitting = columns * rows
  const shown = byAttention(places).slice(0, places.length > fitting ? fitting - 1 : fitting)
  return (
    <div ref={box} class="places">
      {height > 0 && (
        <ul style={{ "--columns": columns, "--row": `${Math.min(height / rows, MAX_HEIGHT * unit)}px` }}>
          {shown.map(({ placeId, name, count, lineage: [, ...around] }) => (
            <li key={placeId} class={count.level}>
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
