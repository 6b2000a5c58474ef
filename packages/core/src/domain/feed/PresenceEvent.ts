/** The events of an organization's feed, and how pending changes become events. */
import { type Capacity, type CapacityLevel, levelOf, nextLevel } from "./Capacity.ts"
import type { DeviceId, MusterId, OrganizationId, PlaceId } from "../shared/Ids.ts"
import type { StayPolicy } from "../policies/StayPolicy.ts"
import { LARGEST_CLOCK_DIFFERENCE_MS, Timestamp } from "../shared/Timestamp.ts"
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
  /** Every end of an open stay: exits, abandoned stays, erasures, ends of places. And people whom devices count out. */
  readonly left: number
  readonly inside: number
  /** It is no movement: the number of people counted was corrected. */
  readonly corrected?: true | undefined
}

/** The level of some premises is another one. */
export interface CapacityChanged extends OfPremises {
  readonly _tag: "CapacityChanged"
  readonly level: CapacityLevel
  readonly inside: number
  /** None where the capacity was lifted. */
  readonly capacity?: number | undefined
}

/**
 * A place was created, changed or deleted. Its own endpoint has the present data. A deleted place has no level and no parent.
 */
export interface PlaceChanged {
  readonly _tag: "PlaceChanged"
  readonly placeId: PlaceId
  readonly changed: "created" | "updated" | "deleted"
  readonly level?: number | undefined
  readonly parentId?: PlaceId | undefined
}

/** The organization's own data changed. Its own endpoint has the present data. */
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

/** A device fell silent or behind, or reports as it should again. */
export interface DeviceChanged {
  readonly _tag: "DeviceChanged"
  readonly deviceId: DeviceId
  readonly state: "ok" | "silent" | "behind"
}

/** The data of an event, without its place in the feed: counts alone, never a person, a user or a stay. */
export type PresenceEventData =
  | PresenceChanged
  | CapacityChanged
  | PlaceChanged
  | OrganizationChanged
  | MusterChanged
  | DeviceChanged

/** An event of an organization's feed. */
export type PresenceEvent = PresenceEventData & {
  readonly version: FeedVersion
  readonly organizationId: OrganizationId
  /** When the service recorded the last of its changes, by `eventAt`. */
  readonly at: Timestamp
}

/** What movements and other ends of stays changed at some premises, and appended in the same step. */
export interface PendingChange {
  readonly entered: number
  readonly left: number
  /** How many of `left` are exits, and how long their stays were in all, in milliseconds. */
  readonly exits: number
  readonly stayed: number
  /** Whether these are of anonymous stays: see `isInMeanStay`. */
  readonly isAnonymous: boolean
  /** The change of the number of people counted, and how many of `left` devices counted out. */
  readonly counted: number
  readonly countedOut: number
  /** Whether it is a correction of the number of people counted: changes of both kinds are published apart. */
  readonly isCorrection: boolean
  /** When the service recorded it. */
  readonly at: Timestamp
}

/** A change of nothing. */
export const NO_CHANGE: Omit<PendingChange, "at"> = {
  entered: 0,
  left: 0,
  exits: 0,
  stayed: 0,
  isAnonymous: false,
  counted: 0,
  countedOut: 0,
  isCorrection: false
}

/** The sums of the published changes of some premises since their feed began, and their level. */
export interface PresenceTotals extends OfPremises {
  readonly entered: number
  readonly left: number
  readonly capacity?: Capacity | undefined
  readonly level: CapacityLevel
  /** When a `PresenceChanged` of these premises was published last. */
  readonly publishedAt?: Timestamp | undefined
}

/** How many people are inside by the events that were published. */
export const insideOf = ({ entered, left }: Pick<PresenceTotals, "entered" | "left">): number => entered - left

/** The totals of premises whose feed begins. */
export const newTotals = (placeId?: PlaceId): PresenceTotals => ({ placeId, entered: 0, left: 0, level: "none" })

/** Two changes of the same premises as one. */
export const addPendingChanges = (one: PendingChange, other: PendingChange): PendingChange => ({
  entered: one.entered + other.entered,
  left: one.left + other.left,
  exits: one.exits + other.exits,
  stayed: one.stayed + other.stayed,
  isAnonymous: one.isAnonymous && other.isAnonymous,
  counted: one.counted + other.counted,
  countedOut: one.countedOut + other.countedOut,
  isCorrection: one.isCorrection && other.isCorrection,
  at: Timestamp(Math.max(one.at, other.at))
})

/**
 * Publishes a change: the totals after it, and its events in their order. A change without counts stands for a capacity that was set: it
 * publishes only the level, if it differs.
 */
export const publishChange = (
  totals: PresenceTotals,
  { entered, left, isCorrection }: Pick<PendingChange, "entered" | "left"> & { readonly isCorrection?: boolean },
  now: Timestamp
): { readonly totals: PresenceTotals; readonly events: ReadonlyArray<PresenceEventData> } => {
  const { placeId, capacity } = totals
  const published = { ...totals, entered: totals.entered + entered, left: totals.left + left, publishedAt: now }
  const inside = insideOf(published)
  const corrected = isCorrection === true ? ({ corrected: true } as const) : undefined
  const changed: PresenceChanged = { _tag: "PresenceChanged", placeId, entered, left, inside, ...corrected }
  const counted = entered === 0 && left === 0 ? [] : [changed]
  const level = nextLevel(capacity, totals.level, inside)
  if (level === totals.level) return { totals: published, events: counted }
  const reached: CapacityChanged = { _tag: "CapacityChanged", placeId, level, inside, capacity: capacity?.capacity }
  return { totals: { ...published, level }, events: [...counted, reached] }
}

const isSame = (one: Capacity | undefined, other: Capacity | undefined): boolean =>
  one?.capacity === other?.capacity && one?.warnAt === other?.warnAt

/**
 * Sets or lifts a capacity: the totals after it, and its events. While a change waits for the event interval (`isWaiting`), the
 * level of a capacity waits with it: `publishChange` then publishes both.
 */
export const setCapacity = (
  totals: PresenceTotals,
  capacity: Capacity | undefined,
  isWaiting: boolean
): { readonly totals: PresenceTotals; readonly events: ReadonlyArray<PresenceEventData> } => {
  const { placeId } = totals
  const isKept = isSame(capacity, totals.capacity) || (isWaiting && capacity !== undefined)
  const inside = insideOf(totals)
  const level = isKept ? totals.level : levelOf(capacity, inside)
  const reached: CapacityChanged = { _tag: "CapacityChanged", placeId, level, inside, capacity: capacity?.capacity }
  return { totals: { ...totals, capacity, level }, events: level === totals.level ? [] : [reached] }
}

/**
 * Sets or lifts a capacity where events are published at multiples of an interval: the totals after it, and whether its level is another
 * one. That is published by `publishChange` with a change without counts, which is appended then.
 */
export const setCapacityLater = (
  totals: PresenceTotals,
  capacity: Capacity | undefined
): { readonly totals: PresenceTotals; readonly isLevelPending: boolean } => ({
  totals: { ...totals, capacity },
  isLevelPending: nextLevel(capacity, totals.level, insideOf(totals)) !== totals.level
})

/**
 * The tracking mode whose rules counts are published by. An organization that was anonymous once keeps those of anonymous ones: its owners
 * could otherwise lift them, read, and put them back. Its operator lifts them by the policy.
 *
 * @param anonymousUntil when it became authenticated last; none: it never was anonymous before.
 */
export const publishingMode = (mode: TrackingMode, anonymousUntil: Timestamp | undefined): TrackingMode =>
  anonymousUntil === undefined ? mode : "anonymous"

/**
 * The event interval of an organization: the smallest time between two `PresenceChanged` of the same premises, in milliseconds. The
 * default is one second where people are anonymous, as events of single movements would help to recognize them.
 */
export const eventIntervalOf = ({ eventGrain }: Pick<StayPolicy, "eventGrain">, mode: TrackingMode): number =>
  1000 * (eventGrain ?? (mode === "anonymous" ? 1 : 0))

/**
 * When the next `PresenceChanged` of premises may be published, if its organization's events come no closer together than `interval`
 * milliseconds. A time that is further ahead than that, of a clock that was wrong, holds up nothing.
 */
export const publishableFrom = (
  { publishedAt }: Pick<PresenceTotals, "publishedAt">,
  interval: number,
  now: Timestamp
): Timestamp =>
  publishedAt === undefined || publishedAt > now + interval ? now : Timestamp(Math.max(now, publishedAt + interval))

/** From how many seconds on an operator's `eventGrain` of an anonymous organization is its publishing interval. */
const SMALLEST_PUBLISHING_INTERVAL_SECONDS = 2

/**
 * The publishing interval of an organization in milliseconds, by its {@link publishingMode}; undefined where its counts are exact. With an interval, events of presence
 * and capacity are published at its multiples since the Unix epoch alone, and every answer has the counts of the last event: else the
 * times of single movements could be read from when a count changes.
 */
export const publishingIntervalOf = (
  { eventGrain }: Pick<StayPolicy, "eventGrain">,
  mode: TrackingMode
): number | undefined =>
  mode === "anonymous" && eventGrain !== undefined && eventGrain >= SMALLEST_PUBLISHING_INTERVAL_SECONDS
    ? 1000 * eventGrain
    : undefined

/** The last multiple of a publishing interval that is not after `now`: `at` of the events that are published then. */
export const publishingMoment = (interval: number, now: Timestamp): Timestamp =>
  Timestamp(Math.floor(now / interval) * interval)

/**
 * Whether a change is published at the multiple `moment` of an interval: a change that is appended later waits for the next one.
 */
export const isPublishedAt = (moment: Timestamp, { at }: Pick<PendingChange, "at">, now: Timestamp): boolean =>
  at <= moment || at > now + LARGEST_CLOCK_DIFFERENCE_MS

/**
 * The multiple of a publishing interval at which changes of premises are published: the first one that is not before the first of them was
 * appended (`recordedAt`) nor before the last event of the feed (`feedAt`), and that is after what was published of the premises before
 * (`publishedAt`). A time of a clock that was wrong holds up nothing. The changes are due when the multiple is not after `now`.
 */
export const nextPublishingMoment = (
  {
    recordedAt,
    feedAt,
    publishedAt
  }: { readonly recordedAt: Timestamp; readonly feedAt: Timestamp; readonly publishedAt?: Timestamp | undefined },
  interval: number,
  now: Timestamp
): Timestamp => {
  const isRight = (at: Timestamp) => at <= now + LARGEST_CLOCK_DIFFERENCE_MS
  const notBefore = [recordedAt, feedAt].filter(isRight).map((at) => Math.ceil(at / interval) * interval)
  const after =
    publishedAt === undefined || !isRight(publishedAt) ? [] : [publishingMoment(interval, publishedAt) + interval]
  return Timestamp(Math.max(publishingMoment(interval, now), ...notBefore, ...after))
}

/**
 * The `at` of an event that was recorded at `recorded` and is published at `now`: never before `last`, the `at` of the previous event. It
 * goes back only where that is of a clock that was wrong by more than {@link LARGEST_CLOCK_DIFFERENCE_MS}: else all events until then would
 * have one time.
 */
export const eventAt = ({
  last,
  recorded,
  now
}: {
  readonly last: Timestamp
  readonly recorded: Timestamp
  readonly now: Timestamp
}): Timestamp => (last > now + LARGEST_CLOCK_DIFFERENCE_MS ? recorded : Timestamp(Math.max(last, recorded)))
