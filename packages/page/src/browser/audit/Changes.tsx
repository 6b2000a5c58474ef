/** The tab of who changed what in the organization, and who looked at people, for owners. */
import type { AuditEntry } from "@sojourn/client"
import { useId, useMemo, useState } from "preact/hooks"
import type { TabProps } from "../organizations/model.ts"
import { useOpened } from "../shared/context.ts"
import { type Window, zoneOf } from "../shared/localTime.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { type Part, PartsTable, useParts } from "../shared/useParts.tsx"
import { useWindow } from "../shared/useWindow.tsx"
import { actorText, actText, changesText, deedText, READING } from "./sentences.ts"

/** How many entries are read at once; more of them where the page leaves some out. */
const [PART_SIZE, FILTERED_PART_SIZE] = [200, 1_000]

/** What the interface cannot leave out, the page does. */
const CHANGES_ALONE = "changes"

interface EntriesProps extends Pick<TabProps, "administratorId" | "data" | "places"> {
  readonly window: Window
  /** The name of an action, {@link CHANGES_ALONE}, or all. */
  readonly action: string
  readonly actor: string
  readonly zone: string
}

/** Entries, the newest first. */
const Entries = ({ administratorId, data, places, window, action, actor, zone }: EntriesProps) => {
  const page = useOpened()
  const { words, formats, api } = page
  const isWithoutReadings = action === CHANGES_ALONE
  const read = async (after: string | undefined): Promise<Part<AuditEntry, string>> => {
    const part = await api.audit.list({
      organizationId: data.id,
      ...window,
      limit: isWithoutReadings ? FILTERED_PART_SIZE : PART_SIZE,
      after,
      action: isWithoutReadings || action === "" ? undefined : action,
      actor: actor === "" ? undefined : actor
    })
    const { entries = [], next } = part ?? {}
    const rows = isWithoutReadings ? entries.filter(({ action }) => action !== READING) : entries
    // A part of readings alone shows nothing.
    return rows.length === 0 && next !== undefined ? read(next) : { rows, next }
  }
  const parts = useParts(read, [window, action, actor])
  const names = useMemo(() => new Map(places.map(({ id, name }) => [id, name])), [places])
  const moment = formats.momentIn(zone)
  return (
    <PartsTable
      caption={words.changes}
      columns={[
        { title: words.time, cell: ({ at }) => moment(at) },
        { title: words.by, cell: (entry) => actorText(page, administratorId, entry) },
        { title: words.what, cell: (entry) => deedText(page, names, entry) },
        {
          title: words.changed,
          cell: (entry) => changesText(page, names, entry).map((line) => <div key={line}>{line}</div>)
        }
      ]}
      parts={parts}
      keyOf={({ id }) => String(id)}
      file={`changes-${data.id}`}
      toCsv={({ at, actor, action, target, placeId, count, changes, requestId }) => ({
        at,
        actorKind: actor.kind,
        actor: actor.id,
        action,
        targetKind: target?.kind,
        target: target?.id,
        placeId,
        count,
        changes: changes && JSON.stringify(changes),
        requestId
      })}
    />
  )
}

const Changes = (props: TabProps) => {
  const page = useOpened()
  const { words, api } = page
  const organizationId = props.data.id
  const zone = zoneOf(props.data.timeZone)
  const { window, element } = useWindow(zone, ["week", "lastWeek", "month", "dates"])
  const [action, setAction] = useState("")
  const [actor, setActor] = useState("")
  const known = useId()
  const administrators = useLoaded(() => api.administrator.list({ organizationId }), [organizationId])
  const actions = Object.keys(words.acts).filter((name) => name !== READING)
  return (
    <section>
      <h2>{words.changes}</h2>
      <p>{words.changesHint}</p>
      <div class="bar">
        {element}
        <label>
          {words.what}
          <select value={action} onChange={({ currentTarget: { value } }) => setAction(value)}>
            <option value="">{words.everything}</option>
            <option value={CHANGES_ALONE}>{words.changesAlone}</option>
            <option value={READING}>{words.readingsAlone}</option>
            {actions.map((name) => (
              <option key={name} value={name}>
                {actText(page, name)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.optional(words.actor)}
          <input
            type="search"
            list={known}
            defaultValue={actor}
            maxLength={256}
            autocomplete="off"
            onChange={({ currentTarget: { value } }) => setActor(value.trim())}
          />
        </label>
        <datalist id={known}>
          {administrators.value?.map(({ administratorId, mail }) => (
            <option key={administratorId} value={administratorId}>
              {mail}
            </option>
          ))}
        </datalist>
      </div>
      {window !== undefined && <Entries {...props} window={window} action={action} actor={actor} zone={zone} />}
    </section>
  )
}

export default Changes
