import type { OrganizationJson, PermissionJson } from "@sojourn/adapter-http/json"
import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { RequestFailed } from "./http.ts"
import { LevelBadge } from "./LevelBadge.tsx"
import { useLive } from "./live/useLive.ts"
import type { Refused } from "./live/follow.ts"
import { type Managed, readPermission } from "./model.ts"
import { Organization } from "./Organization.tsx"
import { hrefOf, useRoute } from "./route.ts"
import type { Session } from "./session.ts"
import { type Api, sentenceOf, useLoaded, useShared } from "./shared.ts"
import { Status } from "./Status.tsx"

/** As many organizations as one stream may have. */
const STREAMED = 20

/** How long to wait before the list is read again after the server refused it for the stream, in milliseconds. */
const PAUSE = 2_000

const readManaged = async (api: Api, administratorId: string): Promise<ReadonlyArray<Managed>> => {
  const path = `/administrator/permission/${encodeURIComponent(administratorId)}`
  const permissions = (await api.get<ReadonlyArray<PermissionJson>>(path)) ?? []
  const read = async ({ organizationId, permission }: PermissionJson): Promise<ReadonlyArray<Managed>> => {
    try {
      const data = await api.get<OrganizationJson>(`/organization/${organizationId}`)
      return data === undefined ? [] : [{ id: organizationId, permission: readPermission(permission), data }]
    } catch (failure) {
      // Withdrawn or deleted since the list was read.
      if (failure instanceof RequestFailed && [403, 404].includes(failure.status)) return []
      throw failure
    }
  }
  return (await Promise.all(permissions.map(read))).flat()
}

interface OrganizationsProps {
  readonly session: Session
  readonly choice: ComponentChildren
  readonly onExpired: () => void
  readonly onSignOut: () => void
}

/** The administrator's organizations: which there are, and one of them in detail. */
export const Organizations = ({ session, choice, onExpired, onSignOut }: OrganizationsProps) => {
  const { words, formats, api } = useShared()
  const { organizationId: chosen, tab } = useRoute()
  const managed = useLoaded(() => readManaged(api, session.administratorId), [session])
  const all = managed.value ?? []
  // An organization that is gone is named after it left the list, too.
  const names = useRef(new Map<number, string>()).current
  for (const { id, data } of all) names.set(id, data.name)
  const selected = all.find(({ id }) => id === chosen) ?? all[0]

  // More organizations than one stream may have are followed one at a time.
  const streamed = all.length <= STREAMED ? all : selected === undefined ? [] : [selected]
  const onRefused = (reason: Refused) => {
    if (reason === "expired") onExpired()
    else setTimeout(managed.reload, PAUSE)
  }
  const live = useLive(
    session.token,
    streamed.map(({ id }) => id),
    managed.value,
    onRefused
  )
  const { organizations, gone } = live.counts
  const present = all.filter(({ id }) => !gone.has(id))
  const shown = selected !== undefined && !gone.has(selected.id) ? selected : present[0]

  return (
    <div class="signed-in">
      <header class="bar">
        <strong>{words.title}</strong>
        {streamed.length > 0 && <Status live={live} />}
        {choice}
        <button type="button" onClick={onSignOut}>
          {words.signOut}
        </button>
      </header>
      <main class={live.connection === "live" && !live.counts.isStale ? "" : "outdated"}>
        {managed.failure !== undefined && (
          <p role="alert" class="fault">
            {managed.failure instanceof RequestFailed && managed.failure.status === 403
              ? words.notAdministrator
              : sentenceOf(words, managed.failure)}{" "}
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
        {managed.value === undefined && managed.failure === undefined && <p>{words.loading}</p>}
        {managed.value !== undefined && present.length === 0 && <p>{words.noOrganizations}</p>}
        {present.length > 1 && (
          <nav aria-label={words.organizations}>
            {present.map(({ id, data }) => {
              const whole = organizations.get(id)?.whole
              return (
                <a
                  key={id}
                  href={hrefOf({ organizationId: id, tab })}
                  aria-current={id === shown?.id ? "page" : undefined}
                >
                  <span>{data.name}</span>
                  {whole !== undefined && (
                    <>
                      <b>{formats.number(whole.inside)}</b> <LevelBadge level={whole.level} />
                    </>
                  )}
                </a>
              )
            })}
          </nav>
        )}
        {shown !== undefined && (
          <Organization
            key={shown.id}
            administratorId={session.administratorId}
            managed={shown}
            tab={tab}
            live={live}
          />
        )}
      </main>
    </div>
  )
}
