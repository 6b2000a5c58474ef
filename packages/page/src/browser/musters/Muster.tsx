/** The panel of an organization's musters: the open one, and earlier ones. */
import type { TargetedSubmitEvent } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { MusterJson, MusterSummaryJson } from "@sojourn/adapter-http/json"
import { download } from "../shared/csv.ts"
import type { PanelProps } from "../organizations/model.ts"
import { LIST_INTERVAL_MS, useThrottled } from "../shared/useThrottled.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { usePage } from "../shared/context.ts"
import { Unread } from "../shared/Unread.tsx"
import { MusterPeople } from "./MusterPeople.tsx"
import { useAction } from "../shared/useAction.ts"

const Start = ({ start }: { start: (draft: { kind: string; note?: string }) => void }) => {
  const { words } = usePage()
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const note = String(form.get("note"))
    start({ kind: String(form.get("kind")), ...(note !== "" && { note }) })
  }
  return (
    <form onSubmit={submit}>
      <h3>{words.startMuster}</h3>
      <label>
        {words.kind}
        <select name="kind">
          <option value="drill">{words.drill}</option>
          <option value="evacuation">{words.evacuation}</option>
        </select>
      </label>
      <label>
        {words.note}
        <input name="note" maxLength={512} />
      </label>
      <button type="submit">{words.start}</button>
    </form>
  )
}

const Muster = ({ organizationId, permission, places, live, reloadPermissions }: PanelProps) => {
  const { words, formats, api } = usePage()
  // An exit changes a muster too.
  const version = useThrottled(live.counts.organizations.get(organizationId)?.version, LIST_INTERVAL_MS)
  const path = `/muster/organization/${organizationId}`
  const list = useLoaded(async () => (await api.get<ReadonlyArray<MusterSummaryJson>>(path)) ?? [], [version])
  const [chosen, setChosen] = useState<number>()
  const open = list.value?.find(({ endedAt }) => endedAt === undefined)
  // A muster that begins is shown instead of an earlier one, and stays to be seen when it ends.
  const openId = open?.musterId
  const lastOpen = useRef<number | undefined>(undefined)
  useEffect(() => {
    setChosen(openId === undefined ? lastOpen.current : undefined)
    lastOpen.current = openId ?? lastOpen.current
  }, [openId])
  const shownId = chosen ?? openId
  const shown = useLoaded(
    async () => (shownId === undefined ? undefined : await api.get<MusterJson>(`/muster/${shownId}`)),
    [shownId, version]
  )
  const { isWaiting, outcome, run } = useAction(reloadPermissions)

  /** Sends something, and reads the musters as they are after it. */
  const act = (path: string, json?: unknown) =>
    run(async () => {
      await api.send<MusterJson>("POST", path, json)
      list.reload()
      shown.reload()
    })
  const saveCsv = (musterId: number) =>
    run(async () => download(`muster-${musterId}.csv`, await api.csv(`/muster/${musterId}`)))

  const failure = list.failure ?? shown.failure
  if (list.value === undefined) return <Unread failure={failure} />
  const muster = shown.value
  const others = list.value.filter(({ musterId }) => musterId !== shownId)
  const isOpen = muster !== undefined && muster.endedAt === undefined
  return (
    <>
      <p role="status">{outcome}</p>
      {failure !== undefined && <Unread failure={failure} />}
      {open === undefined && permission !== "viewer" && <Start start={(draft) => act(path, draft)} />}
      {list.value.length === 0 && <p>{words.noMusters}</p>}
      {muster !== undefined && (
        <section class={isOpen ? "muster open" : "muster"}>
          <h3>{words[muster.kind]}</h3>
          {muster.note !== undefined && <p>{muster.note}</p>}
          <p>
            {words.startedBy(muster.startedBy, formats.moment(muster.startedAt))}
            {muster.endedAt !== undefined && `. ${words.endedAt(formats.moment(muster.endedAt))}`}
          </p>
          <dl class="numbers">
            {(["missing", "safe", "left", "inside"] as const).map((name) => (
              <div key={name} class={name}>
                <dt>{words[name]}</dt>
                <dd>{formats.number(muster[name])}</dd>
              </div>
            ))}
          </dl>
          <MusterPeople
            muster={muster}
            places={places}
            isWaiting={isWaiting}
            mark={(marking) => act(`/muster/${muster.musterId}/safe`, marking)}
          />
          <div class="bar">
            {muster.people !== undefined && (
              <button
                type="button"
                aria-label={`${words.downloadCsv}: ${words.muster}`}
                onClick={() => saveCsv(muster.musterId)}
              >
                {words.downloadCsv}
              </button>
            )}
            {isOpen && permission !== "viewer" && (
              <button
                type="button"
                disabled={isWaiting}
                onClick={() => confirm(words.endSure) && act(`/muster/${muster.musterId}/end`)}
              >
                {words.end}
              </button>
            )}
          </div>
        </section>
      )}
      {others.length > 0 && (
        <>
          <h3>{words.earlierMusters}</h3>
          <ul class="list">
            {others.map(({ musterId, kind, startedAt, missing }) => (
              <li key={musterId} class="bar">
                {formats.moment(startedAt)}, {words[kind]}: {formats.number(missing)} {words.missing}
                {musterId === openId && <b class="badge missing">{words.open}</b>}{" "}
                <button
                  type="button"
                  aria-label={`${words.show}: ${formats.moment(startedAt)}`}
                  onClick={() => setChosen(musterId)}
                >
                  {words.show}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

export default Muster
