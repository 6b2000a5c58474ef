/** The panel of the people who are inside of the selected premises, in authenticated organizations. */
import { useState } from "preact/hooks"
import type { PersonInside } from "@sojourn/client"
import type { PanelProps } from "../organizations/model.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { isSearched, nameIn, namesOf } from "../stays/names.ts"
import { LIST_INTERVAL_MS, useThrottled } from "../shared/useThrottled.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { usePage } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"

const Inside = ({ organizationId, premises, places, live }: PanelProps) => {
  const { words, formats, api } = usePage()
  const [search, setSearch] = useState("")
  const { placeId } = premises
  const version = useThrottled(live.counts.organizations.get(organizationId)?.version, LIST_INTERVAL_MS)
  const { value, failure, reload } = useLoaded(
    async () => ({
      placeId,
      people:
        placeId === undefined
          ? await api.muster.insideOrganization({ organizationId })
          : await api.muster.insidePlace({ placeId })
    }),
    [organizationId, placeId, version]
  )
  // People of other premises are not these.
  if (value === undefined || value.placeId !== placeId) return <NotLoaded failure={failure} />
  const names = namesOf(api, organizationId)
  const nameOf = (id: number | undefined) => places.find((place) => place.placeId === id)?.name ?? words.whole
  const found = value.people.filter(({ orgAuthServerId }) => isSearched(names, orgAuthServerId, search))
  return (
    <>
      {failure !== undefined && <NotLoaded failure={failure} />}
      <p>{value.people.length === 0 ? words.noPeopleInside : words.forgottenExits}</p>
      <div class="bar">
        <label>
          {words.search}{" "}
          <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
        </label>
        <button type="button" onClick={reload}>
          {words.refresh}
        </button>
      </div>
      <DataTable
        caption={words.whoIsInside}
        columns={[
          { title: words.person, cell: ({ orgAuthServerId }) => orgAuthServerId },
          ...(names.size === 0
            ? []
            : [{ title: words.name, cell: (row: PersonInside) => nameIn(names, row.orgAuthServerId) || "–" }]),
          { title: words.place, cell: ({ placeId }) => nameOf(placeId) },
          { title: words.since, cell: ({ since }) => formats.moment(since) }
        ]}
        rows={found}
        keyOf={({ placeId, orgAuthServerId }) => `${placeId} ${orgAuthServerId}`}
        file="inside"
        toCsv={({ orgAuthServerId, placeId, since }) => ({
          orgAuthServerId,
          name: names.get(orgAuthServerId)?.name,
          surname: names.get(orgAuthServerId)?.surname,
          placeId,
          place: placeId === undefined ? undefined : nameOf(placeId),
          since
        })}
      />
    </>
  )
}

export default Inside
