/** The section of the tab People that sums the time of each person in each place. */
import type { Place } from "@sojourn/client"
import { useState } from "preact/hooks"
import type { Loaded } from "../shared/useLoaded.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useOpened } from "../shared/context.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { lengthOf } from "./lengthOf.ts"
import { isSearched, nameIn, type Names } from "./names.ts"
import { PlaceChoice } from "./PlaceChoice.tsx"
import { type TimeOfPerson, WHOLE } from "./requests.ts"

interface ReportProps {
  readonly organizationId: number
  readonly places: ReadonlyArray<Place>
  readonly names: Names
  /** The place that is reported on, or {@link WHOLE}; undefined: all places. */
  readonly placeId: number | undefined
  readonly onPlace: (placeId: number | undefined) => void
  /** Whether the organization itself can be chosen. */
  readonly hasWhole: boolean
  readonly report: Loaded<ReadonlyArray<TimeOfPerson>>
  readonly chosen: ReadonlyArray<string>
  readonly onChosen: (people: ReadonlyArray<string>) => void
}

export const Report = (props: ReportProps) => {
  const { organizationId, places, names, placeId, onPlace, hasWhole, report, chosen, onChosen } = props
  const { words } = useOpened()
  const [search, setSearch] = useState("")
  const { value, failure } = report
  const choices = [...(hasWhole ? [{ id: WHOLE, name: words.whole }] : []), ...places]
  const placeNames = new Map(choices.map(({ id, name }) => [id, name]))
  const placeOf = (row: TimeOfPerson) => placeNames.get(row.placeId ?? WHOLE) ?? row.placeId
  const found = (value ?? []).filter(({ orgAuthServerId }) => isSearched(names, orgAuthServerId, search))
  return (
    <section>
      <h2>{words.report}</h2>
      <p>{words.reportHint}</p>
      <div class="bar">
        <PlaceChoice places={choices} otherwise={words.allPlaces} placeId={placeId} onPlace={onPlace} />
        <label>
          {words.search}
          <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
        </label>
        <button
          type="button"
          disabled={found.length === 0}
          onClick={() => onChosen([...new Set(found.map(({ orgAuthServerId }) => orgAuthServerId))])}
        >
          {words.chooseFound}
        </button>
      </div>
      {(failure !== undefined || value === undefined) && <NotLoaded failure={failure} />}
      {value !== undefined && (
        <DataTable
          caption={words.report}
          columns={[
            {
              title: words.person,
              cell: ({ orgAuthServerId }) => (
                <label class="check">
                  <input
                    type="checkbox"
                    checked={chosen.includes(orgAuthServerId)}
                    onChange={({ currentTarget: { checked } }) =>
                      onChosen([
                        ...chosen.filter((one) => one !== orgAuthServerId),
                        ...(checked ? [orgAuthServerId] : [])
                      ])
                    }
                  />
                  {orgAuthServerId}
                </label>
              )
            },
            { title: words.name, cell: ({ orgAuthServerId }) => nameIn(names, orgAuthServerId) || "–" },
            { title: words.place, cell: placeOf },
            { title: words.totalTime, isNumber: true, cell: ({ totalTime }) => lengthOf(totalTime) }
          ]}
          rows={found}
          keyOf={(row) => `${row.placeId} ${row.orgAuthServerId}`}
          file={`report-${placeId === undefined ? `organization-${organizationId}` : `place-${placeId}`}`}
          toCsv={(row) => ({
            orgAuthServerId: row.orgAuthServerId,
            name: names.get(row.orgAuthServerId)?.name,
            surname: names.get(row.orgAuthServerId)?.surname,
            placeId: row.placeId,
            place: placeOf(row),
            totalTime: row.totalTime
          })}
        />
      )}
    </section>
  )
}
