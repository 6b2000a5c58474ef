/** One organization: the tabs that the administrator's level allows, the overview, and an alarm while a muster is open. */
import type { MusterSummaryJson } from "@sojourn/adapter-http/json"
import { useState } from "preact/hooks"
import type { Live } from "./live/useLive.ts"
import { allows, type Managed } from "./organizations/model.ts"
import { Overview } from "./Overview.tsx"
import { useOrganization } from "./organizations/useOrganization.ts"
import { sentenceOf } from "./shared/api.ts"
import { usePage } from "./shared/context.ts"
import { Lazy } from "./shared/Lazy.tsx"
import { hrefOf } from "./shared/route.ts"
import { type Tab, TABS } from "./tabs.ts"

interface TabsProps {
  readonly organizationId: number
  readonly tabs: ReadonlyArray<Tab>
  /** The id of the tab that is shown. */
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

interface AlarmProps {
  readonly muster: MusterSummaryJson
  readonly onOpen: () => void
}

const Alarm = ({ muster, onOpen }: AlarmProps) => {
  const { words, formats } = usePage()
  return (
    <p class="bar alarm">
      <b>{words.musterOpen(words[muster.kind], formats.moment(muster.startedAt))}</b>
      <button type="button" onClick={onOpen}>
        {words.toMuster}
      </button>
    </p>
  )
}

interface OrganizationProps {
  readonly administratorId: string
  readonly managed: Managed
  /** The id of the tab that the address names. */
  readonly tab: string | undefined
  readonly live: Live
  readonly reloadPermissions: () => void
}

export const Organization = ({ administratorId, managed, tab: tabId, live, reloadPermissions }: OrganizationProps) => {
  const { words } = usePage()
  const { id, permission } = managed
  const shown = useOrganization(managed, live)
  const { data, places, isLive, failure, reload, openMuster } = shown
  const [isSought, setSought] = useState(false)
  const [placeId, setPlaceId] = useState<number>()
  const tabs = TABS.filter(({ least, isFor }) => allows(permission, least) && isFor?.(data) !== false)
  const tab = tabs.find(({ id }) => id === tabId)
  const openPanel = () => {
    location.hash = hrefOf({ organizationId: id })
    setSought(true)
  }
  return (
    <article>
      <h1>{data.name}</h1>
      <p class="permission">{words.permission[permission]}</p>
      {tabs.length > 0 && <Tabs organizationId={id} tabs={tabs} current={tab?.id} />}
      <div role="alert">{openMuster !== undefined && <Alarm muster={openMuster} onOpen={openPanel} />}</div>
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
          isSought={isSought}
          onFound={() => setSought(false)}
        />
      )}
    </article>
  )
}
