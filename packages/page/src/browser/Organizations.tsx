/** What a signed-in administrator sees: the bar of places to go to, and what it leads to, fed by one stream. */
import { Refused } from "@sojourn/client"
import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { Account } from "./Account.tsx"
import { partOf } from "./partOf.ts"
import { useLive } from "./live/useLive.ts"
import { Organization } from "./Organization.tsx"
import { forgetKept, hasKept } from "./musters/kept.ts"
import { Alarms, MusterBanner } from "./musters/MusterBanner.tsx"
import { loadMusters, Takeover, useTakeover } from "./musters/Takeover.tsx"
import { useOpenMusters } from "./musters/useOpenMusters.ts"
import { Rail } from "./Rail.tsx"
import { hrefOf, replaceRoute, type Route } from "./shared/route.ts"
import { claimsOf, type Session } from "./shared/session.ts"
import { Lazy } from "./shared/Lazy.tsx"
import { sentenceOf } from "./words/sentenceOf.ts"
import { useThrottled } from "./shared/useThrottled.ts"
import { usePage } from "./shared/context.ts"
import { NotLoaded } from "./shared/NotLoaded.tsx"
import { Status } from "./live/Status.tsx"
import { type ListQuery, pageOf } from "./organizations/pages.ts"
import { useManaged } from "./organizations/useManaged.ts"
import { tabsOf } from "./tabs.ts"

/** How long a page of many organizations is shown before the stream follows it, in milliseconds. */
const FOLLOW_DELAY_MS = 1_000

/** How long to wait before the list is read again after the server refused it for the stream, in milliseconds. */
const RELOAD_DELAY_MS = 2_000

const loadList = partOf("OrganizationList")
const loadOperators = partOf("Operators")
const loadUnbound = partOf("Unbound")

interface OrganizationsProps {
  readonly session: Session
  readonly route: Route
  readonly choice: ComponentChildren
  readonly onSignOut: () => void
}

export const Organizations = ({ session, route, choice, onSignOut: endSession }: OrganizationsProps) => {
  const { words, openWords } = usePage()
  const { tab, panel } = route
  const managed = useManaged(route.organizationId)
  const [query, setQuery] = useState<ListQuery>({ search: "", page: 0 })
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  useEffect(() => setIsMenuOpen(false), [route])
  const all = managed.value ?? []
  // An organization that is gone is named after it left the list, too.
  const names = useRef(new Map<number, string>()).current
  for (const { id, data } of all) names.set(id, data.name)
  const isList = route.isList === true || managed.total !== 1
  const chosen = route.organizationId ?? (isList ? undefined : all[0]?.id)
  const selected = all.find(({ id }) => id === chosen)

  // Of many organizations the stream has those of the page, and the one that is shown.
  const { listed } = pageOf(all, query)
  const ids = [...new Set([...listed, ...(selected === undefined ? [] : [selected])].map(({ id }) => id))].sort(
    (a, b) => a - b
  )
  const streamed = useThrottled(ids.join(), FOLLOW_DELAY_MS).split(",").filter(Boolean).map(Number)
  const live = useLive(streamed, managed.generation, () => setTimeout(managed.reload, RELOAD_DELAY_MS))
  const { gone } = live.counts
  const present = all.filter(({ id }) => !gone.has(id))
  const musters = useOpenMusters(present, live, streamed)
  const kinds = new Map(musters.map(({ muster }) => [muster.organizationId, muster.kind]))
  const shown = present.find(({ id }) => id === chosen)
  const tabs = useMemo(() => (shown === undefined ? [] : tabsOf(shown.permission, shown.data)), [shown])
  const isRead = managed.value !== undefined && (managed.isComplete || shown !== undefined || chosen === undefined)

  // What is kept of musters is shown also while the list of organizations cannot be read.
  const musterOf = shown?.id ?? (managed.value === undefined && panel === "muster" ? chosen : undefined)
  const openId = musters.find(({ muster }) => muster.organizationId === musterOf)?.muster.musterId
  const takeover = useTakeover(musterOf, openId, panel === "muster")
  // The view is there also where the connection is lost before it is opened.
  useEffect(() => {
    if (musters.length > 0) Promise.all([loadMusters(), openWords()]).catch(() => {})
  }, [musters.length > 0])
  const showMuster = (organizationId: number) => {
    if (organizationId === musterOf) takeover.show()
    else location.hash = hrefOf({ organizationId, panel: "muster" })
  }
  const leaveMuster = () => {
    takeover.leave()
    if (panel === "muster") replaceRoute({ organizationId: musterOf! })
  }
  const onSignOut = () => {
    forgetKept()
    endSession()
  }

  // The server has accepted the token by the time that the administrator's id is known.
  const isOfAnotherKind = managed.failure instanceof Refused && managed.failure.status === 403
  const { email, sub } = claimsOf(session.token) ?? {}
  const isAccepted = managed.administratorId !== "" || isOfAnotherKind
  const who = isAccepted ? String(email ?? sub ?? managed.administratorId) : ""
  const content = useRef<HTMLElement>(null)
  const skip = (event: Event) => {
    event.preventDefault()
    content.current?.focus()
  }

  return (
    <div class="signed-in" onKeyDown={({ key }) => key === "Escape" && setIsMenuOpen(false)}>
      <a class="skip" href="#content" onClick={skip}>
        {words.skipToContent}
      </a>
      <header class="bar">
        <button
          type="button"
          class="menu"
          aria-label={words.navigation}
          aria-expanded={isMenuOpen}
          aria-controls="rail"
          onClick={() => setIsMenuOpen(!isMenuOpen)}
        >
          ☰
        </button>
        <strong>{words.title}</strong>
        {streamed.length > 0 && <Status live={live} timeZone={shown?.data.timeZone} />}
        <Account who={who} isAdministrator={managed.administratorId !== ""} onSignOut={onSignOut}>
          {choice}
        </Account>
      </header>
      <div class="frame">
        <Rail organizationId={shown?.id} tabs={tabs} tab={tab} isOpen={isMenuOpen} />
        <main
          id="content"
          ref={content}
          tabindex={-1}
          class={live.connection === "live" && !live.counts.isStale ? "" : "outdated"}
        >
          <MusterBanner musters={musters} shown={shown?.data.name} onShow={showMuster} />
          {isOfAnotherKind && <Lazy load={loadOperators} props={{}} />}
          {managed.failure !== undefined && !isOfAnotherKind && (
            <p role="alert" class="fault">
              {sentenceOf(words, managed.failure)}{" "}
              <button type="button" onClick={managed.reload}>
                {words.tryAgain}
              </button>
            </p>
          )}
          {[...gone].map(([id, reason]) => (
            <p key={id} role="alert" class="fault">
              {(reason === "deleted" ? words.goneDeleted : words.goneForbidden)(names.get(id) ?? String(id))}
            </p>
          ))}
          {!isRead && managed.failure === undefined && <NotLoaded failure={undefined} />}
          {isRead && chosen !== undefined && shown === undefined && !gone.has(chosen) && (
            <p role="alert" class="fault">
              {names.has(chosen) ? words.goneForbidden(names.get(chosen)!) : words.notThere(String(chosen))}
            </p>
          )}
          {managed.isComplete && present.length === 0 && (
            <>
              <p>{words.noOrganizations}</p>
              <Lazy load={loadUnbound} props={{ administratorId: managed.administratorId }} />
            </>
          )}
          {managed.value !== undefined && shown === undefined && present.length > 0 && (
            <Lazy
              load={loadList}
              props={{ all: present, total: managed.total, live, musters: kinds, query, onQuery: setQuery }}
            />
          )}
          {shown !== undefined && (
            <Organization
              key={shown.id}
              administratorId={managed.administratorId}
              managed={shown}
              tabs={tabs}
              tab={tab}
              live={live}
              onData={managed.setData}
              reloadPermissions={managed.reload}
            />
          )}
        </main>
      </div>
      {musterOf !== undefined && (takeover.isShown || openId !== undefined || hasKept()) && (
        <Takeover
          key={`${musterOf} ${sub}`}
          account={String(sub)}
          organizationId={musterOf}
          managed={shown}
          openId={openId}
          live={live}
          isShown={takeover.isShown}
          onLeave={leaveMuster}
          reloadPermissions={managed.reload}
          alarms={
            <Alarms musters={musters.filter(({ muster }) => muster.organizationId !== musterOf)} onShow={showMuster} />
          }
        />
      )}
    </div>
  )
}
