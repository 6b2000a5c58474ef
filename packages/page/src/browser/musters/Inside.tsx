/** The panel of the people who are inside of the selected premises, in authenticated organizations, where managers end stays that no exit ended. */
import type { PersonInside } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import { allows, type PanelProps } from "../organizations/model.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { serverNow } from "../shared/clock.ts"
import { useOpened } from "../shared/context.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { Dialog } from "../shared/Dialog.tsx"
import { instantOf, localOf } from "../shared/localTime.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { SubmitBar, useAction } from "../shared/useAction.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import { LIST_INTERVAL_MS, useThrottled } from "../shared/useThrottled.ts"
import { isSearched, nameIn, namesOf } from "../stays/names.ts"

interface EndStayProps {
  readonly organizationId: number
  readonly person: PersonInside
  /** The name of the place, or of the whole organization. */
  readonly place: string
  readonly onForbidden: () => void
  /** With what came of it; without where it was cancelled. */
  readonly onDone: (outcome?: string) => void
}

const EndStay = ({ organizationId, person, place, onForbidden, onDone }: EndStayProps) => {
  const { words, formats, api } = useOpened()
  const { zone } = formats
  const { isWaiting, outcome, run } = useAction(onForbidden)
  const [now] = useState(() => localOf(serverNow(), zone))
  const { orgAuthServerId, placeId, since } = person
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const time = String(new FormData(event.currentTarget).get("time"))
    run(async () => {
      const body = {
        orgAuthServerIds: [orgAuthServerId],
        // The server's own time is the present one.
        ...(time !== now && { exitTimestamp: new Date(instantOf(time, zone)).toISOString() })
      }
      const { ended } =
        placeId === undefined
          ? await api.ending.endOrganization({ organizationId, body })
          : await api.ending.endPlace({ placeId, body })
      onDone(ended === 0 ? words.noStayEnded : words.endedStay(orgAuthServerId))
    })
  }
  return (
    <Dialog title={words.endStayOf(orgAuthServerId, place)} onCancel={() => onDone()}>
      <form onSubmit={submit}>
        <label>
          {words.exitTime}
          <input
            name="time"
            type="datetime-local"
            required
            autofocus
            min={localOf(Date.parse(since), zone)}
            max={now}
            defaultValue={now}
          />
          <small>{words.timesIn(zone)}</small>
        </label>
        <SubmitBar label={words.endStay} outcome={outcome} class="destructive" disabled={isWaiting}>
          <button type="button" onClick={() => onDone()}>
            {words.cancel}
          </button>
        </SubmitBar>
      </form>
    </Dialog>
  )
}

const Inside = ({ organizationId, permission, premises, places, live, reloadPermissions }: PanelProps) => {
  const { words, formats, api } = useOpened()
  const [search, setSearch] = useState("")
  const [ending, setEnding] = useState<PersonInside>()
  const [outcome, setOutcome] = useState("")
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
  const placeOf = ({ placeId }: PersonInside) => places.find((place) => place.placeId === placeId)?.name ?? words.whole
  const nameColumn = {
    title: words.name,
    cell: ({ orgAuthServerId }: PersonInside) => nameIn(names, orgAuthServerId) || "–"
  }
  const endColumn = {
    title: words.endStay,
    cell: (row: PersonInside) => (
      <ActionButton
        action={words.endStay}
        of={`${row.orgAuthServerId}, ${placeOf(row)}`}
        onClick={() => setEnding(row)}
      />
    )
  }
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
          ...(names.size === 0 ? [] : [nameColumn]),
          { title: words.place, cell: placeOf },
          { title: words.since, cell: ({ since }) => formats.moment(since) },
          ...(allows(permission, "manager") ? [endColumn] : [])
        ]}
        rows={value.filter(({ orgAuthServerId }) => isSearched(names, orgAuthServerId, search))}
        keyOf={({ placeId, orgAuthServerId }) => `${placeId} ${orgAuthServerId}`}
        file="inside"
        toCsv={(row) => {
          const { orgAuthServerId, placeId, since } = row
          const { name, surname } = names.get(orgAuthServerId) ?? {}
          return { orgAuthServerId, name, surname, placeId, place: placeId && placeOf(row), since }
        }}
      />
      <p role="status">{outcome}</p>
      {ending !== undefined && (
        <EndStay
          organizationId={organizationId}
          person={ending}
          place={placeOf(ending)}
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
