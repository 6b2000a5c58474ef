/** The musters of an organization over the whole window: the open one, the report of one that ended, or the form that starts one. */
import type { MusterDraft } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useEffect, useMemo, useState } from "preact/hooks"
import { levelOf, lineagesOf } from "../organizations/lineages.ts"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useAction } from "../shared/useAction.tsx"
import { useStyle } from "../shared/useStyle.ts"
import sheet from "../styles/musters.css"
import { EarlierMusters } from "./MusterReport.tsx"
import { type KeptMuster, type MusterViewProps, OneMuster, Strip } from "./OneMuster.tsx"
import { readKept } from "./kept.ts"
import type { MusterPlace } from "./musterPlaces.ts"
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
  const { words, api } = useOpened()
  const isLive = live.connection === "live"
  const feed = live.counts.organizations.get(organizationId)
  const list = useFresh(() => api.muster.listMusters({ organizationId }), isLive, feed?.musterChanges)
  const placeList = useFresh(() => api.place.list({ organizationId }), isLive, feed?.dataChanges)
  const [kept] = useState(() => readKept<KeptMuster>(String(organizationId), account))
  const queue = useMusterQueue(account)
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  const [chosen, setChosen] = useState<number>()
  // One that ends stays to be seen.
  const [lastOpen, setLastOpen] = useState(kept?.muster.endedAt === undefined ? kept?.muster.musterId : undefined)
  useEffect(() => {
    if (openId === undefined) return
    setLastOpen(openId)
    setChosen(undefined)
  }, [openId])
  useEffect(() => {
    if (!isShown && openId === undefined && list.value !== undefined) setLastOpen(undefined)
  }, [isShown, openId, list.value])

  const places = useMemo(() => {
    const lineages = lineagesOf(placeList.value ?? [])
    return placeList.value?.map(({ id, name }): MusterPlace => {
      const lineage = lineages.get(id)!
      return { placeId: id, name, level: levelOf(lineage), around: lineage.slice(1).map(({ id }) => id), inside: 0 }
    })
  }, [placeList.value])
  const name = managed?.data.name ?? kept?.name ?? ""
  const mayManage = managed === undefined ? kept?.mayManage === true : managed.permission !== "viewer"
  const musters = list.value ?? []
  const shownId = chosen ?? openId ?? lastOpen
  const leave = () => {
    setChosen(undefined)
    onLeave()
  }
  if (shownId !== undefined)
    return (
      <OneMuster
        key={shownId}
        {...props}
        {...{ musterId: shownId, name, mayManage, places, queue, kept }}
        earlier={musters.filter(({ musterId, endedAt }) => musterId !== shownId && endedAt !== undefined)}
        onShow={setChosen}
        onLeave={leave}
        onChanged={list.reload}
      />
    )
  if (!isShown) return null
  const start = (body: MusterDraft) =>
    run(async () => {
      const { musterId } = await api.muster.startMuster({ organizationId, body })
      setLastOpen(musterId)
    })
  return (
    <>
      <Strip title={words.muster} name={name} onLeave={leave} />
      {alarms}
      <div class="muster-start">
        <p role="status">{outcome}</p>
        {(list.value === undefined || list.failure !== undefined) && <NotLoaded failure={list.failure} />}
        {mayManage && <Start isWaiting={isWaiting} start={start} />}
        {list.value?.length === 0 && <p>{words.noMusters}</p>}
        <EarlierMusters musters={musters} onShow={setChosen} />
      </div>
    </>
  )
}

export default MusterView
