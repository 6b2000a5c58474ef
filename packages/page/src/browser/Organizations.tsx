/** What a signed-in administrator sees: the bar of places to go to, and what it leads to, fed by one stream. */
import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { useLive } from "./live/useLive.ts"
import { Organization } from "./Organization.tsx"
import { forgetKept, hasKept } from "./musters/kept.ts"
import { Alarms, MusterBanner } from "./musters/MusterBanner.tsx"
import { loadMusters, Takeover, useTakeover } from "./musters/Takeover.tsx"
import { useOpenMusters } from "./musters/useOpenMusters.ts"
import { Part } from "./shared/Lazy.tsx"
import { Rail, tabsOf } from "./Rail.tsx"
import { useAction } from "./shared/useAction.tsx"
import { hrefOf, replaceRoute, type Route } from "./shared/route.ts"
import { claimsOf, type Session } from "./shared/session.ts"
import { isRefused } from "./shared/useLoaded.ts"
import { useThrottled } from "./shared/useThrottled.ts"
import { PageContext, usePage } from "./shared/context.ts"
import { Fault, NotLoaded } from "./shared/NotLoaded.tsx"
import { Status } from "./live/Status.tsx"
import { type ListQuery, pageOf } from "./organizations/order.ts"
import { useManaged } from "./organizations/useManaged.ts"
import { ActionButton } from "./shared/ActionButton.tsx"

/** How long a page of many organizations is shown before the stream follows it, in milliseconds. */
const FOLLOW_DELAY_MS = 1_000

/** How long to wait before the list is read again after the server refused it for the stream, in milliseconds. */
const RELOAD_DELAY_MS = 2_000

interface AccountProps {
  readonly who: string
  readonly isAdministrator: boolean
  readonly onSignOut: () => void
}

/** Who is signed in, and how they sign out everywhere. */
const Account = ({ who, isAdministrator, onSignOut }: AccountProps) => {
  const { words, api } = usePage()
  const { isWaiting, outcome, run } = useAction()
  const question = { text: words.signOutEverywhereSure, action: words.signOutEverywhere, isDestructive: true }
  const signOut = () => run(() => api.authentication.signOut().then(onSignOut), question)
  return (
    <>
      <button type="button" class="who" aria-label={`${words.signedInAs}: ${who}`} {...{ popovertarget: "account" }}>
        <svg viewBox="0 0 24 24" width={20} height={20} aria-hidden="true">
          <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3-6 8-6s8 2 8 6" />
        </svg>
        <bdi>{who}</bdi>
      </button>
      <div id="account" popover="auto">
        <p>
          <bdi>{who}</bdi>
        </p>
        {isAdministrator && <ActionButton action={words.signOutEverywhere} disabled={isWaiting} onClick={signOut} />}
        <p role="status">{outcome}</p>
      </div>
    </>
  )
}

interface OrganizationsProps {
  readonly session: Session
  readonly route: Route
  /** The choice of the language. */
  readonly choice: ComponentChildren
  readonly onSignOut: () => void
}

export const Organizations = ({ session, route, choice, onSignOut: endSession }: OrganizationsProps) => {
  const page = usePage()
  const { words, openWords } = page
  const { tab, panel } = route
  const managed = useManaged(route.organizationId)
  const withPermissions = useMemo(() => ({ ...page, reloadPermissions: managed.reload }), [page])
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
  const ids = all.filter((one) => one === selected || listed.includes(one)).map(({ id }) => id)
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
  const isOfAnotherKind = isRefused(managed.failure, 403)
  const { email, sub } = claimsOf(session.token) ?? {}
  const { administratorId } = managed
  const who = administratorId !== "" || isOfAnotherKind ? String(email ?? sub ?? administratorId) : ""
  const content = useRef<HTMLElement>(null)

  return (
    <PageContext.Provider value={withPermissions}>
      <div onKeyDown={({ key }) => key === "Escape" && setIsMenuOpen(false)}>
        <a
          class="skip unseen"
          href="#content"
          onClick={(event) => {
            event.preventDefault()
            content.current?.focus()
          }}
        >
          {words.skipToContent}
        </a>
        <header class="bar">
          <ActionButton
            action="☰"
            class="menu"
            aria-label={words.navigation}
            aria-expanded={isMenuOpen}
            aria-controls="rail"
            onClick={() => setIsMenuOpen(!isMenuOpen)}
          />
          <strong>{words.title}</strong>
          {streamed.length > 0 && <Status live={live} timeZone={shown?.data.timeZone} />}
          {who !== "" && <Account who={who} isAdministrator={administratorId !== ""} onSignOut={onSignOut} />}
          {choice}
          <ActionButton action={words.signOut} class="sign-out" onClick={onSignOut} />
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
            {isOfAnotherKind && <Part name="Operators" props={{}} />}
            {managed.failure !== undefined && !isOfAnotherKind && (
              <NotLoaded failure={managed.failure} reload={managed.reload} />
            )}
            {[...gone].map(([id, reason]) => (
              <Fault key={id}>
                {(reason === "deleted" ? words.goneDeleted : words.goneForbidden)(names.get(id) ?? String(id))}
              </Fault>
            ))}
            {!isRead && managed.failure === undefined && <NotLoaded />}
            {isRead && chosen !== undefined && shown === undefined && !gone.has(chosen) && (
              <Fault>
                {names.has(chosen) ? words.goneForbidden(names.get(chosen)!) : words.notThere(String(chosen))}
              </Fault>
            )}
            {managed.isComplete && present.length === 0 && (
              <>
                <p>{words.noOrganizations}</p>
                <Part name="Unbound" props={{ administratorId }} />
              </>
            )}
            {managed.value !== undefined && shown === undefined && present.length > 0 && (
              <Part
                name="OrganizationList"
                props={{ all: present, total: managed.total, live, musters: kinds, query, onQuery: setQuery }}
              />
            )}
            {shown !== undefined && (
              <Organization
                key={shown.id}
                administratorId={administratorId}
                managed={shown}
                tabs={tabs}
                tab={tab}
                live={live}
                onData={managed.setData}
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
            alarms={
              <Alarms
                musters={musters.filter(({ muster }) => muster.organizationId !== musterOf)}
                onShow={showMuster}
              />
            }
          />
        )}
      </div>
    </PageContext.Provider>
  )
}
