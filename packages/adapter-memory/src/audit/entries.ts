/** The entries of the audit that name somebody. */
import { type AuditEntry, entryForSubject, ERASED, type OrganizationId, type OrgAuthServerId } from "@sojourn/core"
import type { State } from "../state/State.ts"

type Condition = (entry: AuditEntry) => boolean

const isTarget = ({ target }: AuditEntry, kind: string, id: string) => target?.kind === kind && target.id === id

const isActor = ({ actor }: AuditEntry, kind: string, id: string) => actor.kind === kind && actor.id === id

/** Entries about a person of an organization. */
export const isAboutPerson =
  (organizationId: OrganizationId, person: OrgAuthServerId): Condition =>
  (entry) =>
    entry.organizationId === organizationId && isTarget(entry, "person", person)

/** Who entries name apart from people of organizations. */
type NamedKind = "administrator" | "operator" | "user"

/** Entries of an administrator, an operator or a user, as the one who acted or whom it concerned. */
export const names =
  (kind: NamedKind, id: string): Condition =>
  (entry) =>
    isActor(entry, kind, id) || isTarget(entry, kind, id)

/** Who looked at a person of an organization, and what was done to them. */
export const entriesAboutPerson = (state: State, organizationId: OrganizationId, person: OrgAuthServerId) =>
  state.audit.filter(isAboutPerson(organizationId, person))

/** What an administrator, an operator or a user did, and what was done to them, as they may read it. */
export const entriesNaming = (state: State, kind: NamedKind, id: string) =>
  state.audit.filter(names(kind, id)).map(entryForSubject({ kind, id }))

/** Takes the name out of the entries; answers how many there were. */
export const eraseEntries = (state: State, condition: Condition): number => {
  let erased = 0
  state.audit.forEach((entry, i) => {
    if (!condition(entry)) return
    const { actor, target, ...rest } = entry
    const named = target !== undefined && condition({ ...entry, actor: { kind: "policy", id: "" } })
    const acted = condition({ ...entry, target: undefined })
    state.audit[i] = {
      ...rest,
      actor: acted ? { ...actor, id: ERASED } : actor,
      target: named ? { ...target, id: ERASED } : target
    }
    erased++
  })
  return erased
}
