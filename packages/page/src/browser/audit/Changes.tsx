/** The tab of who changed what in the organization, and who looked at people, for owners. */
import type { AuditEntry } from "@sojourn/client"
import { useId, useMemo, useState } from "preact/hooks"
import type { TabProps } from "../organizations/model.ts"
import { useOpened } from "../shared/context.ts"
import type { Window } from "../shared/localTime.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { Choice } from "../shared/fields.tsx"
import { IdField } from "../shared/Form.tsx"
import { type Part, PartsTable, useParts } from "../shared/useParts.tsx"
import { useWindow } from "../shared/useWindow.tsx"
import { actorText, changesText, deedText, READING } from "./sentences.ts"

/** How many entries are read at once; more of them where the page leaves some out. */
const [PART_SIZE, FILTERED_PART_SIZE] = [200, 1_000]

/** What the interface cannot leave out, the page does. */
const CHANGES_ALONE = "changes"

interface EntriesProps extends Pick<TabProps, "administratorId" | "data" | "places"> {
  readonly window: Window
  /** The name of an action, {@link CHANGES_ALONE}, or all. */
  readonly action: string
  readonly actor: string
}

/** Entries, the newest first. */
const Entries = ({ administratorId, data, places, window, action, actor }: EntriesProps) => {
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
  return (
    <PartsTable
      caption={words.changes}
      columns={[
        { title: words.time, cell: ({ at }) => formats.moment(at) },
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
  const { words, api } = useOpened()
  const organizationId = props.data.id
  const { window, element } = useWindow("week")
  const [action, setAction] = useState("")
  const [actor, setActor] = useState("")
  const known = useId()
  const administrators = useLoaded(() => api.administrator.list({ organizationId }), [organizationId])
  const texts = {
    "": words.everything,
    [CHANGES_ALONE]: words.changesAlone,
    ...words.acts,
    [READING]: words.readingsAlone
  }
  return (
    <section>
      <h2>{words.changes}</h2>
      <p>{words.changesHint}</p>
      <div class="bar">
        {element}
        <Choice label={words.what} texts={texts} value={action} onValue={setAction} />
        <IdField
          label={words.optional(words.actor)}
          type="search"
          list={known}
          defaultValue={actor}
          onChange={({ currentTarget: { value } }) => setActor(value.trim())}
        />
        <datalist id={known}>
          {administrators.value?.map(({ administratorId, mail }) => (
            <option key={administratorId} value={administratorId}>
              {mail}
            </option>
          ))}
        </datalist>
      </div>
      {window !== undefined && <Entries {...props} window={window} action={action} actor={actor} />}
    </section>
  )
}

export default Changes
