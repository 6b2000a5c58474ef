/** The panel of the people who are inside of the selected premises, in authenticated organizations. */
import { useState } from "preact/hooks"
import type { PersonInside } from "@sojourn/client"
import { allows, type PanelProps } from "../organizations/model.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { DataTable } from "../shared/DataTable.tsx"
import { zoneOf } from "../shared/localTime.ts"
import { isSearched, nameIn, namesOf } from "../stays/names.ts"
import { LIST_INTERVAL_MS, useThrottled } from "../shared/useThrottled.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { EndStay } from "./EndStay.tsx"

const Inside = ({ organizationId, permission, timeZone, premises, places, live, reloadPermissions }: PanelProps) => {
  const { words, formats, api } = useOpened()
  const [search, setSearch] = useState("")
  const [ending, setEnding] = useState<PersonInside>()
  const [outcome, setOutcome] = useState("")
  const zone = zoneOf(timeZone)
  const moment = formats.momentIn(zone)
  const { placeId } = premises
  const version = useThrottled(live.counts.organizations.get(organizationId)?.version, LIST_INTERVAL_MS)
  const { value, failure, reload } = useLoaded(
    async () =>
      placeId === undefined
        ? await api.muster.insideOrganization({ organizationId })
        : await api.muster.insidePlace({ placeId }),
    [organizationId, placeId],
    { changes: [version] }
  )
  if (value === undefined) return <NotLoaded failure={failure} />
  const names = namesOf(api, organizationId)
  const nameOf = (id: number | undefined) => places.find((place) => place.placeId === id)?.name ?? words.whole
  const found = value.filter(({ orgAuthServerId }) => isSearched(names, orgAuthServerId, search))
  return (
    <>
      {failure !== undefined && <NotLoaded failure={failure} />}
      <p>{value.length === 0 ? words.noPeopleInside : words.forgottenExits}</p>
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
          { title: words.since, cell: ({ since }) => moment(since) },
          ...(allows(permission, "manager")
            ? [
                {
                  title: words.endStay,
                  cell: (row: PersonInside) => (
                    <ActionButton
                      action={words.endStay}
                      of={`${row.orgAuthServerId}, ${nameOf(row.placeId)}`}
                      onClick={() => setEnding(row)}
                    />
                  )
                }
              ]
            : [])
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
      <p role="status">{outcome}</p>
      {ending !== undefined && (
        <EndStay
          organizationId={organizationId}
          person={ending}
          place={nameOf(ending.placeId)}
          zone={zone}
          onForbidden={reloadPermissions}
          onDone={(outcome) => {
            setEnding(undefined)
            if (outcome === undefined) return
            setOutcome(outcome)
            reload()
          }}
        />
      )}
    </>
  )
}

export default Inside
