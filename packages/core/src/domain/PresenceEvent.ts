/** What the feed of an organization tells, and how recorded movements become its events. */
import { type Capacity, type CapacityLevel, levelOf, nextLevel } from "./Capacity.ts"
import type { MusterId, OrganizationId, PlaceId } from "./Ids.ts"
import type { StayPolicy } from "./StayPolicy.ts"
import { Timestamp } from "./Timestamp.ts"
import type { TrackingMode } from "./TrackingMode.ts"

/** Where an event stands in the feed of its organization: 1, 2, 3, ... without gaps. */
export type FeedVersion = number

/** Which premises of an organization an event is about. */
interface OfPremises {
  /** None: the organization as a whole. */
  readonly placeId?: PlaceId | undefined
}

/** How many people entered and left since the event of these premises before, and how many are inside after it. */
export interface PresenceChanged extends OfPremises {
  readonly _tag: "PresenceChanged"
  readonly entered: number
  /** Every end of an open stay: exits, abandoned stays, erasures, ends of places. */
  readonly left: number
  readonly inside: number
}

/** The level of some premises is another one. */
export interface CapacityChanged extends OfPremises {
  readonly _tag: "CapacityChanged"
  readonly level: CapacityLevel
  readonly inside: number
  /** None where the capacity was lifted. */
  readonly capacity?: number | undefined
}

/** A place was created, changed or deleted: its own endpoint tells what it is now. */
export interface PlaceChanged {
  readonly _tag: "PlaceChanged"
  readonly placeId: PlaceId
  readonly changed: "created" | "updated" | "deleted"
}

/** The organization's own data changed: its own endpoint tells what they are now. */
export interface OrganizationChanged {
  readonly _tag: "OrganizationChanged"
  readonly changed: "updated"
}

/** A muster began, changed or ended. */
export interface MusterChanged {
  readonly _tag: "MusterChanged"
  readonly musterId: MusterId
  readonly state: "started" | "updated" | "ended"
}

/** What an event tells, without its place in the feed. It tells counts alone: never a person, a user or a stay. */
export type PresenceNews = PresenceChanged | CapacityChanged | PlaceChanged | OrganizationChanged | MusterChanged

/** An event of an organization's feed. */
export type PresenceEvent = PresenceNews & {
  readonly version: FeedVersion
  readonly organizationId: OrganizationId
  /** When the service recorded it, by `eventAt`. */
  readonly at: Timestamp
}

/** What movements and other ends of stays changed at some premises, and is recorded with them in one step. */
export interface PresenceDelta {
  readonly entered: number
  readonly left: number
  /** How many of `left` are exits, and how long their stays were in all, in milliseconds. */
  readonly exits: number
  readonly stayed: number
  /** When the service recorded it. */
  readonly at: Timestamp
}

/** The sum of what was told of some premises since their feed began, and their level. */
export interface PresenceHead extends OfPremises {
  readonly entered: number
  readonly left: number
  readonly capacity?: Capacity | undefined
  readonly level: CapacityLevel
  /** When a `PresenceChanged` of these premises was told last. */
  readonly toldAt?: Timestamp | undefined
}

/** How many people are inside by the events that were told. */
export const insideOf = ({ entered, left }: Pick<PresenceHead, "entered" | "left">): number => entered - left

/** The head of premises whose feed begins. */
export const newHead = (placeId?: PlaceId): PresenceHead => ({ placeId, entered: 0, left: 0, level: "none" })

/** Two deltas of the same premises as one. */
export const addDeltas = (one: PresenceDelta, other: PresenceDelta): PresenceDelta => ({
  entered: one.entered + other.entered,
  left: one.left + other.left,
  exits: one.exits + other.exits,
  stayed: one.stayed + other.stayed,
  at: Timestamp(Math.max(one.at, other.at))
})

/** Tells a delta: the head after it, and its news, in the order in which they are told. */
export const tellDelta = (
  head: PresenceHead,
  { entered, left }: Pick<PresenceDelta, "entered" | "left">,
  now: Timestamp
): { readonly head: PresenceHead; readonly news: ReadonlyArray<PresenceNews> } => {
  const { placeId, capacity } = head
  const told = { ...head, entered: head.entered + entered, left: head.left + left, toldAt: now }
  const inside = insideOf(told)
  const changed: PresenceChanged = { _tag: "PresenceChanged", placeId, entered, left, inside }
  const level = nextLevel(capacity, head.level, inside)
  if (level === head.level) return { head: told, news: [changed] }
  const reached: CapacityChanged = { _tag: "CapacityChanged", placeId, level, inside, capacity: capacity?.capacity }
  return { head: { ...told, level }, news: [changed, reached] }
}

const isSame = (one: Capacity | undefined, other: Capacity | undefined): boolean =>
  one?.capacity === other?.capacity && one?.warnAt === other?.warnAt

/**
 * Sets or lifts a capacity: the head after it, and its news. While a delta waits for its grain (`isWaiting`), the level of a capacity
 * waits with it: `tellDelta` then tells both.
 */
export const setCapacity = (
  head: PresenceHead,
  capacity: Capacity | undefined,
  isWaiting: boolean
): { readonly head: PresenceHead; readonly news: ReadonlyArray<PresenceNews> } => {
  const { placeId } = head
  const isKept = isSame(capacity, head.capacity) || (isWaiting && capacity !== undefined)
  const inside = insideOf(head)
  const level = isKept ? head.level : levelOf(capacity, inside)
  const reached: CapacityChanged = { _tag: "CapacityChanged", placeId, level, inside, capacity: capacity?.capacity }
  return { head: { ...head, capacity, level }, news: level === head.level ? [] : [reached] }
}

/**
 * The grain of an organization: how many milliseconds lie between two `PresenceChanged` of the same premises at least. By default
 * one second where people are anonymous, as the events of single movements would help to recognize them.
 */
export const grainOf = ({ eventGrain }: Pick<StayPolicy, "eventGrain">, mode: TrackingMode): number =>
  1000 * (eventGrain ?? (mode === "anonymous" ? 1 : 0))

/**
 * When the next `PresenceChanged` of premises may be told, if its organization's events come no closer together than `grain`
 * milliseconds. A time that is further ahead than that, of a clock that was wrong, holds up nothing.
 */
export const tellableFrom = ({ toldAt }: Pick<PresenceHead, "toldAt">, grain: number, now: Timestamp): Timestamp =>
  toldAt === undefined || toldAt > now + grain ? now : Timestamp(Math.max(now, toldAt + grain))

/** How far the clocks of servers may be apart, in milliseconds. A time that is further ahead is of a clock that was wrong. */
export const LARGEST_CLOCK_DIFFERENCE = 60_000

/**
 * The `at` of an event that was recorded at `recorded` and is told at `now`: never before `last`, that of the event before. After a
 * clock that was wrong by more than {@link LARGEST_CLOCK_DIFFERENCE} it goes back: else all events until then had one time.
 */
export const eventAt = (last: Timestamp, recorded: Timestamp, now: Timestamp): Timestamp =>
  last > now + LARGEST_CLOCK_DIFFERENCE ? recorded : Timestamp(Math.max(last, recorded))
