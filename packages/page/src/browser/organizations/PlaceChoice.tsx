/** The choice of a place, or of all that is no single place. */
import type { Place } from "@sojourn/client"
import { useOpened } from "../shared/context.ts"
import { Choice } from "../shared/fields.tsx"

interface PlaceChoiceProps {
  readonly label?: string
  /** The id of the form that it belongs to, which is elsewhere. */
  readonly form?: string
  readonly places: ReadonlyArray<Pick<Place, "id" | "name">>
  /** What stands for all that is no single place. */
  readonly otherwise: string
  readonly placeId: number | undefined
  readonly onPlace: (placeId: number | undefined) => void
}

export const PlaceChoice = ({ label, form, places, otherwise, placeId, onPlace }: PlaceChoiceProps) => {
  const { words } = useOpened()
  const texts = Object.fromEntries(places.map(({ id, name }) => [String(id), name]))
  return (
    <Choice
      label={label ?? words.place}
      form={form}
      texts={{ "": otherwise, ...texts }}
      values={["", ...places.map(({ id }) => String(id))]}
      value={String(placeId ?? "")}
      onValue={(value) => onPlace(value === "" ? undefined : Number(value))}
    />
  )
}
