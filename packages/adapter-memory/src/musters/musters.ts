/** The musters of an organization, as part of operations on the state. */
import {
  type AdministratorId,
  anonymousNumbers,
  type ClosedStay,
  countStates,
  isBlank,
  isMentionedIn,
  keepEnded,
  type MusterCounts,
  type MusterEntry,
  type MusterReport,
  musterPeople,
  musterPremises,
  type MusterStay,
  type OpenStay,
  type OrgAuthServerId,
  type PersonInside,
  type PlaceId,
  type Timestamp,
  withoutMention
} from "@sojourn/core"
import { answeredCounted, answeredEntered, answeredExits, answeredInside, publishEvents } from "../feed/feed.ts"
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
      if (orgAuthServerId === undefined || (id <= lastStay && !stays.has(id)) || premises.imported.has(id)) continue
      if (people?.has(orgAuthServerId) !== false) found.push({ orgAuthServerId, placeId, entrance, exit })
    }
    return found
  })

/** A muster without its numbers, as answers have it. */
const shown = ({ muster }: MusterRecord): MusterRecord["muster"] => ({
  ...muster,
  swept: muster.swept?.length === 0 ? undefined : muster.swept
})

const EMPTY_COUNTS: MusterCounts = { inside: 0, entered: 0, exits: 0 }

/** What some premises answer; those that have ended answer nothing. */
const countsOf = (organization: OrganizationRecord, premises: ReadonlyArray<PlaceId | undefined>): MusterCounts =>
  premises
    .flatMap((placeId) =>
      placeId === undefined ? organization.stays : (organization.places.get(placeId)?.stays ?? [])
    )
    .reduce(
      ({ inside, entered, exits }, stays) => ({
        inside: inside + answeredInside(organization, stays),
        entered: entered + answeredEntered(organization, stays),
        exits: exits + answeredExits(organization, stays)
      }),
      EMPTY_COUNTS
    )

/** What a muster that begins now goes by where it is anonymous. */
export const beginCounting = (organization: OrganizationRecord): Pick<MusterRecord, "premises" | "began"> => {
  const premises = musterPremises(
    answeredInside(organization, organization.stays),
    Array.from(organization.places, ([placeId, { place, stays }]) => ({
      placeId,
      parentId: place.parentId,
      inside: answeredInside(organization, stays)
    }))
  )
  return { premises, began: countsOf(organization, premises) }
}

/** Keeps what a place that is about to end counted, in the open muster that goes by it. */
export const keepCountsOf = (organization: OrganizationRecord, placeId: PlaceId): void => {
  const open = openMuster(organization)
  if (open?.premises.includes(placeId) !== true) return
  const { entered, exits } = countsOf(organization, [placeId])
  organization.musters.set(open.muster.id, {
    ...open,
    premises: open.premises.filter((other) => other !== placeId),
    began: { ...open.began, entered: open.began.entered - entered, exits: open.began.exits - exits }
  })
}

/** A muster as it is now, or was at its end. */
export const reportOf = (organization: OrganizationRecord, record: MusterRecord): MusterReport => {
  const { ended, premises, began, count } = record
  const isAnonymous = record.muster.mode === "anonymous"
  if (ended !== undefined) {
    return { ...shown(record), ...ended.numbers, people: isAnonymous ? undefined : ended.people }
  }
  const muster = { ...shown(record), counted: answeredCounted(organization, organization.stays) }
  if (isAnonymous) {
    const now = countsOf(organization, premises)
    const since = { inside: began.inside, entered: now.entered - began.entered, exits: now.exits - began.exits }
    return { ...muster, ...anonymousNumbers(since, count) }
  }
  const people = musterPeople([...record.entries.values()], musterStays(organization, record))
  return { ...muster, ...countStates(people), people }
}

/** The muster of an organization that has not ended: only its last one may be open. */
export const openMuster = (organization: OrganizationRecord): MusterRecord | undefined => {
  const last = [...organization.musters.values()].at(-1)
  return last?.ended === undefined ? last : undefined
}

/** Writes entries of an open muster, and removes blank ones. */
export const keepEntries = ({ entries }: MusterRecord, changed: ReadonlyArray<MusterEntry>): void => {
  for (const entry of changed) {
    if (isBlank(entry)) entries.delete(entry.orgAuthServerId)
    else entries.set(entry.orgAuthServerId, entry)
  }
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
  { closed, imported, open }: PremisesStays,
  now: Timestamp
): void => {
  const lastStay = openMuster(organization)?.lastStay
  if (lastStay === undefined) return
  const left = [...closed.values()].filter(({ id }) => id > lastStay && !imported.has(id))
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

/** Takes the name of an administrator out of the musters that they started, or searched places in; answers how many these are. */
export const eraseMentions = (organization: OrganizationRecord, administratorId: AdministratorId): number => {
  const named = [...organization.musters.values()].filter(({ muster }) => isMentionedIn(muster, administratorId))
  for (const record of named) {
    const muster = withoutMention(record.muster, administratorId)
    organization.musters.set(muster.id, { ...record, muster })
  }
  return named.length
}
