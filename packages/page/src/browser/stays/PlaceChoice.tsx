/** The choice of a place, or of all that is no single place, for reports and accesses. */
import type { Place } from "@sojourn/client"
import { useOpened } from "../shared/context.ts"

interface PlaceChoiceProps {
  readonly places: ReadonlyArray<Pick<Place, "id" | "name">>
  /** What stands for all that is no single place. */
  readonly otherwise: string
  readonly placeId: number | undefined
  readonly onPlace: (placeId: number | undefined) => void
}

export const PlaceChoice = ({ places, otherwise, placeId, onPlace }: PlaceChoiceProps) => {
  const { words } = useOpened()
  return (
    <label>
      {words.place}
      <select
        value={placeId ?? ""}
        onChange={({ currentTarget: { value } }) => onPlace(value === "" ? undefined : Number(value))}
      >
        <option value="">{otherwise}</option>
        {places.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
