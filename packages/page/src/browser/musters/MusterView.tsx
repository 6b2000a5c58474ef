/** The musters of an organization over the whole window: the open one, the report of one that ended, or the form that starts one. */
import type { MusterDraft } from "@sojourn/client"
import type { ComponentProps, TargetedSubmitEvent } from "preact"
import { useEffect, useMemo, useState } from "preact/hooks"
import { allows } from "../organizations/model.ts"
import { PageContext, useOpened } from "../shared/context.ts"
import { zoneOf } from "../shared/localTime.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useAction } from "../shared/useAction.tsx"
import { useStyle } from "../shared/useStyle.ts"
import sheet from "../styles/musters.css"
import { readKept } from "./kept.ts"
import { musterPlaces } from "./musterPlaces.ts"
import { EarlierMusters } from "./MusterReport.tsx"
import { type KeptMuster, type MusterViewProps, OneMuster } from "./OneMuster.tsx"
import { useFresh } from "./useFresh.ts"
import { useMusterQueue } from "./useMusterQueue.ts"

interface StartProps {
  readonly isWaiting: boolean
  readonly start: (draft: MusterDraft) => void
}

const Start = ({ isWaiting, start }: StartProps) => {
  const { words } = useOpened()
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget, event.submitter)
    const note = String(form.get("note"))
    // The kind of the button that was pressed stands after the chosen one.
    start({ kind: form.getAll("kind").at(-1) as MusterDraft["kind"], ...(note !== "" && { note }) })
  }
  return (
    <form onSubmit={submit}>
      <h2>{words.startMuster}</h2>
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
      <div class="bar">
        <button type="submit" class="primary" disabled={isWaiting}>
          {words.start}
        </button>
        <button type="submit" name="kind" value="evacuation" class="destructive" disabled={isWaiting}>
          {words.evacuateNow}
        </button>
      </div>
    </form>
  )
}

const MusterView = (props: MusterViewProps) => {
  const { account, organizationId, managed, openId, live, isShown, onLeave, reloadPermissions, alarms } = props
  useStyle(sheet)
  const page = useOpened()
  const { words, api } = page
  const isLive = live.connection === "live"
  const feed = live.counts.organizations.get(organizationId)
  const list = useFresh(() => api.muster.listMusters({ organizationId }), isLive, feed?.musterChanges)
  const placeList = useFresh(() => api.place.list({ organizationId }), isLive, feed?.dataChanges)
  const [kept] = useState(() => readKept<KeptMuster>(String(organizationId), account))
  const queue = useMusterQueue(account)
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  /** The muster that is shown while none is open: one that ends stays. */
  const [chosen, setChosen] = useState(kept?.muster.musterId)
  useEffect(() => {
    if (openId !== undefined) setChosen(openId)
    else if (!isShown && list.value !== undefined) setChosen(undefined)
  }, [openId, isShown, list.value])

  const places = useMemo(
    () => (placeList.value === undefined ? (kept?.places ?? []) : musterPlaces(placeList.value)),
    [placeList.value]
  )
  const { name, timeZone, mayManage } =
    managed === undefined
      ? (kept?.organization ?? { name: "", timeZone: undefined, mayManage: false })
      : { ...managed.data, mayManage: allows(managed.permission, "manager") }
  const zone = zoneOf(timeZone)
  const ofZone = useMemo(() => ({ ...page, formats: page.formats.of(zone) }), [page, zone])
  const frame: ComponentProps<typeof OneMuster>["frame"] = (title, content, kind) => (
    <>
      <header class={`strip ${kind ?? ""}`}>
        <h1>
          {title}{" "}
          <small>
            <bdi>{name}</bdi>
          </small>
        </h1>
        <button type="button" onClick={onLeave}>
          {words.toOverview}
        </button>
      </header>
      {alarms}
      {content}
    </>
  )
  const start = (body: MusterDraft) =>
    run(async () => setChosen((await api.muster.startMuster({ organizationId, body })).musterId))
  const shownId = openId ?? chosen
  const ended = list.value?.filter(({ musterId, endedAt }) => musterId !== shownId && endedAt !== undefined) ?? []
  return (
    <PageContext.Provider value={ofZone}>
      {shownId !== undefined ? (
        <OneMuster
          key={shownId}
          {...{ account, organizationId, places, live, queue, kept, isShown, reloadPermissions, frame }}
          musterId={shownId}
          organization={{ name, timeZone, mayManage }}
          earlier={ended}
          onShow={setChosen}
          onChanged={list.reload}
        />
      ) : (
        isShown &&
        frame(
          words.muster,
          <div class="muster-start">
            <p role="status">{outcome}</p>
            {(list.value === undefined || list.failure !== undefined) && <NotLoaded failure={list.failure} />}
            {mayManage && <Start isWaiting={isWaiting} start={start} />}
            {list.value?.length === 0 && <p>{words.noMusters}</p>}
            <EarlierMusters musters={ended} onShow={setChosen} />
          </div>
        )
      )}
    </PageContext.Provider>
  )
}

export default MusterView
