/** The panel of the people who are inside of the selected premises, in authenticated organizations, where managers end stays that no exit ended. */
import type { PersonInside } from "@sojourn/client"
import { useState } from "preact/hooks"
import { allows, type PanelProps } from "../organizations/model.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { serverNow } from "../shared/clock.ts"
import { useOpened } from "../shared/context.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { Dialog } from "../shared/Dialog.tsx"
import { Field } from "../shared/fields.tsx"
import { type Fields, Form } from "../shared/Form.tsx"
import { instantOf, localOf } from "../shared/localTime.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import { LIST_INTERVAL_MS, useThrottled } from "../shared/useThrottled.ts"
import { isSearched, namesOf } from "../stays/names.ts"
import { useNameColumn } from "../stays/useNameColumn.ts"

interface EndStayProps {
  readonly organizationId: number
  readonly person: PersonInside
  /** The name of the place, or of the whole organization. */
  readonly place: string
  /** With what came of it; without where it was cancelled. */
  readonly onDone: (outcome?: string) => void
}

const EndStay = ({ organizationId, person, place, onDone }: EndStayProps) => {
  const { words, formats, api } = useOpened()
  const { zone } = formats
  const [now] = useState(() => localOf(serverNow(), zone))
  const { orgAuthServerId, placeId, since } = person
  const end = async ({ time }: Fields) => {
    const body = {
      orgAuthServerIds: [orgAuthServerId],
      // The server's own time is the present one.
      ...(time !== now && { exitTimestamp: new Date(instantOf(time!, zone)).toISOString() })
    }
    const { ended } =
      placeId === undefined
        ? await api.ending.endOrganization({ organizationId, body })
        : await api.ending.endPlace({ placeId, body })
    onDone(ended === 0 ? words.noStayEnded : words.endedStay(orgAuthServerId))
  }
  return (
    <Dialog title={words.endStayOf(orgAuthServerId, place)} onCancel={() => onDone()}>
      <Form
        label={words.endStay}
        button={{ class: "destructive" }}
        more={<ActionButton action={words.cancel} onClick={() => onDone()} />}
        send={end}
      >
        <Field
          label={words.exitTime}
          name="time"
          type="datetime-local"
          required
          autofocus
          min={localOf(Date.parse(since), zone)}
          max={now}
          defaultValue={now}
        >
          <small>{words.timesIn(zone)}</small>
        </Field>
      </Form>
    </Dialog>
  )
}

const Inside = ({ organizationId, permission, premises, places, live }: PanelProps) => {
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
  const nameColumn = useNameColumn(organizationId)
  if (value === undefined) return <NotLoaded failure={failure} />
  const names = namesOf(api, organizationId)
  const placeOf = ({ placeId }: PersonInside) => places.find((place) => place.placeId === placeId)?.name ?? words.whole
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
        <Field
          label={words.search}
          type="search"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <ActionButton action={words.refresh} onClick={reload} />
      </div>
      <DataTable
        caption={words.whoIsInside}
        columns={[
          { title: words.person, cell: ({ orgAuthServerId }) => orgAuthServerId },
          ...nameColumn,
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
