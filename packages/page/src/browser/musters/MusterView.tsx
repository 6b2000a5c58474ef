/** The musters of an organization over the whole window: the open one, the report of one that ended, or the form that starts one. */
import type { MusterDraft } from "@sojourn/client"
import type { ComponentProps } from "preact"
import { useEffect, useMemo, useState } from "preact/hooks"
import { allows } from "../organizations/model.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { PageContext, useOpened } from "../shared/context.ts"
import { Choice, Field } from "../shared/fields.tsx"
import { filledOf, Form } from "../shared/Form.tsx"
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
  readonly start: (draft: MusterDraft) => Promise<void>
}

const Start = ({ start }: StartProps) => {
  const { words } = useOpened()
  const action = useAction()
  return (
    <Form
      label={words.start}
      button={{ class: "primary" }}
      more={
        <ActionButton
          action={words.evacuateNow}
          type="submit"
          name="kind"
          value="evacuation"
          class="destructive"
          disabled={action.isWaiting}
        />
      }
      action={action}
      send={(fields) => start(filledOf(fields) as unknown as MusterDraft)}
    >
      <h2>{words.startMuster}</h2>
      <Choice label={words.kind} name="kind" texts={words} values={["drill", "evacuation"]} />
      <Field label={words.note} name="note" maxLength={512} />
    </Form>
  )
}

const MusterView = (props: MusterViewProps) => {
  const { account, organizationId, managed, openId, live, isShown, onLeave, alarms } = props
  useStyle(sheet)
  const page = useOpened()
  const { words, api } = page
  const isLive = live.connection === "live"
  const feed = live.counts.organizations.get(organizationId)
  const list = useFresh(() => api.muster.listMusters({ organizationId }), isLive, feed?.musterChanges)
  const placeList = useFresh(() => api.place.list({ organizationId }), isLive, feed?.dataChanges)
  const [kept] = useState(() => readKept<KeptMuster>(String(organizationId), account))
  const queue = useMusterQueue(account)
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
        <ActionButton action={words.toOverview} onClick={onLeave} />
      </header>
      {alarms}
      {content}
    </>
  )
  const start = async (body: MusterDraft) =>
    setChosen((await api.muster.startMuster({ organizationId, body })).musterId)
  const shownId = openId ?? chosen
  const ended = list.value?.filter(({ musterId, endedAt }) => musterId !== shownId && endedAt !== undefined) ?? []
  return (
    <PageContext.Provider value={ofZone}>
      {shownId !== undefined ? (
        <OneMuster
          key={shownId}
          {...{ account, organizationId, places, live, queue, kept, isShown, frame }}
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
            {(list.value === undefined || list.failure !== undefined) && <NotLoaded failure={list.failure} />}
            {mayManage && <Start start={start} />}
            {list.value?.length === 0 && <p>{words.noMusters}</p>}
            <EarlierMusters musters={ended} onShow={setChosen} />
          </div>
        )
      )}
    </PageContext.Provider>
  )
}

export default MusterView
