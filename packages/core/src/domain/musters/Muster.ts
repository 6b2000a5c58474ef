/** The rules of a muster: who was inside of an organization when it began or came in since, and who of them is safe. */
import type * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  type AdministratorId,
  type MusterId,
  type OrganizationId,
  OrgAuthServerId,
  type PlaceId,
  textOf
} from "../shared/Ids.ts"
import { csvHeader, csvLine } from "../shared/Csv.ts"
import { type PermissionTooLow, requireLevel } from "../accounts/Permission.ts"
import type { PermissionLevel } from "../accounts/PermissionLevel.ts"
import type { Premises } from "../shared/Premises.ts"
import { formatTimestamp, type Timestamp } from "../shared/Timestamp.ts"
import type { TrackingMode } from "../shared/TrackingMode.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** Why a muster is held. */
export const MusterKind = Schema.Literals(["drill", "evacuation"])
export type MusterKind = typeof MusterKind.Type

/** What its starter notes of a muster: at most 512 characters. */
export const MusterNote = textOf(0, 512)

/** The people that one call marks as safe: 1 to 1,000. */
export const MarkedPeople = Schema.NonEmptyArray(OrgAuthServerId).check(Schema.isMaxLength(1_000))

/** How many people a muster may hold who were not known to be inside, where no more than that were inside. */
export const LEAST_ADDED = 1_000

/** A place that was searched in a muster: when, and by whom. */
export interface SweptPlace {
  readonly placeId: PlaceId
  readonly at: Timestamp
  readonly by: AdministratorId
}

/** How many people are at the muster point of an anonymous organization, in all. */
export const MarkedCount = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000_000 }))

/**
 * Where a person of a muster is: `left` who is inside of nothing any more, else `safe` who was marked, else `missing`.
 */
export type MusterState = "missing" | "safe" | "left"

/** A person of a muster as of one moment. */
export interface MusterPerson {
  readonly orgAuthServerId: OrgAuthServerId
  /** The places that the person is inside of, or was last, by id; none where it is the organization alone. */
  readonly placeIds: ReadonlyArray<PlaceId>
  /** The entrance of the earliest of these stays; none where the person was never known to be inside. */
  readonly since?: Timestamp | undefined
  readonly state: MusterState
  /** When a `safe` person was marked, and the exit of one who `left`, where it is known. */
  readonly at?: Timestamp | undefined
}

/** What an open muster keeps of a person, beside what their stays say. */
export interface MusterEntry {
  readonly orgAuthServerId: OrgAuthServerId
  /** Where the person was inside when the entry was written, or was last by the stays that `endedAt` is of, and since when. */
  readonly placeIds: ReadonlyArray<PlaceId>
  readonly since?: Timestamp | undefined
  readonly markedAt?: Timestamp | undefined
  /** When the last of their stays ended that ended without an exit, or that is no longer stored. */
  readonly endedAt?: Timestamp | undefined
}

/** A stay of a person that is open, or was when the muster began, or began since. */
export interface MusterStay {
  readonly orgAuthServerId: OrgAuthServerId
  /** None: the organization as a whole. */
  readonly placeId?: PlaceId | undefined
  readonly entrance: Timestamp
  /** None: it is open. */
  readonly exit?: Timestamp | undefined
}

/** How many people a muster is about, and how many of them are in each state. */
export interface MusterNumbers {
  readonly inside: number
  readonly safe: number
  readonly left: number
  readonly missing: number
}

/** A muster of an organization, and its numbers as of one moment: the end, where it has ended. */
export interface Muster extends MusterNumbers {
  readonly id: MusterId
  readonly organizationId: OrganizationId
  /** How the organization tracked when the muster began: an anonymous one has numbers alone. */
  readonly mode: TrackingMode
  readonly kind: MusterKind
  readonly note?: string | undefined
  readonly startedAt: Timestamp
  readonly startedBy: AdministratorId
  readonly endedAt?: Timestamp | undefined
  /** How many people devices count inside of the organization as a whole; none where nothing was ever counted. */
  readonly counted?: number | undefined
  /** The places that were searched, by id; none where there is none. */
  readonly swept?: ReadonlyArray<SweptPlace> | undefined
}

/** A muster with its people in the order of {@link byPerson}; an anonymous one has none. */
export interface MusterReport extends Muster {
  readonly people?: ReadonlyArray<MusterPerson> | undefined
}

/** A person who is inside of some premises. */
export interface PersonInside {
  readonly orgAuthServerId: OrgAuthServerId
  /** None: the organization as a whole. */
  readonly placeId?: PlaceId | undefined
  readonly since: Timestamp
}

/** What a call marks: people, people whose marks it takes back, how many there are in all, or whether a place was searched. */
export type Marking =
  | { readonly _tag: "MarkPeople" | "UnmarkPeople"; readonly people: typeof MarkedPeople.Type }
  | { readonly _tag: "MarkCount"; readonly count: number }
  | { readonly _tag: "MarkSwept"; readonly placeId: PlaceId; readonly isSwept: boolean }

/** There is no such muster. */
export class MusterNotFound extends TaggedError("MusterNotFound", "the muster does not exist")<{
  readonly musterId: MusterId
}> {}

/** A muster of the organization is open: it has to end first. */
export class MusterOpen extends TaggedError("MusterOpen", "a muster of the organization is open")<{
  readonly musterId: MusterId
}> {}

/** The muster has ended: what it says no longer changes. */
export class MusterEnded extends TaggedError("MusterEnded", "the muster has ended")<{ readonly endedAt: Timestamp }> {}

/** The marking would add more people than the muster may hold who were not known to be inside. */
export class TooManyAdded extends TaggedError(
  "TooManyAdded",
  "the marking adds more people than the muster may hold who were not known to be inside"
)<{ readonly limit: number }> {}

/** People are marked where the muster knows people, and counted where it is anonymous. */
export class MarkingNotOfMode extends TaggedError(
  "MarkingNotOfMode",
  "people are marked by id in authenticated organizations, and counted in anonymous ones"
)<{ readonly mode: TrackingMode }> {}

/** The organization of the muster does not have the place that is marked as searched. */
export class SweptPlaceUnknown extends TaggedError(
  "SweptPlaceUnknown",
  "the organization of the muster does not have this place"
)<{ readonly placeId: PlaceId }> {}

/** An anonymous organization does not know who is inside. */
export class PeopleNotTracked extends TaggedError(
  "PeopleNotTracked",
  "an anonymous organization does not know who is inside"
)<{ readonly premises: Premises }> {}

/** Lists of who is inside are for viewers, in authenticated organizations. */
export const mayListInside = (
  level: Option.Option<PermissionLevel>,
  mode: TrackingMode,
  premises: Premises
): Result.Result<void, PermissionTooLow | PeopleNotTracked> =>
  Result.flatMap(requireLevel(level, "viewer"), () =>
    mode === "authenticated" ? Result.void : Result.fail(new PeopleNotTracked({ premises }))
  )

/** A muster is started by a manager, while none is open. */
export const mayStartMuster = (
  level: Option.Option<PermissionLevel>,
  open: MusterId | undefined
): Result.Result<void, PermissionTooLow | MusterOpen> =>
  Result.flatMap(requireLevel(level, "manager"), () =>
    open === undefined ? Result.void : Result.fail(new MusterOpen({ musterId: open }))
  )

/** A viewer marks people, counts them, or marks places that the organization has, until the muster ends. */
export const mayMark = (
  level: Option.Option<PermissionLevel>,
  { mode, endedAt }: Pick<Muster, "mode" | "endedAt">,
  marking: Marking,
  hasPlace: (placeId: PlaceId) => boolean
): Result.Result<void, PermissionTooLow | MarkingNotOfMode | SweptPlaceUnknown | MusterEnded> =>
  Result.gen(function* () {
    yield* requireLevel(level, "viewer")
    if (marking._tag === "MarkSwept") {
      const { placeId } = marking
      if (!hasPlace(placeId)) return yield* Result.fail(new SweptPlaceUnknown({ placeId }))
    } else if ((marking._tag === "MarkCount") !== (mode === "anonymous")) {
      return yield* Result.fail(new MarkingNotOfMode({ mode }))
    }
    if (endedAt !== undefined) return yield* Result.fail(new MusterEnded({ endedAt }))
  })

/** By person, as text is compared by its code units. */
export const byPerson = (
  { orgAuthServerId: one }: { readonly orgAuthServerId: OrgAuthServerId },
  { orgAuthServerId: other }: { readonly orgAuthServerId: OrgAuthServerId }
): number => (one < other ? -1 : one > other ? 1 : 0)

/** By person; of one person the organization as a whole, then the places by id. */
export const PersonInsideOrder = (one: PersonInside, other: PersonInside): number =>
  byPerson(one, other) || Number((one.placeId ?? 0n) - (other.placeId ?? 0n))

const distinct = (placeIds: ReadonlyArray<PlaceId>): ReadonlyArray<PlaceId> =>
  [...new Set(placeIds)].sort((one, other) => Number(one - other))

/** The places of some stays, by id. */
const placesOf = (stays: ReadonlyArray<MusterStay>): ReadonlyArray<PlaceId> =>
  distinct(stays.flatMap(({ placeId }) => placeId ?? []))

const earliest = (stays: ReadonlyArray<MusterStay>): Timestamp =>
  stays.reduce((first, { entrance }) => (entrance < first ? entrance : first), stays[0]!.entrance)

/**
 * The entry of a person, one of whose stays ended at `endedAt` without an exit, or is no longer stored: it keeps the last of these stays, and
 * several that ended at the same moment together.
 */
export const keepEnded = (
  entry: MusterEntry | undefined,
  { orgAuthServerId, placeId, entrance: since }: Omit<MusterStay, "exit">,
  endedAt: Timestamp
): MusterEntry => {
  const placeIds = placeId === undefined ? [] : [placeId]
  if (entry?.endedAt === undefined || entry.endedAt < endedAt) {
    return { ...entry, orgAuthServerId, placeIds, since, endedAt }
  }
  if (entry.endedAt > endedAt) return entry
  const earlier = entry.since !== undefined && entry.since < since ? entry.since : since
  return { ...entry, placeIds: distinct([...entry.placeIds, ...placeIds]), since: earlier }
}

/** A person of an open muster, by what it keeps of them and by their stays. One of both is there. */
const personOf = (
  orgAuthServerId: OrgAuthServerId,
  entry: MusterEntry | undefined,
  stays: ReadonlyArray<MusterStay>
): MusterPerson => {
  const open = stays.filter(({ exit }) => exit === undefined)
  const markedAt = entry?.markedAt
  if (open.length > 0) {
    const inside = { orgAuthServerId, placeIds: placesOf(open), since: earliest(open) }
    return markedAt === undefined ? { ...inside, state: "missing" } : { ...inside, state: "safe", at: markedAt }
  }
  const at = stays.reduce<Timestamp | undefined>(
    (last, { exit }) => (last === undefined || exit! > last ? exit : last),
    undefined
  )
  const last = stays.filter(({ exit }) => exit === at)
  const isEndedSince = at === undefined || (entry?.endedAt !== undefined && entry.endedAt >= at)
  if (!isEndedSince) return { orgAuthServerId, placeIds: placesOf(last), since: earliest(last), state: "left", at }
  const { placeIds, since } = entry!
  return since === undefined
    ? { orgAuthServerId, placeIds, state: "safe", at: markedAt }
    : { orgAuthServerId, placeIds, since, state: "left" }
}

/** The people of an open muster: those that it keeps an entry of, and those whose stays began since. */
export const musterPeople = (
  entries: ReadonlyArray<MusterEntry>,
  stays: ReadonlyArray<MusterStay>
): ReadonlyArray<MusterPerson> => {
  const known = new Map<OrgAuthServerId, { entry?: MusterEntry; readonly stays: Array<MusterStay> }>()
  for (const entry of entries) known.set(entry.orgAuthServerId, { entry, stays: [] })
  for (const stay of stays) {
    const person = known.get(stay.orgAuthServerId)
    if (person === undefined) known.set(stay.orgAuthServerId, { stays: [stay] })
    else person.stays.push(stay)
  }
  return Array.from(known, ([person, { entry, stays: theirs }]) => personOf(person, entry, theirs)).sort(byPerson)
}

/** The entries of the people who are inside when a muster begins. */
export const firstEntries = (open: ReadonlyArray<MusterStay>): ReadonlyArray<MusterEntry> =>
  musterPeople([], open).map(({ orgAuthServerId, placeIds, since }) => ({ orgAuthServerId, placeIds, since }))

/**
 * The entries that marking people changes or adds; none where all were marked before. `present` is {@link musterPeople} of the
 * same moment: an entry keeps where its person is.
 */
export const markSafe = (
  entries: ReadonlyArray<MusterEntry>,
  present: ReadonlyArray<MusterPerson>,
  people: ReadonlyArray<OrgAuthServerId>,
  now: Timestamp
): ReadonlyArray<MusterEntry> => {
  const unmarked = new Set(people)
  for (const { orgAuthServerId, markedAt } of entries) if (markedAt !== undefined) unmarked.delete(orgAuthServerId)
  const ended = new Map(entries.map((entry) => [entry.orgAuthServerId, entry.endedAt]))
  const places = new Map(present.map((person) => [person.orgAuthServerId, person]))
  return Array.from(unmarked, (orgAuthServerId) => {
    const person = places.get(orgAuthServerId)
    const endedAt = ended.get(orgAuthServerId)
    return { orgAuthServerId, placeIds: person?.placeIds ?? [], since: person?.since, markedAt: now, endedAt }
  })
}

/**
 * The entries that taking back the marks of people changes: without the mark, each keeps where its person is. Those of people who were added
 * by the mark alone are {@link isBlank}. `present` is {@link musterPeople} of the same moment.
 */
export const takeBackMarks = (
  entries: ReadonlyArray<MusterEntry>,
  present: ReadonlyArray<MusterPerson>,
  people: ReadonlyArray<OrgAuthServerId>
): ReadonlyArray<MusterEntry> => {
  const called = new Set(people)
  const places = new Map(present.map((person) => [person.orgAuthServerId, person]))
  return entries
    .filter(({ orgAuthServerId, markedAt }) => markedAt !== undefined && called.has(orgAuthServerId))
    .map(({ orgAuthServerId, endedAt }) => {
      const person = places.get(orgAuthServerId)
      return { orgAuthServerId, placeIds: person?.placeIds ?? [], since: person?.since, endedAt }
    })
}

/** Whether an entry says nothing of its person: it is not kept. */
export const isBlank = ({ since, markedAt }: MusterEntry): boolean => since === undefined && markedAt === undefined

/** The searched places of a muster after a call, by id: the same list where it changes nothing. */
export const markSwept = (
  swept: ReadonlyArray<SweptPlace>,
  { placeId, isSwept }: Extract<Marking, { readonly _tag: "MarkSwept" }>,
  by: AdministratorId,
  at: Timestamp
): ReadonlyArray<SweptPlace> => {
  if (swept.some((place) => place.placeId === placeId) === isSwept) return swept
  return isSwept
    ? [...swept, { placeId, at, by }].sort((one, other) => Number(one.placeId - other.placeId))
    : swept.filter((place) => place.placeId !== placeId)
}

/** The people of an open muster who were inside, at its start or since, and how many were added by marking alone. */
export interface MusterCrowd {
  readonly inside: number
  readonly added: number
}

/** The crowd of an open muster: `inside` are the {@link musterPeople} with a `since`, `added` the others. */
export const musterCrowd = (
  entries: Iterable<MusterEntry>,
  stays: Iterable<Pick<MusterStay, "orgAuthServerId">>
): MusterCrowd => {
  const inside = new Set<OrgAuthServerId>()
  const marked: Array<OrgAuthServerId> = []
  for (const { orgAuthServerId } of stays) inside.add(orgAuthServerId)
  for (const { orgAuthServerId, since } of entries) {
    if (since === undefined) marked.push(orgAuthServerId)
    else inside.add(orgAuthServerId)
  }
  return { inside: inside.size, added: marked.filter((person) => !inside.has(person)).length }
}

/** How many of the entries that a marking changes, by {@link markSafe}, add a person who was not known to be inside. */
export const countAdded = (changed: ReadonlyArray<MusterEntry>): number =>
  changed.filter(({ since }) => since === undefined).length

/**
 * A marking may add people while no more were added in all than were inside, or than {@link LEAST_ADDED} where that is more.
 * `crowd` is that of the moment before the marking. Marking people who were inside, or were added before, is always allowed.
 */
export const mayAdd = (more: number, { inside, added }: MusterCrowd): Result.Result<void, TooManyAdded> => {
  const limit = Math.max(LEAST_ADDED, inside)
  return more === 0 || added + more <= limit ? Result.void : Result.fail(new TooManyAdded({ limit }))
}

/** How many people there are, and how many in each state. */
export const countStates = (people: ReadonlyArray<Pick<MusterPerson, "state">>): MusterNumbers => {
  const count: Record<MusterState, number> = { missing: 0, safe: 0, left: 0 }
  for (const { state } of people) count[state]++
  return { inside: people.length, ...count }
}

/** A place with the number of people inside as a muster begins, and the place that it is a part of. */
export interface CountedPlace {
  readonly placeId: PlaceId
  readonly parentId?: PlaceId | undefined
  readonly inside: number
}

/**
 * The premises whose counts an anonymous muster goes by; undefined stands for the organization itself, with `own` people inside.
 * They are its outermost places where these have more people inside: each by itself, or by its parts where those have more.
 */
export const musterPremises = (
  own: number,
  places: ReadonlyArray<CountedPlace>
): ReadonlyArray<PlaceId | undefined> => {
  const parts = new Map<PlaceId | undefined, Array<CountedPlace>>()
  for (const place of places) {
    const siblings = parts.get(place.parentId)
    if (siblings === undefined) parts.set(place.parentId, [place])
    else siblings.push(place)
  }
  interface Counted {
    readonly premises: ReadonlyArray<PlaceId | undefined>
    readonly inside: number
  }
  const fuller = (placeId: PlaceId | undefined, inside: number): Counted => {
    const counted = (parts.get(placeId) ?? []).map((part) => fuller(part.placeId, part.inside))
    const sum = counted.reduce((total, part) => total + part.inside, 0)
    return sum > inside
      ? { premises: counted.flatMap(({ premises }) => premises), inside: sum }
      : { premises: [placeId], inside }
  }
  return fuller(undefined, own).premises
}

/** What the premises of an anonymous muster say: who was inside at the start, and who came in and left since. */
export interface MusterCounts {
  readonly inside: number
  readonly entered: number
  readonly exits: number
}

/**
 * The numbers of an anonymous muster. Who left and who is safe may be the same people. The changes are below 0 where movements before
 * the muster were not published yet when its organization was given a publishing interval.
 */
export const anonymousNumbers = (counts: MusterCounts, safe: number): MusterNumbers => {
  const inside = counts.inside + Math.max(0, counts.entered)
  const left = Math.max(0, counts.exits)
  return { inside, safe, left, missing: Math.max(0, inside - Math.max(left, safe)) }
}

const instant = (timestamp: Timestamp | undefined): string =>
  timestamp === undefined ? "" : formatTimestamp(timestamp)

/** The first line of a muster's people as CSV (RFC 4180): the names of the fields. */
export const MUSTER_CSV_NAMES: string = csvHeader(["orgAuthServerId", "placeIds", "since", "state", "at"])

/** A person of a muster as a line of CSV. */
export const musterCsvLine = ({ orgAuthServerId, placeIds, since, state, at }: MusterPerson): string =>
  csvLine([orgAuthServerId, placeIds.join(" "), instant(since), state, instant(at)])
