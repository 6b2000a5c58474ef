/** The overview of an organization: its map, its counts, the history of what is selected, and the panels. */
import { AreaMap } from "./areas/AreaMap.tsx"
import { HistoryChart } from "./history/HistoryChart.tsx"
import { LevelBadge } from "./live/LevelBadge.tsx"
import type { Live } from "./live/useLive.ts"
import { usePage } from "./shared/context.ts"
import { Announcer } from "./organizations/Announcer.tsx"
import { CountTable } from "./organizations/CountTable.tsx"
import { allows, type Managed, type PanelProps, pathOf } from "./organizations/model.ts"
import { Panel } from "./organizations/Panel.tsx"
import { PrintedCounts } from "./organizations/PrintedCounts.tsx"
import type { ShownOrganization } from "./organizations/useOrganization.ts"

const loadInside = () => import("./musters/Inside.tsx")
const loadMuster = () => import("./musters/Muster.tsx")
const loadCapacity = () => import("./organizations/Capacity.tsx")
const loadWebhooks = () => import("./webhooks/Webhooks.tsx")

interface SelectedProps {
  readonly panel: PanelProps
  readonly isAuthenticated: boolean
}

/** The selected premises. */
const Selected = ({ panel, isAuthenticated }: SelectedProps) => {
  const { words, formats } = usePage()
  const { organizationId, permission, premises } = panel
  const { placeId, name, count } = premises
  return (
    <section class="selected" aria-labelledby="selected">
      <h2 id="selected">{placeId === undefined ? words.whole : name}</h2>
      <p class="large">
        <b class="number">{formats.number(count.inside)}</b>{" "}
        {count.capacity === undefined ? words.inside : `/ ${formats.number(count.capacity)} ${words.inside}`}{" "}
        <LevelBadge level={count.level} />
      </p>
      <HistoryChart key={placeId} path={pathOf("presence", organizationId, placeId)} count={count} />
      {isAuthenticated && <Panel title={words.whoIsInside} load={loadInside} {...panel} />}
      {allows(permission, "manager") && <Panel title={words.capacity} load={loadCapacity} {...panel} />}
    </section>
  )
}

interface OverviewProps {
  readonly managed: Managed
  readonly shown: ShownOrganization
  readonly live: Live
  readonly reloadPermissions: () => void
  /** The selected place; none for the organization. */
  readonly placeId: number | undefined
  readonly onSelect: (placeId: number | undefined) => void
  readonly hasOpenMuster: boolean
  /** Whether the panel of musters is to be shown next. */
  readonly isMusterSought: boolean
  readonly onMusterFound: () => void
}

export const Overview = (props: OverviewProps) => {
  const { managed, shown, live, reloadPermissions, placeId, onSelect } = props
  const { words } = usePage()
  const { id, permission } = managed
  const { data, whole, livePlaces: places } = shown
  const selected = places.find((place) => place.placeId === placeId) ?? whole
  const panel = { organizationId: id, permission, premises: selected, places, live, reloadPermissions }
  return (
    <>
      <div class="columns">
        <AreaMap organizationId={id} premises={[whole, ...places]} selected={selected.placeId} onSelect={onSelect} />
        <Selected panel={panel} isAuthenticated={data.trackingMode === "authenticated"} />
        <section>
          <CountTable whole={whole} places={places} selected={selected.placeId} onSelect={onSelect} />
        </section>
      </div>
      <Panel
        title={words.muster}
        load={loadMuster}
        isOpened={props.hasOpenMuster}
        isSought={props.isMusterSought}
        onFound={props.onMusterFound}
        {...panel}
      />
      {allows(permission, "owner") && <Panel title={words.webhooks} load={loadWebhooks} {...panel} />}
      <PrintedCounts premises={[whole, ...places]} />
      <Announcer premises={[whole, ...places]} />
    </>
  )
}
