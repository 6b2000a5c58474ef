/** One muster: while it is open what is to be done, afterwards or on paper its report. */
import type { Muster, MusterSummary } from "@sojourn/client"
import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Live } from "../live/useLive.ts"
import type { Managed } from "../organizations/model.ts"
import { PrintButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { serverNow } from "../shared/clock.ts"
import { useAction } from "../shared/useAction.tsx"
import { isTemporary } from "../shared/useLoaded.ts"
import { usePrinting } from "../shared/usePrinting.ts"
import { type CurvePoint, missingCurve, withReading } from "./curve.ts"
import { keep } from "./kept.ts"
import { MusterHead } from "./MusterHead.tsx"
import { CountForm, MusterPeople } from "./MusterPeople.tsx"
import { PlacesToSearch } from "./PlacesToSearch.tsx"
import { MusterReport } from "./MusterReport.tsx"
import { type MusterPlace } from "./musterPlaces.ts"
import { type MusterAct, withQueue } from "./musterQueue.ts"
import { useFresh } from "./useFresh.ts"
import type { useMusterQueue } from "./useMusterQueue.ts"

/** A muster, and the counts of the places in the moment at which it was read: numbers of different moments contradict each other. */
interface Reading {
  readonly muster: Muster
  /** None before the stream's first message. */
  readonly inside?: Readonly<Record<number, number>> | undefined
  /** By the server's clock, in milliseconds since 1970. */
  readonly at: number
}

/** What the tab keeps of a muster for when there is no connection. */
export interface KeptMuster extends Reading {
  readonly name: string
  readonly mayManage: boolean
  readonly places: ReadonlyArray<MusterPlace>
  readonly seen: ReadonlyArray<CurvePoint>
}

interface StripProps {
  readonly title: string
  readonly name: string
  readonly kind?: Muster["kind"] | undefined
  readonly onLeave: () => void
}

/** The head of the window: what is shown, and the way back. */
export const Strip = ({ title, name, kind, onLeave }: StripProps) => {
  const { words } = useOpened()
  return (
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
  )
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
  readonly reloadPermissions: () => void
  /** What announces the musters of other organizations. */
  readonly alarms: ComponentChildren
}

interface OneMusterProps extends Omit<MusterViewProps, "managed" | "openId"> {
  readonly musterId: number
  readonly name: string
  readonly mayManage: boolean
  /** None until they are read. */
  readonly places: ReadonlyArray<MusterPlace> | undefined
  readonly queue: ReturnType<typeof useMusterQueue>
  readonly kept: KeptMuster | undefined
  readonly earlier: ReadonlyArray<MusterSummary>
  readonly onShow: (musterId: number) => void
  readonly onChanged: () => void
}

export const OneMuster = (props: OneMusterProps) => {
  const { account, musterId, organizationId, name, mayManage, live, queue, isShown, earlier, onShow, onLeave } = props
  const { words, formats, api, ask } = useOpened()
  const kept = props.kept?.muster.musterId === musterId ? props.kept : undefined
  const isPrinting = usePrinting()
  const { isWaiting, outcome, run } = useAction(props.reloadPermissions)
  const feed = live.counts.organizations.get(organizationId)
  const counts = useRef(feed?.places)
  counts.current = feed?.places
  const readingOf = (muster: Muster): Reading => ({
    muster,
    inside: counts.current && Object.fromEntries(Array.from(counts.current, ([id, { inside }]) => [id, inside])),
    at: serverNow()
  })
  const [hasEnded, setHasEnded] = useState(false)
  const { value, failure, put } = useFresh(
    async () => readingOf(await api.muster.readMuster({ musterId })),
    live.connection === "live",
    feed === undefined ? undefined : feed.musterChanges + feed.musterUpdates,
    hasEnded ? undefined : feed?.version
  )
  const { answered } = queue
  useEffect(() => {
    if (answered?.musterId === musterId) put(readingOf(answered))
  }, [answered])
  const reading: Reading | undefined = value ?? kept
  const places = useMemo(
    () =>
      (props.places ?? kept?.places ?? []).map((place) => ({
        ...place,
        inside: reading?.inside?.[place.placeId] ?? 0
      })),
    [props.places, reading]
  )
  const awaited = useMemo(
    () => reading && withQueue(reading.muster, queue.queue, new Date(reading.at).toISOString()),
    [reading, queue.queue]
  )
  const [seen, setSeen] = useState<ReadonlyArray<CurvePoint>>(kept?.seen ?? [])
  useEffect(() => {
    if (value === undefined) return
    setHasEnded(value.muster.endedAt !== undefined)
    const after = withReading(seen, { at: value.at, missing: value.muster.missing })
    setSeen(after)
    const isKept = value.muster.endedAt === undefined
    keep(String(organizationId), account, isKept ? { ...value, name, mayManage, places, seen: after } : undefined)
  }, [value, props.places])
  // Drawn again for what it shows alone, and not for each event of the stream.
  const work = useMemo(() => {
    if (!isShown || awaited === undefined) return
    const { muster, waiting } = awaited
    const { people } = muster
    const shared = { muster, places, waiting, act: (act: MusterAct) => queue.act(musterId, act) }
    return (
      <div class="muster-work">
        {(people !== undefined || reading?.inside !== undefined) && <PlacesToSearch {...shared} />}
        {people !== undefined && <MusterPeople {...shared} people={people} />}
      </div>
    )
  }, [isShown, awaited, places, words])
  if (!isShown) return null
  if (reading === undefined || awaited === undefined)
    return (
      <>
        <Strip title={words.muster} name={name} onLeave={onLeave} />
        {props.alarms}
        <NotLoaded failure={failure} />
      </>
    )

  const { muster, waiting } = awaited
  const isOpen = muster.endedAt === undefined
  const end = async () => {
    if (!(await ask({ text: words.endSure, action: words.end, isDestructive: true }))) return
    run(async () => {
      put(readingOf(await api.muster.endMuster({ musterId })))
      props.onChanged()
    })
  }
  const report = (
    <MusterReport
      muster={muster}
      name={name}
      places={places}
      curve={muster.people === undefined ? seen : missingCurve(muster, reading.at)}
      musters={earlier}
      onShow={onShow}
    />
  )
  const isAway = isOpen && (isTemporary(failure) || live.connection === "lost")
  const title = isOpen ? words[muster.kind] : `${words.musterReport}: ${words[muster.kind]}`
  return (
    <>
      <Strip title={title} name={name} kind={isOpen ? muster.kind : undefined} onLeave={onLeave} />
      {props.alarms}
      <div class="bar muster-notes">
        {isAway && <p role="alert">{words.lost(formats.moment(reading.at))}</p>}
        {failure !== undefined && !isTemporary(failure) && <NotLoaded failure={failure} />}
        <p role="status">{waiting.size > 0 && words.waitingEntries(formats.number(waiting.size))}</p>
        <p role="status" class="fault">
          {queue.refusal || outcome}
        </p>
      </div>
      {isPrinting || !isOpen ? (
        report
      ) : (
        <>
          <MusterHead muster={muster}>
            {muster.people === undefined && <CountForm waiting={waiting} act={(act) => queue.act(musterId, act)} />}
            <div class="bar">
              <PrintButton of={words.muster} />
              {mayManage && (
                <button type="button" class="destructive" disabled={isWaiting} onClick={() => void end()}>
                  {words.end}
                </button>
              )}
            </div>
          </MusterHead>
          {work}
        </>
      )}
    </>
  )
}
