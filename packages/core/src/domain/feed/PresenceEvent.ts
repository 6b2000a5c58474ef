/** What the feed of an organization tells, and how recorded movements become its events. */
import { type Capacity, type CapacityLevel, levelOf, nextLevel } from "./Capacity.ts"
import type { MusterId, OrganizationId, PlaceId } from "../shared/Ids.ts"
import type { StayPolicy } from "../policies/StayPolicy.ts"
import { Timestamp } from "../shared/Timestamp.ts"
import type { TrackingMode } from "../shared/TrackingMode.ts"

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

/**
 * Tells a delta: the head after it, and its news, in the order in which they are told. A delta without counts stands for a capacity that
 * was set: it tells the level alone, if that is another one.
 */
export const tellDelta = (
  head: PresenceHead,
  { entered, left }: Pick<PresenceDelta, "entered" | "left">,
  now: Timestamp
): { readonly head: PresenceHead; readonly news: ReadonlyArray<PresenceNews> } => {
  const { placeId, capacity } = head
  const told = { ...head, entered: head.entered + entered, left: head.left + left, toldAt: now }
  const inside = insideOf(told)
  const changed: PresenceChanged = { _tag: "PresenceChanged", placeId, entered, left, inside }
  const counted = entered === 0 && left === 0 ? [] : [changed]
  const level = nextLevel(capacity, head.level, inside)
  if (level === head.level) return { head: told, news: counted }
  const reached: CapacityChanged = { _tag: "CapacityChanged", placeId, level, inside, capacity: capacity?.capacity }
  return { head: { ...told, level }, news: [...counted, reached] }
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
 * Sets or lifts a capacity where events are published at multiples of an interval: the head after it, and whether its level is another
 * one. That is told by `tellDelta` with a delta without counts, which is recorded then.
 */
export const setCapacityLater = (
  head: PresenceHead,
  capacity: Capacity | undefined
): { readonly head: PresenceHead; readonly isLevelPending: boolean } => ({
  head: { ...head, capacity },
  isLevelPending: nextLevel(capacity, head.level, insideOf(head)) !== head.level
})

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

/** From how many seconds on an operator's `eventGrain` of an anonymous organization is its publishing interval. */
const SMALLEST_PUBLISHING_INTERVAL = 2

/**
 * The publishing interval of an organization in milliseconds; undefined where its counts are exact. With an interval, events of presence
 * and capacity are published at its multiples since the Unix epoch alone, and every answer has the counts of the last event: else the
 * times of single movements could be read from when a count changes.
 */
export const publishingIntervalOf = (
  { eventGrain }: Pick<StayPolicy, "eventGrain">,
  mode: TrackingMode
): number | undefined =>
  mode === "anonymous" && eventGrain !== undefined && eventGrain >= SMALLEST_PUBLISHING_INTERVAL
    ? 1000 * eventGrain
    : undefined

/** The last multiple of a publishing interval that is not after `now`: `at` of the events that are published then. */
export const publishingMoment = (interval: number, now: Timestamp): Timestamp =>
  Timestamp(Math.floor(now / interval) * interval)

/** How far the clocks of servers may be apart, in milliseconds. A time that is further ahead is of a clock that was wrong. */
export const LARGEST_CLOCK_DIFFERENCE = 60_000

/** Whether a delta is published at the multiple `moment` of an interval: what is recorded after it waits for the next one. */
export const isPublishedAt = (moment: Timestamp, { at }: Pick<PresenceDelta, "at">, now: Timestamp): boolean =>
  at <= moment || at > now + LARGEST_CLOCK_DIFFERENCE

/**
 * The multiple of a publishing interval at which deltas of premises are published: the first one that is not before the first of them was
 * recorded (`recordedAt`) nor before the last event of the feed (`feedAt`), and that is after what was published of the premises before
 * (`toldAt`). A time of a clock that was wrong holds up nothing. The deltas are due when the multiple is not after `now`.
 */
export const publishableFrom = (
  {
    recordedAt,
    feedAt,
    toldAt
  }: { readonly recordedAt: Timestamp; readonly feedAt: Timestamp; readonly toldAt?: Timestamp | undefined },
  interval: number,
  now: Timestamp
): Timestamp => {
  const isRight = (at: Timestamp) => at <= now + LARGEST_CLOCK_DIFFERENCE
  const notBefore = [recordedAt, feedAt].filter(isRight).map((at) => Math.ceil(at / interval) * interval)
  const after = toldAt === undefined || !isRight(toldAt) ? [] : [publishingMoment(interval, toldAt) + interval]
  return Timestamp(Math.max(publishingMoment(interval, now), ...notBefore, ...after))
}

/**
 * The `at` of an event that was recorded at `recorded` and is told at `now`: never before `last`, that of the event before. After a
 * clock that was wrong by more than {@link LARGEST_CLOCK_DIFFERENCE} it goes back: else all events until then had one time.
 */
export const eventAt = (last: Timestamp, recorded: Timestamp, now: Timestamp): Timestamp =>
  last > now + LARGEST_CLOCK_DIFFERENCE ? recorded : Timestamp(Math.max(last, recorded))
