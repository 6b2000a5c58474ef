/** The panel of an organization's musters: the open one, and earlier ones. */
import type { TargetedSubmitEvent } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { MusterDraft } from "@sojourn/client"
import { download } from "../shared/csv.ts"
import type { PanelProps } from "../organizations/model.ts"
import { LIST_INTERVAL_MS, useThrottled } from "../shared/useThrottled.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { MusterDetails, OtherMusters } from "./MusterDetails.tsx"
import { useAction } from "../shared/useAction.tsx"

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
      <div class="bar">
        <button type="submit" disabled={isWaiting}>
          {words.start}
        </button>
        <button type="submit" name="kind" value="evacuation" class="destructive" disabled={isWaiting}>
          {words.evacuateNow}
        </button>
      </div>
    </form>
  )
}

const Muster = ({ organizationId, permission, places, live, reloadPermissions }: PanelProps) => {
  const { words, api, ask } = useOpened()
  // An exit changes a muster too.
  const version = useThrottled(live.counts.organizations.get(organizationId)?.version, LIST_INTERVAL_MS)
  const list = useLoaded(() => api.muster.listMusters({ organizationId }), [organizationId], { changes: [version] })
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
    async () => (shownId === undefined ? undefined : await api.muster.readMuster({ musterId: shownId })),
    [shownId],
    { changes: [version] }
  )
  const { isWaiting, outcome, run } = useAction(reloadPermissions)

  /** Sends something, and reads the musters as they are after it. */
  const act = (send: () => Promise<unknown>) =>
    run(async () => {
      await send()
      list.reload()
      shown.reload()
    })
  const end = async (musterId: number) => {
    if (await ask({ text: words.endSure, action: words.end, isDestructive: true }))
      act(() => api.muster.endMuster({ musterId }))
  }
  const saveCsv = (musterId: number) =>
    run(async () => download(`muster-${musterId}.csv`, await api.muster.readMusterCsv({ musterId })))

  const failure = list.failure ?? shown.failure
  if (list.value === undefined) return <NotLoaded failure={failure} />
  const muster = shown.value
  const others = list.value.filter(({ musterId }) => musterId !== shownId)
  return (
    <>
      <p role="status">{outcome}</p>
      {failure !== undefined && <NotLoaded failure={failure} />}
      {open === undefined && permission !== "viewer" && (
        <Start isWaiting={isWaiting} start={(body) => act(() => api.muster.startMuster({ organizationId, body }))} />
      )}
      {list.value.length === 0 && <p>{words.noMusters}</p>}
      {muster === undefined && shownId !== undefined && failure === undefined && <NotLoaded failure={failure} />}
      {muster !== undefined && (
        <MusterDetails
          muster={muster}
          places={places}
          isWaiting={isWaiting}
          mayEnd={permission !== "viewer"}
          mark={(body) => act(() => api.muster.markSafe({ musterId: muster.musterId, body }))}
          unmark={(person) =>
            act(() => api.muster.markMissing({ musterId: muster.musterId, body: { orgAuthServerIds: [person] } }))
          }
          sweep={(placeId, swept) =>
            act(() => api.muster.markSwept({ musterId: muster.musterId, body: { placeId, swept } }))
          }
          onEnd={() => void end(muster.musterId)}
          onSave={() => saveCsv(muster.musterId)}
        />
      )}
      {others.length > 0 && <OtherMusters musters={others} openId={openId} onShow={setChosen} />}
    </>
  )
}

export default Muster
