/** One organization: its name, and the view of it that is chosen in the bar at the side. */
import { useEffect, useMemo, useState } from "preact/hooks"
import type { Live } from "./live/useLive.ts"
import type { Managed } from "./organizations/model.ts"
import { Overview } from "./Overview.tsx"
import { useOrganization } from "./organizations/useOrganization.ts"
import { sentenceOf } from "./words/sentenceOf.ts"
import { PageContext, usePage } from "./shared/context.ts"
import { Lazy } from "./shared/Lazy.tsx"
import { zoneOf } from "./shared/localTime.ts"
import { boardHrefOf, hrefOf } from "./shared/route.ts"
import { NotLoaded } from "./shared/NotLoaded.tsx"
import type { Tab } from "./tabs.ts"

interface ViewsProps {
  readonly organizationId: number
  readonly tab: Tab
  /** The views that the bar leads to as one. */
  readonly views: ReadonlyArray<Tab>
}

const Views = ({ organizationId, tab, views }: ViewsProps) => {
  const { words } = usePage()
  if (views.length < 2) return null
  return (
    <nav class="tabs" aria-label={words[tab.goal]}>
      {views.map(({ id, goal, label }) => (
        <a key={id} href={hrefOf({ organizationId, tab: id })} aria-current={id === tab.id ? "page" : undefined}>
          {words[label ?? goal]}
        </a>
      ))}
    </nav>
  )
}

interface OrganizationProps {
  readonly administratorId: string
  readonly managed: Managed
  /** The views that the level allows. */
  readonly tabs: ReadonlyArray<Tab>
  readonly tab: string | undefined
  readonly live: Live
  /** Hears of the organization's data as it changes. */
  readonly onData: (id: number, data: Managed["data"]) => void
  readonly reloadPermissions: () => void
}

export const Organization = (props: OrganizationProps) => {
  const { administratorId, managed, tabs, live, onData, reloadPermissions } = props
  const page = usePage()
  const { words } = page
  const { id, permission } = managed
  const shown = useOrganization(managed, live)
  const { data, places, isLive, failure, reload } = shown
  useEffect(() => onData(id, data), [data])
  // Times of the organization are those of its own zone.
  const zone = zoneOf(data.timeZone)
  const ofZone = useMemo(() => ({ ...page, formats: page.formats.of(zone) }), [page, zone])
  const [placeId, setPlaceId] = useState<number>()
  const tab = tabs.find(({ id }) => id === props.tab)
  return (
    <PageContext.Provider value={ofZone}>
      <article>
        <div class="bar heading">
          <h1>
            <bdi>{data.name}</bdi>
          </h1>
          <span class="permission" role="status">
            {words.permission[permission]}
          </span>
          {tab !== undefined && (
            <Views organizationId={id} tab={tab} views={tabs.filter(({ goal }) => goal === tab.goal)} />
          )}
          <div class="bar">
            <a class="button" href={boardHrefOf({ organizationId: id })}>
              {words.board}
            </a>
            <a class="button" href={hrefOf({ organizationId: id, panel: "muster" })}>
              {words.muster}
            </a>
          </div>
        </div>
        {failure !== undefined && (
          <p role="alert" class="fault">
            {sentenceOf(words, failure)}{" "}
            <button type="button" onClick={reload}>
              {words.tryAgain}
            </button>
          </p>
        )}
        {!isLive ? (
          <NotLoaded failure={undefined} />
        ) : tab !== undefined ? (
          <Lazy
            key={tab.id}
            load={tab.load}
            props={{ administratorId, permission, data, places, live, reload, reloadPermissions }}
          />
        ) : (
          <Overview
            managed={managed}
            shown={shown}
            live={live}
            reloadPermissions={reloadPermissions}
            placeId={placeId}
            onSelect={setPlaceId}
          />
        )}
      </article>
    </PageContext.Provider>
  )
}
