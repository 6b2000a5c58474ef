/** The state of the presence stream: a pure reducer from messages to counts, and how full premises are by their numbers. */
import type { PresenceMessage, PresenceSnapshotOrganization } from "@sojourn/client"

/** What a message says of an event of an organization's feed. */
type PresenceEvent = Extract<PresenceMessage, { readonly data: { readonly type: string } }>["data"]

export type Level = PresenceSnapshotOrganization["level"]

/** How many are inside of premises, and how full they are. */
export interface Count {
  readonly inside: number
  /** Totals since the feed began. */
  readonly entered: number
  readonly left: number
  readonly capacity?: number | undefined
  /** The part of the capacity from which on a warning is given; the stream has none, and premises alone that were read. */
  readonly warnAt?: number | undefined
  /** By the numbers ({@link stateOf}), and not the level of the feed, which has a margin on the way down for alerts. */
  readonly level: Level
}

/** From which part of a capacity on premises are nearly full, unless their manager said otherwise. */
export const DEFAULT_WARN_AT = 0.8

/** Above the relative error of a product: 0.07 * 100 is above 7. */
const ROUNDING = 1e-15

/**
 * The level of a count by its numbers: over the capacity, at it, from `warnAt` on. Where `warnAt` is not known, the level of the
 * feed says whether a warning is given.
 */
export const stateOf = ({ inside, capacity, warnAt, level }: Omit<Count, "entered" | "left">): Level => {
  if (capacity === undefined) return "none"
  if (inside > capacity) return "over"
  if (inside === capacity) return "full"
  const isWarned = warnAt === undefined ? !isQuiet({ level }) : inside >= Math.ceil(warnAt * capacity * (1 - ROUNDING))
  return isWarned ? "warning" : "normal"
}

/** Whether there is nothing to say of a level. */
export const isQuiet = ({ level }: Pick<Count, "level">): boolean => level === "none" || level === "normal"

/** An organization as of a version of its feed. */
interface LiveOrganization {
  readonly version: number
  readonly whole: Count
  readonly places: ReadonlyMap<number, Count>
  /** Grows with each event that says that the organization or a place is to be read again by its own endpoint. */
  readonly dataChanges: number
  /** Grows with each event that says that a muster was started or ended. */
  readonly musterChanges: number
  /** Grows with each event that says that a device is silent, or sends again. */
  readonly deviceChanges: number
  /** Grows with each event that says that people or places of a muster were marked. */
  readonly musterUpdates: number
}

/** The counts of the messages so far. */
export interface Counts {
  readonly organizations: ReadonlyMap<number, LiveOrganization>
  /** Organizations that left the stream, and why. */
  readonly gone: ReadonlyMap<number, "forbidden" | "deleted">
  /** Whether the server's database is away. */
  readonly isStale: boolean
}

export const NO_COUNTS: Counts = { organizations: new Map(), gone: new Map(), isStale: false }

/** What is inside of a place before its feed began. */
export const EMPTY: Count = { inside: 0, entered: 0, left: 0, level: "none" }

/** A count with what is known since. What was read of a capacity is not known of another one. */
const after = (before: Count, change: Partial<Count>): Count => {
  const next = { ...before, ...change }
  const warnAt = "warnAt" in change || next.capacity === before.capacity ? next.warnAt : undefined
  return { ...next, warnAt, level: stateOf({ ...next, warnAt }) }
}

const fromSnapshot = (
  { version, places, ...whole }: PresenceSnapshotOrganization,
  known: LiveOrganization | undefined,
  reason: string
): LiveOrganization => {
  const countOf = ({ inside, entered, left, capacity, level }: Count, before = EMPTY) =>
    after(before, { inside, entered, left, capacity, level })
  // Events that a snapshot stands for may have said so. After `stale` there are none: not all pages shall read everything again then.
  const changes = reason === "behind" && known?.version === version ? 0 : 1
  return {
    version,
    whole: countOf(whole, known?.whole),
    places: new Map(places.map((place) => [place.placeId, countOf(place, known?.places.get(place.placeId))])),
    dataChanges: (known?.dataChanges ?? -1) + changes,
    musterChanges: (known?.musterChanges ?? -1) + changes,
    deviceChanges: (known?.deviceChanges ?? -1) + changes,
    musterUpdates: known?.musterUpdates ?? 0
  }
}

/** Maps that nothing else has seen yet: they are changed in place, so that an event costs the same with any number of places. */
export type Own = WeakSet<ReadonlyMap<number, Count>>

const ownCopy = (places: ReadonlyMap<number, Count>, own: Own): Map<number, Count> => {
  if (own.has(places)) return places as Map<number, Count>
  const copy = new Map(places)
  own.add(copy)
  return copy
}

/** An organization with a change of one count: of a place, or without an id of its own. */
const withCount = (
  organization: LiveOrganization,
  placeId: number | undefined,
  change: (before: Count) => Partial<Count>,
  own: Own
): LiveOrganization => {
  if (placeId === undefined) return { ...organization, whole: after(organization.whole, change(organization.whole)) }
  const places = ownCopy(organization.places, own)
  const before = places.get(placeId) ?? EMPTY
  return { ...organization, places: places.set(placeId, after(before, change(before))) }
}

const afterEvent = (before: LiveOrganization, event: PresenceEvent, own: Own): LiveOrganization => {
  const known = { ...before, version: event.version }
  switch (event.type) {
    case "organization.changed":
      return { ...known, dataChanges: known.dataChanges + 1 }
    case "muster.changed":
      return event.state === "updated"
        ? { ...known, musterUpdates: known.musterUpdates + 1 }
        : { ...known, musterChanges: known.musterChanges + 1 }
    case "device.changed":
      return { ...known, deviceChanges: known.deviceChanges + 1 }
    case "place.changed": {
      const places = ownCopy(known.places, own)
      if (event.changed === "deleted") places.delete(event.placeId)
      else places.set(event.placeId, places.get(event.placeId) ?? EMPTY)
      return { ...known, places, dataChanges: known.dataChanges + 1 }
    }
    case "capacity.changed": {
      const { placeId, inside, capacity, level } = event
      return withCount(known, placeId, () => ({ inside, capacity, level }), own)
    }
    case "presence.changed": {
      const { placeId, inside, entered, left } = event
      return withCount(
        known,
        placeId,
        (count) => ({ inside, entered: count.entered + entered, left: count.left + left }),
        own
      )
    }
    default:
      return known
  }
}

/** An event is missing between what is known and this one: what is known cannot be right. */
export class Gap extends Error {}

/**
 * What is known after a message. An event that is known already changes nothing; one that leaves out another throws {@link Gap}.
 * The same `own` is for those messages between which nothing looks at what is known.
 */
export const afterMessage = (before: Counts, { event, data }: PresenceMessage, own: Own = new WeakSet()): Counts => {
  const known = before.isStale ? { ...before, isStale: false } : before
  switch (event) {
    case "snapshot": {
      const organizations = new Map(known.organizations)
      const gone = new Map(known.gone)
      for (const one of data.organizations) {
        organizations.set(one.organizationId, fromSnapshot(one, organizations.get(one.organizationId), data.reason))
        gone.delete(one.organizationId)
      }
      return { ...known, organizations, gone }
    }
    case "gone": {
      const organizations = new Map(known.organizations)
      organizations.delete(data.organizationId)
      return { ...known, organizations, gone: new Map(known.gone).set(data.organizationId, data.reason) }
    }
    case "stale":
      return { ...before, isStale: true }
    case "reset":
    case "end":
      return known
    default: {
      const organization = known.organizations.get(data.organizationId)
      if (organization === undefined || data.version > organization.version + 1) throw new Gap()
      if (data.version <= organization.version) return known
      const organizations = new Map(known.organizations)
      return { ...known, organizations: organizations.set(data.organizationId, afterEvent(organization, data, own)) }
    }
  }
}

/** What is known after a capacity was set here or read: the feed has an event only of another level, and none of `warnAt`. */
export const withCapacity = (
  before: Counts,
  organizationId: number,
  placeId: number | undefined,
  { capacity, warnAt, level }: Pick<Count, "capacity" | "warnAt" | "level">
): Counts => {
  const organization = before.organizations.get(organizationId)
  if (organization === undefined) return before
  const changed = withCount(organization, placeId, () => ({ capacity, warnAt, level }), new WeakSet())
  return { ...before, organizations: new Map(before.organizations).set(organizationId, changed) }
}
