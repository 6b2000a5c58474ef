/** The level and the parent of a place that is edited: what was chosen, else what it has, else what the drawing proposes. */
import type { Place } from "@sojourn/client"
import { useMemo, useState } from "preact/hooks"
import { levelOf, lineagesOf } from "../organizations/lineages.ts"
import type { Shape } from "./drawing.ts"
import { proposedParent } from "./proposedParent.ts"

/** Null stands for none. */
interface Chosen {
  readonly level?: number | null
  readonly parentId?: number | null
}

/**
 * `place` is none of a new place, which is drawn on the level `shownLevel`: it has that level of its own only where its parent is on
 * another one.
 */
export const usePlacePosition = (
  places: ReadonlyArray<Place>,
  place: Place | undefined,
  shape: Shape,
  shownLevel: number
) => {
  const [chosen, setChosen] = useState<Chosen>({})
  const lineages = useMemo(() => lineagesOf(places), [places])
  const proposed = useMemo(
    () => (place === undefined ? (proposedParent(shape, shownLevel, lineages)?.id ?? null) : (place.parentId ?? null)),
    [place, shape, shownLevel, lineages]
  )
  const { parentId = proposed } = chosen
  /** The level of a place without one of its own. */
  const inherited = parentId === null ? 0 : levelOf(lineages.get(parentId) ?? [])
  const drawnLevel = inherited === shownLevel ? null : shownLevel
  const { level = place === undefined ? drawnLevel : (place.level ?? null) } = chosen
  const changes: Chosen = {
    ...(level !== (place?.level ?? null) && { level }),
    ...(parentId !== (place?.parentId ?? null) && { parentId })
  }
  return {
    level,
    parentId,
    inherited,
    /** The level in effect. */
    effective: level ?? inherited,
    /** What differs from the place; of a new one what it has. */
    changes,
    isTouched: Object.keys(place === undefined ? chosen : changes).length > 0,
    /** The places that it can be a part of: not itself, and none of its parts. */
    parents: [...lineages.values()].filter((lineage) => lineage.every(({ id }) => id !== place?.id)),
    choose: (change: Chosen) => setChosen((chosen) => ({ ...chosen, ...change }))
  }
}

export type PlacePosition = ReturnType<typeof usePlacePosition>
