/** One organization: the tabs that the administrator's level allows, and the overview. */
import { useMemo, useState } from "preact/hooks"
import type { Live } from "./live/useLive.ts"
import { allows, type Managed } from "./organizations/model.ts"
import { Overview } from "./Overview.tsx"
import { useOrganization } from "./organizations/useOrganization.ts"
import { sentenceOf } from "./words/sentenceOf.ts"
import { PageContext, usePage } from "./shared/context.ts"
import { Lazy } from "./shared/Lazy.tsx"
import { zoneOf } from "./shared/localTime.ts"
import { boardHrefOf, hrefOf } from "./shared/route.ts"
import { type Tab, TABS } from "./tabs.ts"

interface TabsProps {
  readonly organizationId: number
  readonly tabs: ReadonlyArray<Tab>
  readonly current: string | undefined
}

const Tabs = ({ organizationId, tabs, current }: TabsProps) => {
  const { words } = usePage()
  return (
    <nav class="tabs" aria-label={words.tabs}>
      {[{ id: undefined, label: "overview" } as const, ...tabs].map(({ id, label }) => (
        <a key={id} href={hrefOf({ organizationId, tab: id })} aria-current={id === current ? "page" : undefined}>
          {words[label]}
        </a>
      ))}
    </nav>
  )
}

interface OrganizationProps {
  readonly administratorId: string
  readonly managed: Managed
  readonly tab: string | undefined
  readonly live: Live
  readonly reloadPermissions: () => void
}

export const Organization = (props: OrganizationProps) => {
  const { administratorId, managed, tab: tabId, live, reloadPermissions } = props
  const page = usePage()
  const { words } = page
  const { id, permission } = managed
  const shown = useOrganization(managed, live)
  const { data, places, isLive, failure, reload } = shown
  // Times of the organization are those of its own zone.
  const zone = zoneOf(data.timeZone)
  const ofZone = useMemo(() => ({ ...page, formats: page.formats.of(zone) }), [page, zone])
  const [placeId, setPlaceId] = useState<number>()
  const tabs = TABS.filter(({ least, isFor }) => allows(permission, least) && isFor?.(data) !== false)
  const tab = tabs.find(({ id }) => id === tabId)
  return (
    <PageContext.Provider value={ofZone}>
      <article>
        <div class="bar heading">
          <h1>
            <bdi>{data.name}</bdi>
          </h1>
          <span class="permission">{words.permission[permission]}</span>
          {tabs.length > 0 && <Tabs organizationId={id} tabs={tabs} current={tab?.id} />}
          <a class="button" href={boardHrefOf(id)}>
            {words.board}
          </a>
          <a class="button" href={hrefOf({ organizationId: id, panel: "muster" })}>
            {words.muster}
          </a>
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
          <p>{words.loading}</p>
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
