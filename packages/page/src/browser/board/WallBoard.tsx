/** The board of an organization: how many are inside, the places that need attention, and a map or a list of all places. */
import { useEffect, useMemo } from "preact/hooks"
import { type Floors, useFloors } from "../areas/useFloors.ts"
import type { Live } from "../live/useLive.ts"
import { pathNameOf } from "../organizations/lineages.ts"
import type { Premises } from "../organizations/model.ts"
import type { ShownOrganization } from "../organizations/useOrganization.ts"
import { useOpened } from "../shared/context.ts"
import { byAttention, mapLevels, needsAttention, pressingLevel } from "./board.ts"
import { BoardMap } from "./BoardMap.tsx"
import { BoardPlaces } from "./BoardPlaces.tsx"
import { BoardSum } from "./BoardSum.tsx"
import { BoardTime, isCurrent } from "./BoardTime.tsx"
import { useRoom } from "./useRoom.ts"

/** How long each level of several is shown, in milliseconds. */
const TURN_MS = 20_000

/** The most places that need attention beside the number; the map has all of them. */
const MAX_NEEDING = 4

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

export const WallBoard = ({ shown, live }: { readonly shown: ShownOrganization; readonly live: Live }) => {
  const { words, formats } = useOpened()
  const roomOf = useRoom()
  const { data, whole, livePlaces: places } = shown
  const floors = useFloors(
    data.id,
    useMemo(() => [whole, ...places], [whole, places]),
    undefined
  )
  const levels = mapLevels(places)
  const isMap = levels.length > 0 || places.length === 0
  useTurns(places, levels, floors)
  const needing = byAttention(places).filter(needsAttention)
  const listed = needing.slice(0, needing.length > MAX_NEEDING ? MAX_NEEDING - 1 : MAX_NEEDING)
  return (
    <>
      <header class={isCurrent(live) ? "" : "old"}>
        <BoardSum count={whole.count} />
        <ul>
          {isMap &&
            listed.map(({ placeId, name, count, lineage: [, ...around] }) => (
              <li key={placeId} class={count.level}>
                <span>
                  <bdi>{name}</bdi> <small>{pathNameOf(around)}</small>
                </span>{" "}
                <b>{roomOf(count)}</b>
              </li>
            ))}
          {isMap && listed.length < needing.length && (
            <li>{words.morePlaces(formats.number(needing.length - listed.length))}</li>
          )}
        </ul>
        <div class="title">
          <h1>
            <bdi>{data.name}</bdi>
          </h1>
          <BoardTime live={live} timeZone={data.timeZone} />
        </div>
      </header>
      {isMap ? <BoardMap {...floors} /> : <BoardPlaces places={places} />}
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
