/** The musters of an organization, as part of operations on the state. */
import {
  anonymousNumbers,
  type ClosedStay,
  countStates,
  keepEnded,
  type MusterEntry,
  type MusterReport,
  musterPeople,
  type MusterStay,
  type OpenStay,
  type OrgAuthServerId,
  type PersonInside,
  type Timestamp,
  withoutStarter
} from "@sojourn/core"
import { answeredCounted, answeredExits, publishEvents } from "../feed/feed.ts"
import {
  everyStays,
  type MusterRecord,
  type OrganizationRecord,
  type PremisesStays,
  type State
} from "../state/State.ts"

/** A person who is inside, of premises with this totals. */
export const insideOf = ({ totals: { placeId }, openByPerson }: PremisesStays): ReadonlyArray<PersonInside> =>
  Array.from(openByPerson.values(), ({ orgAuthServerId, entrance }) => ({
    orgAuthServerId: orgAuthServerId!,
    placeId,
    since: entrance
  }))

/** The open stays of people in some premises, as musters regard them; those of `people` alone, unless it is undefined. */
const openIn = (
  { totals: { placeId }, openByPerson }: PremisesStays,
  people?: ReadonlySet<OrgAuthServerId>
): ReadonlyArray<MusterStay> => {
  const some =
    people === undefined
      ? openByPerson.values()
      : people.size < openByPerson.size
        ? [...people].flatMap((person) => openByPerson.get(person) ?? [])
        : [...openByPerson.values()].filter(({ orgAuthServerId }) => people.has(orgAuthServerId!))
  return Array.from(some, ({ orgAuthServerId, entrance }) => ({ orgAuthServerId: orgAuthServerId!, placeId, entrance }))
}

/** The open stays of people, as musters regard them. */
export const openStays = (organization: OrganizationRecord): ReadonlyArray<MusterStay> =>
  everyStays(organization).flatMap((stays) => openIn(stays))

/** The stays of people that an open muster is about; those of `people` alone, unless it is undefined. */
export const musterStays = (
  organization: OrganizationRecord,
  { stays, lastStay }: MusterRecord,
  people?: ReadonlySet<OrgAuthServerId>
): ReadonlyArray<MusterStay> =>
  everyStays(organization).flatMap((premises) => {
    const found = [...openIn(premises, people)]
    const { placeId } = premises.totals
    for (const { id, orgAuthServerId, entrance, exit } of premises.closed.values()) {
      if (orgAuthServerId === undefined || (id <= lastStay && !stays.has(id))) continue
      if (people?.has(orgAuthServerId) !== false) found.push({ orgAuthServerId, placeId, entrance, exit })
    }
    return found
  })

/** A muster as it is now, or was at its end. */
export const reportOf = (organization: OrganizationRecord, record: MusterRecord): MusterReport => {
  const { ended, inside, exits, count } = record
  const isAnonymous = record.muster.mode === "anonymous"
  if (ended !== undefined) {
    return { ...record.muster, ...ended.numbers, people: isAnonymous ? undefined : ended.people }
  }
  const muster = { ...record.muster, counted: answeredCounted(organization, organization.stays) }
  if (isAnonymous) {
    return {
      ...muster,
      ...anonymousNumbers({ inside, left: answeredExits(organization, organization.stays) - exits, safe: count })
    }
  }
  const people = musterPeople([...record.entries.values()], musterStays(organization, record))
  return { ...muster, ...countStates(people), people }
}

/** The muster of an organization that has not ended: only its last one may be open. */
export const openMuster = (organization: OrganizationRecord): MusterRecord | undefined => {
  const last = [...organization.musters.values()].at(-1)
  return last?.ended === undefined ? last : undefined
}

/** Writes entries of an open muster. */
export const keepEntries = ({ entries }: MusterRecord, changed: ReadonlyArray<MusterEntry>): void => {
  for (const entry of changed) entries.set(entry.orgAuthServerId, entry)
}

/** Keeps, in the open muster, the people of stays that end now without an exit or are about to be deleted. */
export const keepEnding = (
  organization: OrganizationRecord,
  ending: Iterable<OpenStay | ClosedStay>,
  now: Timestamp
): void => {
  const open = openMuster(organization)
  if (open === undefined || open.muster.mode === "anonymous") return
  for (const stay of ending) {
    const { orgAuthServerId, premises, entrance } = stay
    if (orgAuthServerId === undefined) continue
    const placeId = premises._tag === "PlacePremises" ? premises.placeId : undefined
    const endedAt = "exit" in stay ? stay.exit : now
    keepEntries(open, [keepEnded(open.entries.get(orgAuthServerId), { orgAuthServerId, placeId, entrance }, endedAt)])
  }
}

/** Keeps the people of a place that is about to end: who is inside, and who came in since the open muster began and left. */
export const keepPeopleOf = (
  organization: OrganizationRecord,
  { closed, open }: PremisesStays,
  now: Timestamp
): void => {
  const lastStay = openMuster(organization)?.lastStay
  if (lastStay === undefined) return
  const left = [...closed.values()].filter(({ id }) => id > lastStay)
  keepEnding(organization, [...left, ...open.values()], now)
}

/** Removes what musters keep of a person; answers how much it was. */
export const eraseFromMusters = (
  state: State,
  organization: OrganizationRecord,
  person: OrgAuthServerId,
  now: Timestamp
): number => {
  let erased = 0
  for (const [musterId, record] of organization.musters) {
    const { ended } = record
    if (ended === undefined) {
      if (!record.entries.delete(person)) continue
      erased++
      publishEvents(state, organization, now, [{ _tag: "MusterChanged", musterId, state: "updated" }])
      continue
    }
    const people = ended.people.filter(({ orgAuthServerId }) => orgAuthServerId !== person)
    erased += ended.people.length - people.length
    organization.musters.set(musterId, { ...record, ended: { ...ended, people } })
  }
  return erased
}

/** Takes the name of an administrator out of the musters that they started; answers how many these are. */
export const eraseStarter = (organization: OrganizationRecord, administratorId: string): number => {
  let erased = 0
  for (const [musterId, record] of organization.musters) {
    if (record.muster.startedBy !== administratorId) continue
    organization.musters.set(musterId, { ...record, muster: withoutStarter(record.muster) })
    erased++
  }
  return erased
}
