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
  openAt,
  organizationAt,
  premisesName,
  type World
} from "../World.ts"

const NEW_HEAD: ModelHead = { entered: 0, left: 0, exits: 0, stayed: 0, level: "none" }

const headOf = (world: World, at: At): ModelHead => world.heads.get(premisesName(at)) ?? NEW_HEAD

const keep = (world: World, at: At, head: ModelHead): void => {
  world.heads = new Map([...world.heads, [premisesName(at), head]])
}

/** Adds an event to the feed of an organization. None is earlier than the one before it. Answers when it was recorded. */
export const addEvent = (
  world: World,
  { label }: Pick<ModelOrganization, "label">,
  { at = world.now, ...news }: Omit<ModelEvent, "at"> & { readonly at?: number }
): number => {
  const events = world.feeds.get(label) ?? []
  const event = { ...news, at: Math.max(at, events.at(-1)?.at ?? 0) }
  world.feeds = new Map([...world.feeds, [label, [...events, event]]])
  return event.at
}

/** What happened at some premises, told or not, and when the last of it was recorded. */
const totals = (world: World, at: At): ModelCounts & { readonly recorded: number } => {
  const stays = world.stays.filter((stay) => stay.at === premisesName(at))
  const exits = stays.flatMap(({ entrance, exit }) => (exit === undefined ? [] : [exit - entrance]))
  return {
    entered: stays.length,
    left: stays.filter(({ ended }) => ended !== undefined).length,
    exits: exits.length,
    stayed: exits.reduce((sum, length) => sum + length, 0),
    recorded: Math.max(...stays.flatMap(({ recorded, ended }) => [recorded, ended ?? 0]))
  }
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

/** Tells what is recorded of some premises, if there is anything. */
export const tellAt = (world: World, organization: ModelOrganization, at: At): void => {
  const head = headOf(world, at)
  const { recorded, ...all } = totals(world, at)
  if (isTold(head, all)) return
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
  const told = addEvent(world, organization, { type: "presence", at: recorded, premises, entered, left, inside })
  world.changes = new Map([
    ...world.changes,
    [premises, [...(world.changes.get(premises) ?? []), { ...change, at: told }]]
  ])
  const level = levelAfter(head.capacity, head.level, inside)
  if (level !== head.level) mark(world, `level told: ${level}`)
  if (level !== levelAfter(head.capacity, "none", inside)) mark(world, "level held")
  const { capacity } = head
  if (level !== head.level)
    tellLevel(world, organization, { premises, level, inside, capacity: capacity?.capacity, at: told })
  keep(world, at, { ...head, ...all, level, toldAt: world.now })
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

/** When the next event of premises may be told: of an anonymous organization once a second. */
const dueAt = (world: World, { mode }: ModelOrganization, { toldAt = 0 }: ModelHead): number =>
  Math.max(world.now, toldAt + (mode === "anonymous" ? 1000 : 0))

/**
 * Tells what is due. Of each organization those premises come first of which the last was recorded
 * first. Answers when the next of what is left may be told.
 */
export const tell = (world: World, _: Tell): Outcome => {
  const waiting: Array<number> = []
  for (const organization of world.organizations) {
    const recorded = premisesIn(organization)
      .map((at) => ({ at, ...totals(world, at) }))
      .sort((one, other) => one.recorded - other.recorded)
    for (const { at, ...all } of recorded) {
      const head = headOf(world, at)
      if (isTold(head, all)) continue
      const due = dueAt(world, organization, head)
      if (due > world.now) waiting.push(due)
      else tellAt(world, organization, at)
    }
  }
  if (waiting.length > 0) mark(world, "events wait for their grain")
  return done({ nextAt: waiting.length === 0 ? undefined : Math.min(...waiting) })
}

export const setCapacity = (world: World, { by, at, capacity: asked, warnAt = 0.8 }: SetCapacity): Outcome => {
  const organization = organizationAt(world, at)
  if (organization === undefined) return refused("PremisesNotFound")
  if (!holds(organization, by, "manager")) return refused("PermissionTooLow")
  if (dueAt(world, organization, headOf(world, at)) <= world.now) tellAt(world, organization, at)
  const head = headOf(world, at)
  const capacity = asked === null ? undefined : { capacity: asked, warnAt }
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
  const inside = openAt(world, at).length
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
