/** The section of the tab People that sums the time of each person in each place. */
import type { Place } from "@sojourn/client"
import { useState } from "preact/hooks"
import { WHOLE } from "../organizations/model.ts"
import { PlaceChoice } from "../organizations/PlaceChoice.tsx"
import type { Loaded } from "../shared/useLoaded.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useOpened } from "../shared/context.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { Check, Search } from "../shared/fields.tsx"
import type { Window } from "../shared/localTime.ts"
import { isSearched, lengthOf, nameIn, type Names } from "./names.ts"
import type { TimeOfPerson } from "./requests.ts"
import { ActionButton } from "../shared/ActionButton.tsx"

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

interface ReportProps extends Shared {
  /** The place that is reported on, or {@link WHOLE}; undefined: all places. */
  readonly placeId: number | undefined
  readonly onPlace: (placeId: number | undefined) => void
  readonly report: Loaded<ReadonlyArray<TimeOfPerson>>
}

export const Report = (props: ReportProps) => {
  const { organizationId, places, names, placeId, onPlace, window, report, chosen, onChosen } = props
  const { words } = useOpened()
  const [search, setSearch] = useState("")
  const { value, failure } = report
  // The organization itself has reports of windows alone.
  const choices = window === undefined ? places : [{ id: WHOLE, name: words.whole }, ...places]
  const placeOf = (row: TimeOfPerson) => choices.find(({ id }) => id === (row.placeId ?? WHOLE))?.name ?? row.placeId
  const found = (value ?? []).filter(({ orgAuthServerId }) => isSearched(names, orgAuthServerId, search))
  return (
    <section>
      <h2>{words.report}</h2>
      <p>{words.reportHint}</p>
      <div class="bar">
        <PlaceChoice places={choices} otherwise={words.allPlaces} placeId={placeId} onPlace={onPlace} />
        <Search value={search} onSearch={setSearch} />
        <ActionButton
          action={words.chooseFound}
          disabled={found.length === 0}
          onClick={() => onChosen([...new Set(found.map(({ orgAuthServerId }) => orgAuthServerId))])}
        />
      </div>
      {(failure !== undefined || value === undefined) && <NotLoaded failure={failure} />}
      {value !== undefined && (
        <DataTable
          caption={words.report}
          columns={[
            {
              title: words.person,
              cell: ({ orgAuthServerId }) => (
                <Check
                  checked={chosen.includes(orgAuthServerId)}
                  onChange={({ currentTarget: { checked } }) =>
                    onChosen([
                      ...chosen.filter((one) => one !== orgAuthServerId),
                      ...(checked ? [orgAuthServerId] : [])
                    ])
                  }
                >
                  {orgAuthServerId}
                </Check>
              )
            },
            { title: words.name, cell: ({ orgAuthServerId }) => nameIn(names, orgAuthServerId) || "–" },
            { title: words.place, cell: placeOf },
            { title: words.totalTime, isNumber: true, cell: ({ totalTime }) => lengthOf(totalTime) }
          ]}
          rows={found}
          keyOf={(row) => `${row.placeId} ${row.orgAuthServerId}`}
          file={`report-${fileOf(organizationId, placeId)}`}
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
