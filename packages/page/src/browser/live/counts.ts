/** The state of the presence stream: a pure reducer from messages to counts. */
import type { PresenceMessage, PresenceSnapshotOrganization } from "@sojourn/client"
import { type Level, stateOf } from "./states.ts"

/** What a message says of an event of an organization's feed. */
type PresenceEvent = Extract<PresenceMessage, { readonly data: { readonly type: string } }>["data"]

export type { Level } from "./states.ts"

/** How many are inside of premises, and how full they are. */
export interface Count {
  readonly inside: number
  /** Totals since the feed began. */
  readonly entered: number
  readonly left: number
  readonly capacity?: number | undefined
  /** The part of the capacity from which on a warning is given; the stream has none, and premises alone that were read. */
  readonly warnAt?: number | undefined
  /** By the numbers (`states.ts`), and not the level of the feed. */
  readonly level: Level
}

/** An organization as of a version of its feed. */
export interface LiveOrganization {
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

const leveled = (count: Count): Count => ({ ...count, level: stateOf(count) })

/** What a snapshot has of premises, with what was read of them before. */
const countOf = ({ inside, entered, left, capacity, level }: Count, known: Count | undefined): Count => {
  const warnAt = known?.capacity === capacity ? known?.warnAt : undefined
  return leveled({ inside, entered, left, capacity, ...(warnAt !== undefined && { warnAt }), level })
}

const fromSnapshot = (
  snapshot: PresenceSnapshotOrganization,
  known: LiveOrganization | undefined,
  reason: string
): LiveOrganization => {
  // Events that a snapshot stands for may have said so. After `stale` there are none: not all pages shall read everything again then.
  const changes = reason === "behind" && known?.version === snapshot.version ? 0 : 1
  return {
    version: snapshot.version,
    whole: countOf(snapshot, known?.whole),
    places: new Map(snapshot.places.map((place) => [place.placeId, countOf(place, known?.places.get(place.placeId))])),
    dataChanges: (known?.dataChanges ?? -1) + changes,
    musterChanges: (known?.musterChanges ?? -1) + changes,
    deviceChanges: (known?.deviceChanges ?? -1) + changes,
    musterUpdates: known?.musterUpdates ?? 0
  }
}

const counted = (count: Count, event: PresenceEvent): Count => {
  switch (event.type) {
    case "presence.changed":
      return leveled({
        ...count,
        inside: event.inside,
        entered: count.entered + event.entered,
        left: count.left + event.left
      })
    case "capacity.changed": {
      const { inside, capacity, level } = event
      return leveled({
        ...count,
        inside,
        capacity,
        level,
        warnAt: capacity === count.capacity ? count.warnAt : undefined
      })
    }
    default:
      return count
  }
}

/** Maps that nobody else has seen yet: they are changed in place, so that an event costs the same with any number of places. */
export type Own = WeakSet<ReadonlyMap<number, Count>>

const ownCopy = (places: ReadonlyMap<number, Count>, own: Own): Map<number, Count> => {
  if (own.has(places)) return places as Map<number, Count>
  const copy = new Map(places)
  own.add(copy)
  return copy
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
    default: {
      if (event.placeId === undefined) return { ...known, whole: counted(known.whole, event) }
      const places = ownCopy(known.places, own)
      return { ...known, places: places.set(event.placeId, counted(places.get(event.placeId) ?? EMPTY, event)) }
    }
  }
}

/** An event is missing between what is known and this one: what is known cannot be right. */
export class Gap extends Error {}

/**
 * What is known after a message. An event that is known already changes nothing; one that leaves out another throws {@link Gap}.
 * The same `own` is for those messages between which nobody looks at what is known.
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
  set: Pick<Count, "capacity" | "warnAt" | "level">
): Counts => {
  const organization = before.organizations.get(organizationId)
  if (organization === undefined) return before
  const { capacity, warnAt, level } = set
  const change = (count: Count): Count => leveled({ ...count, capacity, warnAt, level })
  const changed =
    placeId === undefined
      ? { ...organization, whole: change(organization.whole) }
      : {
          ...organization,
          places: new Map(organization.places).set(placeId, change(organization.places.get(placeId) ?? EMPTY))
        }
  return { ...before, organizations: new Map(before.organizations).set(organizationId, changed) }
}
