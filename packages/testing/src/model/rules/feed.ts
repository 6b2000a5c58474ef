/** The reference model of the feed: what recorded changes are told as, and what capacities make of them. */
import type { CapacityLevel } from "@sojourn/core"
import type { At, ReadCapacity, ReadFeed, SetCapacity, Tell } from "../commands.ts"
import { done, type Outcome, refused, sameJson } from "../outcomes.ts"
import {
  findOrganization,
  holds,
  mark,
  type ModelCounts,
  type ModelEvent,
  type ModelHead,
  type ModelOrganization,
  type ModelStay,
  openAt,
  organizationAt,
  premisesName,
  type World
} from "../World.ts"

const NEW_HEAD: ModelHead = { entered: 0, left: 0, exits: 0, stayed: 0, level: "none" }

export const headOf = (world: World, at: At): ModelHead => world.heads.get(premisesName(at)) ?? NEW_HEAD

const keep = (world: World, at: At, head: ModelHead): void => {
  world.heads = new Map([...world.heads, [premisesName(at), head]])
}

/** The milliseconds between the multiples at which an anonymous organization publishes; undefined where its counts are exact. */
export const intervalOf = ({ mode, eventGrain = 0 }: ModelOrganization): number | undefined =>
  mode === "anonymous" && eventGrain >= 2 ? eventGrain * 1000 : undefined

/** How many people are inside of premises as far as answers say so. */
export const insideAt = (world: World, organization: ModelOrganization, at: At): number => {
  if (intervalOf(organization) === undefined) return openAt(world, at).length
  const { entered, left } = headOf(world, at)
  if (entered - left !== openAt(world, at).length) mark(world, "count that waits for the interval")
  return entered - left
}

/** Adds an event to the feed of an organization. None is earlier than the one before it. Answers when it was recorded. */
const addEvent = (
  world: World,
  { label }: Pick<ModelOrganization, "label">,
  { at = world.now, ...news }: Omit<ModelEvent, "at"> & { readonly at?: number }
): number => {
  const events = world.feeds.get(label) ?? []
  const event = { ...news, at: Math.max(at, events.at(-1)?.at ?? 0) }
  world.feeds = new Map([...world.feeds, [label, [...events, event]]])
  return event.at
}

/** What happened at some premises up to a time, told or not, and when the last of it was recorded. */
const totals = (world: World, at: At, until = Infinity): ModelCounts & { readonly recorded: number } => {
  const stays = world.stays.filter((stay) => stay.at === premisesName(at) && stay.recorded <= until)
  const isEnded = ({ ended }: ModelStay) => ended !== undefined && ended <= until
  const exits = stays.flatMap((stay) => (stay.exit !== undefined && isEnded(stay) ? [stay.exit - stay.entrance] : []))
  return {
    entered: stays.length,
    left: stays.filter(isEnded).length,
    exits: exits.length,
    stayed: exits.reduce((sum, length) => sum + length, 0),
    recorded: Math.max(
      ...stays.flatMap((stay) => [stay.recorded, ...(isEnded(stay) ? [stay.ended!] : [])]),
      ...levelsSet(headOf(world, at), until)
    )
  }
}

/** When capacities were set up to a time whose level was not told. */
const levelsSet = ({ levelsSet = [] }: ModelHead, until = Infinity) => levelsSet.filter((at) => at <= until)

/** When the first of what is recorded at some premises and not told was recorded; undefined where all is told. */
export const pendingSince = (world: World, at: At): number | undefined => {
  const head = headOf(world, at)
  const stays = world.stays.filter((stay) => stay.at === premisesName(at))
  const inOrder = (times: ReadonlyArray<number>) => [...times].sort((one, other) => one - other)
  const waiting = [
    ...inOrder(stays.map(({ recorded }) => recorded)).slice(head.entered),
    ...inOrder(stays.flatMap(({ ended }) => ended ?? [])).slice(head.left),
    ...levelsSet(head)
  ]
  return waiting.length === 0 ? undefined : Math.min(...waiting)
}

const LEVELS = ["normal", "warning", "full", "over"] as const

/** How many people begin a level. */
const beginning = ({ capacity, warnAt }: NonNullable<ModelHead["capacity"]>, level: CapacityLevel): number =>
  ({
    none: 0,
    normal: 0,
    warning: Math.ceil(Number((capacity * warnAt).toFixed(6))),
    full: capacity,
    over: capacity + 1
  })[level]

/** The level of so many people after another one: it is left 5 % of the capacity, and at least 1, below its beginning. */
const levelAfter = (capacity: ModelHead["capacity"], before: CapacityLevel, inside: number): CapacityLevel => {
  if (capacity === undefined) return "none"
  const margin = Math.max(1, Math.floor(capacity.capacity * 0.05))
  const isHeld = (level: CapacityLevel) =>
    LEVELS.findIndex((one) => one === level) <= LEVELS.findIndex((one) => one === before) &&
    inside > beginning(capacity, level) - margin
  return LEVELS.findLast((level) => inside >= beginning(capacity, level) || isHeld(level)) ?? "normal"
}

const isTold = (head: ModelHead, { entered, left }: ModelCounts): boolean =>
  head.entered === entered && head.left === left

/** Tells what is recorded of some premises up to a time, if there is anything. */
export const tellAt = (world: World, organization: ModelOrganization, at: At, until = Infinity): void => {
  const before = headOf(world, at)
  const { recorded, ...all } = totals(world, at, until)
  const { levelsSet: set = [], ...head } = before
  const isSame = isTold(head, all)
  if (isSame && levelsSet(before, until).length === 0) return
  const interval = intervalOf(organization)
  const moment = interval === undefined ? undefined : Math.floor(world.now / interval) * interval
  const premises = premisesName(at)
  const inside = all.entered - all.left
  const change = {
    entered: all.entered - head.entered,
    left: all.left - head.left,
    exits: all.exits - head.exits,
    stayed: all.stayed - head.stayed,
    inside
  }
  const { entered, left } = change
  let told = moment ?? recorded
  if (!isSame) {
    told = addEvent(world, organization, { type: "presence", at: told, premises, entered, left, inside })
    world.changes = new Map([
      ...world.changes,
      [premises, [...(world.changes.get(premises) ?? []), { ...change, at: told }]]
    ])
  }
  const level = levelAfter(head.capacity, head.level, inside)
  if (level !== head.level) mark(world, `level told: ${level}`)
  if (level !== levelAfter(head.capacity, "none", inside)) mark(world, "level held")
  const { capacity } = head
  if (level !== head.level)
    tellLevel(world, organization, { premises, level, inside, capacity: capacity?.capacity, at: told })
  const later = set.filter((time) => time > until)
  keep(world, at, {
    ...head,
    ...all,
    level,
    toldAt: moment ?? world.now,
    ...(later.length > 0 && { levelsSet: later })
  })
}

const tellLevel = (
  world: World,
  organization: ModelOrganization,
  news: Pick<ModelEvent, "premises" | "level" | "inside" | "capacity"> & { readonly at?: number }
): number => addEvent(world, organization, { type: "capacity", ...news })

/** An organization and its places. */
export const premisesIn = ({ label, places }: ModelOrganization): ReadonlyArray<At> => [
  { organization: label },
  ...places.map((place) => ({ place: place.label }))
]

/** When the next event of premises may be told, where something is recorded. */
const dueAt = (world: World, organization: ModelOrganization, at: At): number => {
  const { mode, eventGrain, label } = organization
  const { toldAt } = headOf(world, at)
  const interval = intervalOf(organization)
  if (interval === undefined) {
    return Math.max(world.now, (toldAt ?? 0) + 1000 * (eventGrain ?? (mode === "anonymous" ? 1 : 0)))
  }
  const upTo = (time: number) => Math.ceil(time / interval) * interval
  const downTo = (time: number) => Math.floor(time / interval) * interval
  return Math.max(
    downTo(world.now),
    upTo(pendingSince(world, at) ?? 0),
    upTo(world.feeds.get(label)?.at(-1)?.at ?? 0),
    toldAt === undefined ? 0 : downTo(toldAt) + interval
  )
}

/**
 * Tells what is due of an organization. With a publishing interval its premises are told in their order, else those come first of which
 * the last was recorded first. Answers when the rest may be told.
 */
const tellDue = (world: World, organization: ModelOrganization): ReadonlyArray<number> => {
  const interval = intervalOf(organization)
  const premises = premisesIn(organization).filter((at) => pendingSince(world, at) !== undefined)
  const recorded = (at: At) => (interval === undefined ? totals(world, at).recorded : 0)
  return premises
    .sort((one, other) => recorded(one) - recorded(other))
    .flatMap((at) => {
      if (dueAt(world, organization, at) <= world.now) {
        const until = interval === undefined ? Infinity : Math.floor(world.now / interval) * interval
        tellAt(world, organization, at, until)
        if (interval !== undefined) mark(world, "told at a multiple of the interval")
      }
      return pendingSince(world, at) === undefined ? [] : [dueAt(world, organization, at)]
    })
}

/** Tells what is due of an organization with a publishing interval. */
export const tellDueOf = (world: World, organization: ModelOrganization): void => {
  if (intervalOf(organization) !== undefined) tellDue(world, organization)
}

/** Adds an event of now to the feed of an organization as it is now, after what is due. */
export const addNews = (world: World, label: string, news: Omit<ModelEvent, "at">): void => {
  const organization = findOrganization(world, label)!
  tellDueOf(world, organization)
  addEvent(world, organization, news)
}

/** Tells what is due. Answers when the next of what is left may be told. */
export const tell = (world: World, _: Tell): Outcome => {
  const waiting = world.organizations.flatMap((organization) => tellDue(world, organization))
  if (waiting.length > 0) mark(world, "events wait for their grain")
  return done({ nextAt: waiting.length === 0 ? undefined : Math.min(...waiting) })
}

export const setCapacity = (world: World, { by, at, capacity: asked, warnAt = 0.8 }: SetCapacity): Outcome => {
  const organization = organizationAt(world, at)
  if (organization === undefined) return refused("PremisesNotFound")
  if (!holds(organization, by, "manager")) return refused("PermissionTooLow")
  const capacity = asked === null ? undefined : { capacity: asked, warnAt }
  if (intervalOf(organization) !== undefined) {
    tellDueOf(world, organization)
    const head = headOf(world, at)
    const isPending = levelAfter(capacity, head.level, head.entered - head.left) !== head.level
    if (isPending) mark(world, "level waits for the interval")
    keep(world, at, { ...head, capacity, ...(isPending && { levelsSet: [...levelsSet(head), world.now] }) })
    return done({ at, ...capacity })
  }
  if (dueAt(world, organization, at) <= world.now) tellAt(world, organization, at)
  const head = headOf(world, at)
  const inside = head.entered - head.left
  const isWaiting = capacity !== undefined && inside !== openAt(world, at).length
  if (isWaiting) mark(world, "level waits for the grain")
  const isKept = isWaiting || sameJson(capacity, head.capacity)
  const level = isKept ? head.level : levelAfter(capacity, "none", inside)
  if (level !== head.level) {
    mark(world, "level of another capacity")
    tellLevel(world, organization, { premises: premisesName(at), level, inside, capacity: capacity?.capacity })
  }
  keep(world, at, { ...head, capacity, level })
  return done({ at, ...capacity })
}

export const readCapacity = (world: World, { by, at }: ReadCapacity): Outcome => {
  const organization = organizationAt(world, at)
  if (organization === undefined) return refused("PremisesNotFound")
  if (!holds(organization, by, "viewer")) return refused("PermissionTooLow")
  const inside = insideAt(world, organization, at)
  const { capacity, level } = headOf(world, at)
  return done({ at, inside, ...capacity, level: levelAfter(capacity, level, inside) })
}

/** What was told since the reader was there before, and what everything adds up to. */
export const readFeed = (world: World, { by, organization: label }: ReadFeed): Outcome => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  if (!holds(organization, by, "viewer")) return refused("PermissionTooLow")
  const events = world.feeds.get(label) ?? []
  const news = events.slice(world.read.get(label) ?? events.length)
  world.read = new Map([...world.read, [label, events.length]])
  if (news.length > 0) mark(world, "feed read on")
  return done({
    organization: label,
    events: news,
    premises: premisesIn(organization).map((at) => {
      const { entered, left, capacity, level } = headOf(world, at)
      return { at, entered, left, capacity: capacity?.capacity, level }
    })
  })
}
