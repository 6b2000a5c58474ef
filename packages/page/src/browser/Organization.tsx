/** One organization: its name, and the view of it that is chosen in the bar at the side. */
import { useEffect, useMemo, useState } from "preact/hooks"
import type { Live } from "./live/useLive.ts"
import type { Managed } from "./organizations/model.ts"
import { Overview } from "./Overview.tsx"
import { useOrganization } from "./organizations/useOrganization.ts"
import { Part } from "./shared/Lazy.tsx"
import { PageContext, usePage } from "./shared/context.ts"
import { zoneOf } from "./shared/localTime.ts"
import { boardHrefOf, hrefOf } from "./shared/route.ts"
import { NotLoaded } from "./shared/NotLoaded.tsx"
import type { Tab } from "./Rail.tsx"

interface OrganizationProps {
  readonly administratorId: string
  readonly managed: Managed
  /** The views that the level allows. */
  readonly tabs: ReadonlyArray<Tab>
  readonly tab: string | undefined
  readonly live: Live
  /** Hears of the organization's data as it changes. */
  readonly onData: (id: number, data: Managed["data"]) => void
}

export const Organization = (props: OrganizationProps) => {
  const { administratorId, managed, tabs, live, onData } = props
  const page = usePage()
  const { words } = page
  const { id: organizationId, permission } = managed
  const shown = useOrganization(managed, live)
  const { data, places, isLive, failure, reload } = shown
  useEffect(() => onData(organizationId, data), [data])
  // Times of the organization are those of its own zone.
  const zone = zoneOf(data.timeZone)
  const ofOrganization = useMemo(() => ({ ...page, formats: page.formats.of(zone) }), [page, zone])
  const [placeId, setPlaceId] = useState<number>()
  const tab = tabs.find(({ id }) => id === props.tab)
  /** The views that the bar leads to as one. */
  const views = tabs.filter(({ goal }) => goal === tab?.goal)
  return (
    <PageContext.Provider value={ofOrganization}>
      <article>
        <div class="bar heading">
          <h1>
            <bdi>{data.name}</bdi>
          </h1>
          <span class="permission" role="status">
            {words.permission[permission]}
          </span>
          {views.length > 1 && (
            <nav class="tabs" aria-label={words[tab!.goal]}>
              {views.map(({ id, goal, label }) => (
                <a
                  key={id}
                  href={hrefOf({ organizationId, tab: id })}
                  aria-current={id === tab!.id ? "page" : undefined}
                >
                  {words[label ?? goal]}
                </a>
              ))}
            </nav>
          )}
          <div class="bar">
            <a class="button" href={boardHrefOf({ organizationId })}>
              {words.board}
            </a>
            <a class="button" href={hrefOf({ organizationId, panel: "muster" })}>
              {words.muster}
            </a>
          </div>
        </div>
        {failure !== undefined && <NotLoaded failure={failure} reload={reload} />}
        {!isLive ? (
          <NotLoaded />
        ) : tab !== undefined ? (
          <Part key={tab.id} name={tab.part} props={{ administratorId, permission, data, places, live, reload }} />
        ) : (
          <Overview permission={permission} shown={shown} live={live} placeId={placeId} onSelect={setPlaceId} />
        )}
      </article>
    </PageContext.Provider>
  )
}
