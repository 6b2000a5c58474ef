/** The overview of an organization: its map, its counts, the history of what is selected, and the panels. */
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { AreaMap } from "./areas/AreaMap.tsx"
import { useFloors } from "./areas/useFloors.ts"
import { DayFigures } from "./history/DayFigures.tsx"
import { ReplayBar, Then } from "./history/ReplayBar.tsx"
import { type Replay, useReplay } from "./history/useReplay.ts"
import { partOf } from "./partOf.ts"
import { LevelBadge } from "./live/LevelBadge.tsx"
import type { Live } from "./live/useLive.ts"
import { usePage } from "./shared/context.ts"
import { hrefOf } from "./shared/route.ts"
import { Attention } from "./organizations/Attention.tsx"
import { Lazy } from "./shared/Lazy.tsx"
import { Announcer } from "./organizations/Announcer.tsx"
import { CountTable } from "./organizations/CountTable.tsx"
import { allows, type Managed, type PanelProps, type Premises } from "./organizations/model.ts"
import { Panel } from "./organizations/Panel.tsx"
import { PrintedCounts } from "./organizations/PrintedCounts.tsx"
import { SoftNumber } from "./organizations/SoftNumber.tsx"
import { useCounted } from "./organizations/useCounted.ts"
import type { ShownOrganization } from "./organizations/useOrganization.ts"
import { useSilence } from "./organizations/useSilence.ts"

/** Whether the selected premises are a drawer, as `styles/overview.css` has it. */
const isDrawer = () => matchMedia("(max-width: 60rem)").matches

const loadChart = () => import("./history/HistoryChart.tsx")
const loadInside = partOf("Inside")
const loadCapacity = partOf("Capacity")
const loadCounted = partOf("Counted")
const loadAllOut = partOf("AllOut")

/** How many of the people inside devices counted; nothing where none did. Both numbers are of one reading, which is named where it is not the live one. */
const CountedShare = ({ organizationId, premises }: Pick<PanelProps, "organizationId" | "premises">) => {
  const { words, formats } = usePage()
  const { counted = 0, inside = 0 } = useCounted(organizationId, premises).value ?? {}
  if (counted === 0) return null
  const { number } = formats
  const shares = [number(counted), number(inside - counted)] as const
  return (
    <p class="counted">
      {inside === premises.count.inside
        ? words.countedShare(...shares)
        : words.countedBefore(number(inside), ...shares)}
    </p>
  )
}

interface NumbersProps {
  readonly panel: Pick<PanelProps, "organizationId" | "premises">
  readonly replay: Replay
  /** The premises of the panel at the moment that is shown. */
  readonly then: Premises
}

/** How many are inside, as the largest text, of how many, and what the day had. */
const Numbers = ({ panel: { organizationId, premises }, replay, then }: NumbersProps) => {
  const { words, formats } = usePage()
  const { capacity } = premises.count
  return (
    <>
      <div class="total">
        <p>
          <b>
            <SoftNumber value={then.count.inside} />
          </b>{" "}
          <span>
            {capacity === undefined ? words.inside : words.ofCapacity(formats.number(capacity))}{" "}
            <LevelBadge level={then.count.level} /> <Then replay={replay} />
          </span>
        </p>
        {!replay.isPast && <CountedShare organizationId={organizationId} premises={premises} />}
      </div>
      <DayFigures of={{ organizationId, placeId: premises.placeId }} count={premises.count} replay={replay} />
    </>
  )
}

interface SelectedProps {
  readonly panel: PanelProps
  readonly replay: Replay
  /** The selected premises at the moment that the replay shows. */
  readonly then: Premises
  readonly isAuthenticated: boolean
  /** Shows the organization again instead of a place. */
  readonly onClose: () => void
}

/** The selected premises: beside the map and the list, or on small screens a drawer over them once a place is chosen. */
const Selected = ({ panel, replay, then, isAuthenticated, onClose }: SelectedProps) => {
  const { words } = usePage()
  const { organizationId, permission, premises } = panel
  const { placeId, name, count } = premises
  const of = { organizationId, placeId }
  const section = useRef<HTMLElement>(null)
  const opener = useRef<Element | null>(null)
  // A drawer covers what was pressed, and takes the focus; closing gives it back.
  useLayoutEffect(() => {
    if (placeId === undefined || !isDrawer()) return
    opener.current ??= document.activeElement
    section.current!.focus({ preventScroll: true })
  }, [placeId])
  const close = () => {
    onClose()
    if (opener.current instanceof HTMLElement || opener.current instanceof SVGElement) opener.current.focus()
    opener.current = null
  }
  return (
    <section
      ref={section}
      class={placeId === undefined ? "selected" : "selected drawer"}
      aria-labelledby="selected"
      tabindex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape" && placeId !== undefined) close()
      }}
    >
      <div class="bar">
        <h2 id="selected">{placeId === undefined ? words.whole : <bdi>{name}</bdi>}</h2>
        {placeId !== undefined && (
          <button type="button" class="close" aria-label={words.closeDetails(name)} onClick={close}>
            ×
          </button>
        )}
      </div>
      {placeId !== undefined && <Numbers panel={panel} replay={replay} then={then} />}
      <Lazy load={loadChart} props={{ of, count, inside: then.count.inside, replay }} isPlain />
      {isAuthenticated && <Panel title={words.whoIsInside} load={loadInside} {...panel} />}
      {allows(permission, "manager") && (
        <>
          <Panel title={words.capacity} load={loadCapacity} {...panel} />
          <Panel title={words.counted} load={loadCounted} {...panel} />
          <Panel key={placeId} title={words.allOut} load={loadAllOut} {...panel} />
        </>
      )}
    </section>
  )
}

interface NoPlacesProps {
  readonly organizationId: number
  readonly mayDraw: boolean
}

/** What to do where there are no places yet. */
const NoPlaces = ({ organizationId, mayDraw }: NoPlacesProps) => {
  const { words } = usePage()
  return (
    <>
      <h2>{words.noPlaces}</h2>
      <p>{words.noPlacesHint}</p>
      {mayDraw && (
        <a class="button primary" href={hrefOf({ organizationId, tab: "areas", panel: "new" })}>
          {words.drawFirst}
        </a>
      )}
    </>
  )
}

interface OverviewProps {
  readonly managed: Managed
  readonly shown: ShownOrganization
  readonly live: Live
  readonly reloadPermissions: () => void
  readonly placeId: number | undefined
  readonly onSelect: (placeId: number | undefined) => void
}

export const Overview = (props: OverviewProps) => {
  const { managed, shown, live, reloadPermissions, placeId, onSelect } = props
  const { words } = usePage()
  const { id, permission } = managed
  const { data, whole, livePlaces: places } = shown
  const silentOf = useSilence([id], live)
  const selectedOf = (of: Pick<Replay["shown"], "whole" | "places">) =>
    of.places.find((place) => place.placeId === placeId) ?? of.whole
  const selected = selectedOf({ whole, places })
  const replay = useReplay(id, shown, selected.placeId)
  const then = replay.shown
  const now = useMemo(() => [whole, ...places], [whole, places])
  const premises = useMemo(() => [then.whole, ...then.places], [then.whole, then.places])
  const floors = useFloors(id, premises, placeId)
  const panel = { organizationId: id, permission, premises: selected, places, live, reloadPermissions }
  return (
    <>
      <div class="hero">
        <Numbers panel={{ ...panel, premises: whole }} replay={replay} then={then.whole} />
        {!replay.isPast && <Attention organizationId={id} places={places} silent={silentOf(id)} onSelect={onSelect} />}
      </div>
      <div class={replay.isPast ? "columns past" : "columns"}>
        <div>
          <AreaMap floors={floors} selected={selected.placeId} onSelect={onSelect} />
          <ReplayBar replay={replay} inside={selectedOf(then).count.inside} />
        </div>
        <section class="listed" aria-label={words.places}>
          <Then replay={replay} />
          {shown.isEmpty ? (
            <NoPlaces organizationId={id} mayDraw={allows(permission, "manager")} />
          ) : (
            <CountTable whole={then.whole} places={then.places} selected={selected.placeId} onSelect={onSelect} />
          )}
        </section>
        <Selected
          panel={panel}
          replay={replay}
          then={selectedOf(then)}
          isAuthenticated={data.trackingMode === "authenticated"}
          onClose={() => onSelect(undefined)}
        />
      </div>
      <PrintedCounts premises={now} />
      {!replay.isPast && <Announcer premises={now} />}
    </>
  )
}
