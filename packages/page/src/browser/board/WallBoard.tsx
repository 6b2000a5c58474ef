/** The board of an organization: how many are inside, the places that need attention, and a map or a list of all places. */
import { useEffect, useMemo } from "preact/hooks"
import { type Floors, useFloors } from "../areas/useFloors.ts"
import type { Count } from "../live/counts.ts"
import type { Live } from "../live/useLive.ts"
import { pathNameOf } from "../organizations/lineages.ts"
import type { Premises } from "../organizations/model.ts"
import type { ShownOrganization } from "../organizations/useOrganization.ts"
import { useOpened } from "../shared/context.ts"
import { byAttention, mapLevels, needsAttention, pressingLevel } from "./board.ts"
import { isCurrent, Sum, Title, useRoom } from "./BoardFrame.tsx"
import { BoardMap } from "./BoardMap.tsx"
import { useSize } from "./useSize.ts"

/** How long each level of several is shown, in milliseconds. */
const TURN_MS = 20_000

/** The most places that need attention beside the number; the map has all of them. */
const MAX_NEEDING = 4

/** The least width of a place in the list, and its least and greatest height with the gap after it, in the unit of the board. */
const [MIN_WIDTH, MIN_HEIGHT, MAX_HEIGHT] = [38, 10, 18]

/** Shows levels by turns, beginning with the one that needs attention most; without motion that one alone. */
const useTurns = (places: ReadonlyArray<Premises>, levels: ReadonlyArray<number>, { level, setLevel }: Floors) => {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches
  const pressing = pressingLevel(places)
  useEffect(() => {
    if (pressing !== undefined) setLevel(pressing)
  }, [isStill && pressing, levels.length])
  useEffect(() => {
    if (isStill || levels.length < 2) return
    const timer = setTimeout(() => setLevel(levels[(levels.indexOf(level) + 1) % levels.length]!), TURN_MS)
    return () => clearTimeout(timer)
  }, [levels.join(), level])
}

interface PlaceItemsProps {
  readonly places: ReadonlyArray<Premises>
  /** How many items there may be; the last one says how many more places there are. */
  readonly most: number
  /** What stands behind the name, and below it. */
  readonly textsOf: (count: Count) => readonly [number: string, note: string]
}

const PlaceItems = ({ places, most, textsOf }: PlaceItemsProps) => {
  const { words, formats } = useOpened()
  const shown = places.slice(0, places.length > most ? most - 1 : most)
  return (
    <>
      {shown.map(({ placeId, name, count, lineage: [, ...around] }) => {
        const [number, note] = textsOf(count)
        return (
          <li key={placeId} class={count.level}>
            <span>
              <bdi>{name}</bdi> <small>{[note, pathNameOf(around)].filter(Boolean).join(" · ")}</small>
            </span>
            <b>{number}</b>
          </li>
        )
      })}
      {shown.length < places.length && <li>{words.morePlaces(formats.number(places.length - shown.length))}</li>}
    </>
  )
}

/** All places, as many as there is room for. */
const PlaceList = ({ places }: { readonly places: ReadonlyArray<Premises> }) => {
  const { formats } = useOpened()
  const roomOf = useRoom()
  const [box, [width, height], unit] = useSize()
  const most = Math.max(Math.floor(height / (MIN_HEIGHT * unit)), 1)
  // As few columns as show all places, so that each is as large as there is room for.
  const columns = Math.max(Math.min(Math.floor(width / (MIN_WIDTH * unit)), Math.ceil(places.length / most)), 1)
  const rows = Math.min(Math.ceil(places.length / columns), most)
  return (
    <div ref={box} class="places">
      {height > 0 && (
        <ul style={{ "--columns": columns, "--row": `${Math.min(height / rows, MAX_HEIGHT * unit)}px` }}>
          <PlaceItems
            places={byAttention(places)}
            most={columns * rows}
            textsOf={(count) => [formats.number(count.inside), roomOf(count)]}
          />
        </ul>
      )}
    </div>
  )
}

export const WallBoard = ({ shown, live }: { readonly shown: ShownOrganization; readonly live: Live }) => {
  const { words, formats } = useOpened()
  const roomOf = useRoom()
  const { data, whole, livePlaces: places } = shown
  const premises = useMemo(() => [whole, ...places], [whole, places])
  const floors = useFloors(data.id, premises, undefined)
  const levels = mapLevels(places)
  const isMap = levels.length > 0 || places.length === 0
  useTurns(places, levels, floors)
  const needing = isMap ? byAttention(places).filter(needsAttention) : []
  return (
    <>
      <header class={isCurrent(live) ? "" : "old"}>
        <Sum count={whole.count} />
        <ul>
          <PlaceItems places={needing} most={MAX_NEEDING} textsOf={(count) => [roomOf(count), ""]} />
        </ul>
        <Title name={data.name} live={live} />
      </header>
      {isMap ? <BoardMap {...floors} /> : <PlaceList places={places} />}
      {isMap && levels.length > 1 && (
        <ul class="levels">
          {levels.map((level) => (
            <li key={level} aria-current={level === floors.level ? "true" : undefined}>
              {words.floor(formats.number(level))}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
