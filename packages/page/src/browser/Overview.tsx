/** The overview of an organization: its map, its counts, the history of what is selected, and the panels. */
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { AreaMap } from "./areas/AreaMap.tsx"
import { useFloors } from "./areas/useFloors.ts"
import { HistoryChart } from "./history/HistoryChart.tsx"
import { LevelBadge } from "./live/LevelBadge.tsx"
import type { Live } from "./live/useLive.ts"
import { usePage } from "./shared/context.ts"
import { hrefOf } from "./shared/route.ts"
import { Attention } from "./organizations/Attention.tsx"
import { Announcer } from "./organizations/Announcer.tsx"
import { CountTable } from "./organizations/CountTable.tsx"
import { allows, type Managed, type PanelProps } from "./organizations/model.ts"
import { Panel } from "./organizations/Panel.tsx"
import { PrintedCounts } from "./organizations/PrintedCounts.tsx"
import { SoftNumber } from "./organizations/SoftNumber.tsx"
import { useCounted } from "./organizations/useCounted.ts"
import type { ShownOrganization } from "./organizations/useOrganization.ts"
import { useSilence } from "./organizations/useSilence.ts"

/** Whether the selected premises are a drawer, as `styles/overview.css` has it. */
const isDrawer = () => matchMedia("(max-width: 60rem)").matches

const loadInside = () => import("./musters/Inside.tsx")
const loadCapacity = () => import("./organizations/Capacity.tsx")
const loadCounted = () => import("./organizations/Counted.tsx")
const loadAllOut = () => import("./organizations/AllOut.tsx")

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

/** How many are inside, as the largest text of what it is of. */
const Total = ({ organizationId, premises }: Pick<PanelProps, "organizationId" | "premises">) => {
  const { words, formats } = usePage()
  const { inside, capacity, level } = premises.count
  return (
    <div class="total">
      <p>
        <b>
          <SoftNumber value={inside} />
        </b>{" "}
        <span>
          {capacity === undefined ? words.inside : words.ofCapacity(formats.number(capacity))}{" "}
          <LevelBadge level={level} />
        </span>
      </p>
      <CountedShare organizationId={organizationId} premises={premises} />
    </div>
  )
}

interface SelectedProps {
  readonly panel: PanelProps
  readonly isAuthenticated: boolean
  /** Shows the organization again instead of a place. */
  readonly onClose: () => void
}

/** The selected premises: beside the map and the list, or on small screens a drawer over them once a place is chosen. */
const Selected = ({ panel, isAuthenticated, onClose }: SelectedProps) => {
  const { words } = usePage()
  const { organizationId, permission, premises } = panel
  const { placeId, name, count } = premises
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
      {placeId !== undefined && <Total organizationId={organizationId} premises={premises} />}
      <HistoryChart key={placeId} of={{ organizationId, placeId }} count={count} />
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
  const premises = useMemo(() => [whole, ...places], [whole, places])
  const silentOf = useSilence([id], live)
  const floors = useFloors(id, premises, placeId)
  const selected = places.find((place) => place.placeId === placeId) ?? whole
  const { timeZone } = data
  const panel = { organizationId: id, permission, timeZone, premises: selected, places, live, reloadPermissions }
  return (
    <>
      <div class="hero">
        <Total organizationId={id} premises={whole} />
        <Attention organizationId={id} places={places} silent={silentOf(id)} onSelect={onSelect} />
      </div>
      <div class="columns">
        <AreaMap floors={floors} selected={selected.placeId} onSelect={onSelect} />
        <section class="listed" aria-label={words.places}>
          {shown.isEmpty ? (
            <NoPlaces organizationId={id} mayDraw={allows(permission, "manager")} />
          ) : (
            <CountTable whole={whole} places={places} selected={selected.placeId} onSelect={onSelect} />
          )}
        </section>
        <Selected
          panel={panel}
          isAuthenticated={data.trackingMode === "authenticated"}
          onClose={() => onSelect(undefined)}
        />
      </div>
      <PrintedCounts premises={premises} />
      <Announcer premises={premises} />
    </>
  )
}
