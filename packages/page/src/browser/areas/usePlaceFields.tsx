/** The fields of a place that is edited: its name, its level, and what it is a part of. */
import type { Place } from "@sojourn/client"
import { useMemo, useState } from "preact/hooks"
import { levelOf, lineagesOf, pathNameOf } from "../organizations/lineages.ts"
import { PlaceChoice } from "../organizations/PlaceChoice.tsx"
import { useOpened } from "../shared/context.ts"
import type { Shape } from "./drawing.ts"
import { MAX_LEVEL, MIN_LEVEL } from "./plans.ts"
import { proposedParent } from "./surroundings.ts"

/** What was chosen; null stands for none. */
interface Position {
  readonly level?: number | null
  readonly parentId?: number | null
}

interface PlaceFieldsOf {
  readonly places: ReadonlyArray<Place>
  /** None of a new place, which has a level of its own only where its parent is on another one than the one that is shown. */
  readonly place: Place | undefined
  readonly shape: Shape
  readonly shownLevel: number
  /** The id of the form that the fields belong to, which is elsewhere. */
  readonly form: string
}

/** The level and the parent are what was chosen, else what the place has, else what the drawing proposes. */
export const usePlaceFields = ({ places, place, shape, shownLevel, form }: PlaceFieldsOf) => {
  const { words, formats } = useOpened()
  const [name, setName] = useState(place?.name ?? "")
  const [chosen, setChosen] = useState<Position>({})
  const choose = (change: Position) => setChosen((chosen) => ({ ...chosen, ...change }))
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
  /** What differs from the place; of a new one what it has. */
  const changes: Position = {
    ...(level !== (place?.level ?? null) && { level }),
    ...(parentId !== (place?.parentId ?? null) && { parentId })
  }
  const isTouched = name !== (place?.name ?? "") || Object.keys(place === undefined ? chosen : changes).length > 0
  // A place is no part of itself, and of none of its parts.
  const parents = [...lineages.values()].filter((lineage) => lineage.every(({ id }) => id !== place?.id))
  const fields = (
    <>
      <label class="name">
        {words.placeName}
        <input
          form={form}
          value={name}
          maxLength={128}
          aria-describedby="place-name-hint"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <small id="place-name-hint">{words.placeNameHint}</small>
      </label>
      <PlaceChoice
        label={words.partOf}
        form={form}
        places={parents.map((lineage) => ({ id: lineage[0]!.id, name: pathNameOf(lineage) }))}
        otherwise={words.partOfNone}
        placeId={parentId ?? undefined}
        onPlace={(id) => choose({ parentId: id ?? null })}
      />
      <label class="level">
        {words.floorLevel}
        <input
          form={form}
          type="number"
          min={MIN_LEVEL}
          max={MAX_LEVEL}
          step="1"
          value={level ?? ""}
          aria-describedby="place-level-hint"
          onInput={({ currentTarget: { value } }) => choose({ level: value === "" ? null : Number(value) })}
        />
        <small id="place-level-hint">{words.levelHint(formats.number(inherited))}</small>
      </label>
    </>
  )
  /** The level in effect. */
  const effective = level ?? inherited
  return { name, parentId, effective, changes, isTouched, fields }
}
