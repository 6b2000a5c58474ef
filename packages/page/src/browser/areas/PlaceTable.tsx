/** The table of an organization's areas, each with what can be done to it. */
import type { PlaceJson } from "@sojourn/adapter-http/json"
import { usePage } from "../shared/context.ts"

/** From how many places on there is a search. */
const MIN_SEARCHED_PLACES = 20

interface PlaceTableProps {
  readonly places: ReadonlyArray<PlaceJson>
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly isWaiting: boolean
  readonly onEdit: (edited: "organization" | PlaceJson) => void
  readonly onRemove: (place: PlaceJson) => void
}

export const PlaceTable = ({ places, search, onSearch, isWaiting, onEdit, onRemove }: PlaceTableProps) => {
  const { words } = usePage()
  const found = places.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
  return (
    <>
      {places.length > MIN_SEARCHED_PLACES && (
        <label>
          {words.search}
          <input type="search" value={search} onInput={({ currentTarget }) => onSearch(currentTarget.value)} />
        </label>
      )}
      <table>
        <caption>{words.places}</caption>
        <tbody>
          <tr>
            <th scope="row">{words.whole}</th>
            <td>
              <button type="button" aria-label={`${words.edit}: ${words.whole}`} onClick={() => onEdit("organization")}>
                {words.edit}
              </button>
            </td>
          </tr>
          {found.map((place) => (
            <tr key={place.id}>
              <th scope="row">{place.name}</th>
              <td>
                <div class="bar">
                  <button type="button" aria-label={`${words.edit}: ${place.name}`} onClick={() => onEdit(place)}>
                    {words.edit}
                  </button>
                  <button
                    type="button"
                    class="destructive"
                    aria-label={`${words.delete}: ${place.name}`}
                    disabled={isWaiting}
                    onClick={() => onRemove(place)}
                  >
                    {words.delete}
                  </button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
