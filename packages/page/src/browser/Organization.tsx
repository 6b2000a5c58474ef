/** One organization: the tabs that the administrator's level allows, and the overview. */
import { useState } from "preact/hooks"
import type { Live } from "./live/useLive.ts"
import { allows, type Managed } from "./organizations/model.ts"
import { Overview } from "./Overview.tsx"
import { useOrganization } from "./organizations/useOrganization.ts"
import { sentenceOf } from "./words/sentenceOf.ts"
import { usePage } from "./shared/context.ts"
import { Lazy } from "./shared/Lazy.tsx"
import { boardHrefOf, hrefOf, replaceRoute } from "./shared/route.ts"
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
  readonly isMusterSought: boolean
  readonly hasOpenMuster: boolean
  readonly live: Live
  readonly reloadPermissions: () => void
}

export const Organization = (props: OrganizationProps) => {
  const { administratorId, managed, tab: tabId, isMusterSought, hasOpenMuster, live, reloadPermissions } = props
  const { words } = usePage()
  const { id, permission } = managed
  const shown = useOrganization(managed, live)
  const { data, places, isLive, failure, reload } = shown
  const [placeId, setPlaceId] = useState<number>()
  const tabs = TABS.filter(({ least, isFor }) => allows(permission, least) && isFor?.(data) !== false)
  const tab = tabs.find(({ id }) => id === tabId)
  return (
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
          hasOpenMuster={hasOpenMuster}
          isMusterSought={isMusterSought}
          onMusterFound={() => replaceRoute({ organizationId: id })}
        />
      )}
    </article>
  )
}
