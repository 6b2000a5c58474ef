/** The fields of a place that is edited: its name, its level, and what it is a part of. */
import { pathNameOf } from "../organizations/lineages.ts"
import { useOpened } from "../shared/context.ts"
import { MAX_LEVEL, MIN_LEVEL } from "./plans.ts"
import type { PlacePosition } from "./usePlacePosition.ts"

interface PlaceFieldsProps {
  /** The id of the form that they belong to, which is elsewhere. */
  readonly form: string
  readonly name: string
  readonly onName: (name: string) => void
  readonly position: PlacePosition
}

export const PlaceFields = ({ form, name, onName, position }: PlaceFieldsProps) => {
  const { words, formats } = useOpened()
  const { level, parentId, inherited, parents, choose } = position
  return (
    <>
      <label class="name">
        {words.placeName}
        <input
          form={form}
          value={name}
          maxLength={128}
          aria-describedby="place-name-hint"
          onInput={({ currentTarget }) => onName(currentTarget.value)}
        />
        <small id="place-name-hint">{words.placeNameHint}</small>
      </label>
      <label>
        {words.partOf}
        <select
          form={form}
          value={parentId ?? ""}
          onChange={({ currentTarget: { value } }) => choose({ parentId: value === "" ? null : Number(value) })}
        >
          <option value="">{words.partOfNone}</option>
          {parents.map((lineage) => (
            <option key={lineage[0]!.id} value={lineage[0]!.id}>
              {pathNameOf(lineage)}
            </option>
          ))}
        </select>
      </label>
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
}
