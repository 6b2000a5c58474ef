/** The choice of a place, or of all that is no single place, for reports and accesses. */
import type { Place } from "@sojourn/client"
import { useOpened } from "../shared/context.ts"
import { Choice } from "../shared/Form.tsx"
import type { Window } from "../shared/localTime.ts"
import type { Names } from "./names.ts"

/** What reports and accesses share. */
export interface Shared {
  readonly organizationId: number
  readonly places: ReadonlyArray<Place>
  readonly names: Names
  /** Undefined: any time. */
  readonly window: Window | undefined
  /** The people whose accesses are to be shown. */
  readonly chosen: ReadonlyArray<string>
  readonly onChosen: (people: ReadonlyArray<string>) => void
}

/** What the name of a file says of the premises whose data it has. */
export const fileOf = (organizationId: number, placeId: number | undefined): string =>
  placeId === undefined ? `organization-${organizationId}` : `place-${placeId}`

interface PlaceChoiceProps {
  readonly places: ReadonlyArray<Pick<Place, "id" | "name">>
  /** What stands for all that is no single place. */
  readonly otherwise: string
  readonly placeId: number | undefined
  readonly onPlace: (placeId: number | undefined) => void
}

export const PlaceChoice = ({ places, otherwise, placeId, onPlace }: PlaceChoiceProps) => {
  const { words } = useOpened()
  const texts = Object.fromEntries(places.map(({ id, name }) => [String(id), name]))
  return (
    <Choice
      label={words.place}
      texts={{ "": otherwise, ...texts }}
      values={["", ...places.map(({ id }) => String(id))]}
      value={String(placeId ?? "")}
      onValue={(value) => onPlace(value === "" ? undefined : Number(value))}
    />
  )
}
