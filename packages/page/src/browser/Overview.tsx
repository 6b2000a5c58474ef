/** The overview of an organization: its map, its counts, the history of what is selected, and the panels. */
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { AreaMap } from "./areas/AreaMap.tsx"
import { useFloors } from "./areas/useFloors.ts"
import { DayFigures } from "./history/DayFigures.tsx"
import { ReplayBar, Then } from "./history/ReplayBar.tsx"
import { type Replay, useReplay } from "./history/useReplay.ts"
import { LevelBadge } from "./live/LevelBadge.tsx"
import type { Live } from "./live/useLive.ts"
import { usePage } from "./shared/context.ts"
import { hrefOf } from "./shared/route.ts"
import { Attention, useSilence } from "./organizations/Attention.tsx"
import { Lazy, Part } from "./shared/Lazy.tsx"
import { Details } from "./shared/Section.tsx"
import { Announcer, PrintedCounts } from "./organizations/Announcer.tsx"
import { CountTable } from "./organizations/CountTable.tsx"
import { allows, type PanelProps, type Permission, type Premises } from "./organizations/model.ts"
import { SoftNumber } from "./organizations/SoftNumber.tsx"
import { CountedShare } from "./organizations/CountedShare.tsx"
import type { ShownOrganization } from "./organizations/useOrganization.ts"
import { ActionButton } from "./shared/ActionButton.tsx"

/** Whether the selected premises are a drawer, as `styles/overview.css` has it. */
const isDrawer = () => matchMedia("(max-width: 60rem)").matches

const loadChart = () => import("./history/HistoryChart.tsx")

/** What is shown of premises. */
interface ShownProps {
  readonly panel: PanelProps
  readonly replay: Replay
  /** The premises of the panel at the moment that the replay shows. */
  readonly then: Premises
}

/** How many are inside, as the largest text, of how many, and what the day had. */
const Numbers = ({ panel: { organizationId, premises }, replay, then }: ShownProps) => {
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

interface SelectedProps extends ShownProps {
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
  const panels = [
    ...(isAuthenticated ? [["Inside", words.whoIsInside] as const] : []),
    ...(allows(permission, "manager")
      ? ([
          ["Capacity", words.capacity],
          ["Counted", words.counted],
          ["AllOut", words.allOut]
        ] as const)
      : [])
  ]
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
          <ActionButton action="×" class="close" aria-label={words.closeDetails(name)} onClick={close} />
        )}
      </div>
      {placeId !== undefined && <Numbers panel={panel} replay={replay} then={then} />}
      <Lazy load={loadChart} props={{ of, count, inside: then.count.inside, replay }} isPlain />
      {panels.map(([name, title]) => (
        <Details key={name === "AllOut" ? `${name} ${placeId}` : name} title={<h2>{title}</h2>}>
          <Part name={name} props={panel} />
        </Details>
      ))}
    </section>
  )
}

interface OverviewProps {
  readonly permission: Permission
  readonly shown: ShownOrganization
  readonly live: Live
  readonly placeId: number | undefined
  readonly onSelect: (placeId: number | undefined) => void
}

export const Overview = ({ permission, shown, live, placeId, onSelect }: OverviewProps) => {
  const { words } = usePage()
  const { data, whole, livePlaces: places } = shown
  const { id: organizationId, trackingMode } = data
  const silentOf = useSilence([organizationId], live)
  const selectedOf = (of: Pick<Replay["shown"], "whole" | "places">) =>
    of.places.find((place) => place.placeId === placeId) ?? of.whole
  const selected = selectedOf({ whole, places })
  const replay = useReplay(organizationId, shown, selected.placeId)
  const then = replay.shown
  const now = useMemo(() => [whole, ...places], [whole, places])
  const premises = useMemo(() => [then.whole, ...then.places], [then.whole, then.places])
  const floors = useFloors(organizationId, premises, placeId)
  const panel = { organizationId, permission, premises: selected, places, live }
  return (
    <>
      <div class="hero">
        <Numbers panel={{ ...panel, premises: whole }} replay={replay} then={then.whole} />
        {!replay.isPast && (
          <Attention
            organizationId={organizationId}
            places={places}
            silent={silentOf(organizationId)}
            onSelect={onSelect}
          />
        )}
      </div>
      <div class={replay.isPast ? "columns past" : "columns"}>
        <div>
          <AreaMap floors={floors} selected={selected.placeId} onSelect={onSelect} />
          <ReplayBar replay={replay} inside={selectedOf(then).count.inside} />
        </div>
        <section class="listed" aria-label={words.places}>
          <Then replay={replay} />
          {shown.isEmpty ? (
            <>
              <h2>{words.noPlaces}</h2>
              <p>{words.noPlacesHint}</p>
              {allows(permission, "manager") && (
                <a class="button primary" href={hrefOf({ organizationId, tab: "areas", panel: "new" })}>
                  {words.drawFirst}
                </a>
              )}
            </>
          ) : (
            <CountTable whole={then.whole} places={then.places} selected={selected.placeId} onSelect={onSelect} />
          )}
        </section>
        <Selected
          panel={panel}
          replay={replay}
          then={selectedOf(then)}
          isAuthenticated={trackingMode === "authenticated"}
          onClose={() => onSelect(undefined)}
        />
      </div>
      <PrintedCounts premises={now} />
      {!replay.isPast && <Announcer premises={now} />}
    </>
  )
}
