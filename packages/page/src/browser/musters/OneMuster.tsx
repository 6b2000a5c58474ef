/** One muster: while it is open what is to be done, afterwards or on paper its report. */
import type { Muster, MusterSummary } from "@sojourn/client"
import type { ComponentChildren, VNode } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Live } from "../live/useLive.ts"
import type { Managed } from "../organizations/model.ts"
import { ActionButton, PrintButton } from "../shared/ActionButton.tsx"
import { serverNow } from "../shared/clock.ts"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useAction } from "../shared/useAction.tsx"
import { isTemporary } from "../shared/useLoaded.ts"
import { usePrinting } from "../shared/usePrinting.ts"
import { type CurvePoint, missingCurve, withReading } from "./curve.ts"
import { keep } from "./kept.ts"
import { MusterHead } from "./MusterHead.tsx"
import { CountForm, MusterPeople } from "./MusterPeople.tsx"
import { MusterReport } from "./MusterReport.tsx"
import { type MusterWork, PlacesToSearch } from "./PlacesToSearch.tsx"
import { type MusterAct, withQueue } from "./musterQueue.ts"
import { useFresh } from "./useFresh.ts"
import type { useMusterQueue } from "./useMusterQueue.ts"

/** A muster, and the counts of the places in the moment at which it was read: numbers of different moments contradict each other. */
interface Reading extends Pick<MusterWork, "muster" | "inside"> {
  /** By the server's clock, in milliseconds since 1970. */
  readonly at: number
}

/** What the tab keeps of a muster for when there is no connection. */
export interface KeptMuster extends Reading, Pick<OneMusterProps, "organization" | "places"> {
  readonly seen: ReadonlyArray<CurvePoint>
}

export interface MusterViewProps {
  /** Whose token is used: the tab keeps nothing for another one. */
  readonly account: string
  readonly organizationId: number
  /** None until it is read. */
  readonly managed: Managed | undefined
  readonly openId: number | undefined
  readonly live: Live
  readonly isShown: boolean
  readonly onLeave: () => void
  /** What announces the musters of other organizations. */
  readonly alarms: ComponentChildren
}

interface OneMusterProps extends Pick<MusterViewProps, "account" | "live" | "isShown"> {
  readonly musterId: number
  readonly organizationId: number
  readonly organization: { readonly name: string; readonly timeZone?: string | undefined; readonly mayManage: boolean }
  readonly places: MusterWork["places"]
  readonly queue: ReturnType<typeof useMusterQueue>
  readonly kept: KeptMuster | undefined
  readonly earlier: ReadonlyArray<MusterSummary>
  readonly onShow: (musterId: number) => void
  readonly onChanged: () => void
  /** Puts something into the window, below its head. */
  readonly frame: (title: string, content: ComponentChildren, kind?: Muster["kind"]) => VNode
}

export const OneMuster = (props: OneMusterProps) => {
  const { musterId, organizationId, organization, places, live, queue, isShown, frame } = props
  const { words, formats, api } = useOpened()
  const kept = props.kept?.muster.musterId === musterId ? props.kept : undefined
  const isPrinting = usePrinting()
  const { isWaiting, outcome, run } = useAction()
  const feed = live.counts.organizations.get(organizationId)
  const counts = useRef(feed?.places)
  counts.current = feed?.places
  const readingOf = (muster: Muster): Reading => ({
    muster,
    inside: counts.current && Object.fromEntries(Array.from(counts.current, ([id, { inside }]) => [id, inside])),
    at: serverNow()
  })
  const { value, failure, put } = useFresh(
    async () => readingOf(await api.muster.readMuster({ musterId })),
    live.connection === "live",
    feed && feed.musterChanges + feed.musterUpdates,
    (value) => (value?.muster.endedAt === undefined ? feed?.version : undefined)
  )
  const { answered } = queue
  useEffect(() => {
    if (answered?.musterId === musterId) put(readingOf(answered))
  }, [answered])
  const reading: Reading | undefined = value ?? kept
  const awaited = useMemo(
    () => reading && withQueue(reading.muster, queue.queue, new Date(reading.at).toISOString()),
    [reading, queue.queue]
  )
  const [seen, setSeen] = useState<ReadonlyArray<CurvePoint>>(kept?.seen ?? [])
  useEffect(() => {
    if (value === undefined) return
    const after = withReading(seen, { at: value.at, missing: value.muster.missing })
    setSeen(after)
    const isOpen = value.muster.endedAt === undefined
    keep(String(organizationId), props.account, isOpen ? { ...value, organization, places, seen: after } : undefined)
  }, [value, places])
  // Drawn again for what it shows alone, and not for each event of the stream.
  const work = useMemo(() => {
    if (!isShown || awaited === undefined) return
    const shared = { ...awaited, places, inside: reading?.inside, act: (act: MusterAct) => queue.act(musterId, act) }
    return (
      <div class="muster-work">
        <PlacesToSearch {...shared} />
        {awaited.muster.people !== undefined && <MusterPeople {...shared} />}
      </div>
    )
  }, [isShown, awaited, places, words])
  if (!isShown) return null
  if (reading === undefined || awaited === undefined) return frame(words.muster, <NotLoaded failure={failure} />)

  const { muster, waiting } = awaited
  const isOpen = muster.endedAt === undefined
  const isAway = isOpen && (isTemporary(failure) || live.connection === "lost")
  const end = () =>
    run(
      async () => {
        put(readingOf(await api.muster.endMuster({ musterId })))
        props.onChanged()
      },
      { text: words.endSure, action: words.end, isDestructive: true }
    )
  return frame(
    isOpen ? words[muster.kind] : `${words.musterReport}: ${words[muster.kind]}`,
    <>
      <div class="bar">
        {isAway && <p role="alert">{words.lost(formats.moment(reading.at))}</p>}
        {failure !== undefined && !isTemporary(failure) && <NotLoaded failure={failure} />}
        <p role="status">{waiting.size > 0 && words.waitingEntries(formats.number(waiting.size))}</p>
        <p role="status" class="fault">
          {queue.refusal || outcome}
        </p>
      </div>
      {isPrinting || !isOpen ? (
        <MusterReport
          muster={muster}
          name={organization.name}
          places={places}
          curve={muster.people === undefined ? seen : missingCurve(muster, reading.at)}
          earlier={props.earlier}
          onShow={props.onShow}
        />
      ) : (
        <>
          <MusterHead muster={muster}>
            {muster.people === undefined && <CountForm waiting={waiting} act={(act) => queue.act(musterId, act)} />}
            <div class="bar">
              <PrintButton of={words.muster} />
              {organization.mayManage && (
                <ActionButton action={words.end} class="destructive" disabled={isWaiting} onClick={end} />
              )}
            </div>
          </MusterHead>
          {work}
        </>
      )}
    </>,
    isOpen ? muster.kind : undefined
  )
}
